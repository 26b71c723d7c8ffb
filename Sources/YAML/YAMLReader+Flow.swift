import UnderstudyCore

/// Flow collections: brackets and commas, as in JSON and with fewer quotes.
extension YAMLReader {
  /// Reads from a bracket to the one that closes it.
  mutating func readFlow(_ properties: Properties) throws(Complaint) {
    let depth = frames.count
    try openFlow(properties)
    while frames.count > depth {
      try skipFlowSpace()
      if isAtEnd { throw unterminatedCollection() }
      switch top.state {
      case .entry: try readEntry()
      case .explicitKey: try readKeyInFlow()
      case .colon: try readColon()
      case .value: try readValue()
      case .separator: try readSeparator()
      }
    }
  }

  private mutating func openFlow(_ properties: Properties) throws(Complaint) {
    try open(
      p.pointee == .openBrace ? .flowMapping : .flowSequence, .entry, indentation: top.indentation,
      from: p, properties: properties)
    p += 1
  }

  /// Skips white space, line breaks and comments.
  private mutating func skipFlowSpace() throws(Complaint) {
    while true {
      skipBlanks()
      if p.pointee == .hash {
        guard p == lineStart || p[-1].isBlank else { throw hashInFlow() }
        skipToLineEnd()
      }
      guard p.pointee.isLineEnd, p < end else { return }
      skipLineBreak()
      while p.pointee == .space { p += 1 }
      try checkFlowLine()
    }
  }

  /// Lines must be indented more than the block around them. A bracket that closes may be as far to
  /// the left as the block, as many people write it.
  private mutating func checkFlowLine() throws(Complaint) {
    let indentation = column
    if indentation == 0, isMarker(p) { throw unterminatedCollection() }
    if indentation > top.indentation { return }
    let place = p
    skipBlanks()
    if p.pointee.isLineEnd || p.pointee == .hash { return }
    let isClosing = p.pointee == .closeBrace || p.pointee == .closeBracket
    if isClosing, indentation == top.indentation { return }
    if p > place { throw tabInIndentation(at: place) }
    throw lineInFlow()
  }

  // MARK: - Entries

  private func isFlowIndicator(_ indicator: UInt8) -> Bool {
    p.pointee == indicator && (p[1].isGap || p[1].isFlowIndicator)
  }

  private var isClosing: Bool {
    p.pointee == (top.kind == .flowMapping ? .closeBrace : .closeBracket)
  }

  private mutating func readEntry() throws(Complaint) {
    if isClosing {
      p += 1
      return try close()
    }
    if p.pointee == .comma { throw secondComma() }
    if p.pointee == .closeBrace || p.pointee == .closeBracket { throw mismatchedBracket() }
    beginEntry()
    if p.pointee == .questionMark, p[1].isGap {
      if top.kind == .flowSequence { try openPair(from: p) }
      top.state = .explicitKey
      p += 1
      awaited = p
    } else if top.kind == .flowMapping {
      top.state = .explicitKey
      try readKeyInFlow()
    } else if isFlowIndicator(.colon) {
      try openPair(from: p)
      awaited = p
      try writeEmpty()
    } else {
      try readFlowNode()
    }
  }

  /// A mapping of one member within a sequence.
  private mutating func openPair(from place: Pointer, at written: Int? = nil) throws(Complaint) {
    try open(
      .flowPair, .explicitKey, indentation: top.indentation, from: place,
      properties: Properties(), at: written)
    top.hasEntries = true
  }

  private mutating func readKeyInFlow() throws(Complaint) {
    if p.pointee == .comma || isClosing || top.kind == .flowPair && p.pointee == .closeBracket
      || isFlowIndicator(.colon)
    {
      awaited = p
      return try writeEmpty()
    }
    try readFlowNode()
  }

  private mutating func readColon() throws(Complaint) {
    if p.pointee == .colon, top.isKeyQuoted || p[1].isGap || p[1].isFlowIndicator {
      p += 1
      top.state = .value
      awaited = p
      return
    }
    if p.pointee == .colon { throw missingSpace(after: p) }
    top.state = .value
    awaited = p
    try writeEmpty()
  }

  private mutating func readValue() throws(Complaint) {
    if p.pointee == .comma || p.pointee == .closeBrace || p.pointee == .closeBracket {
      return try writeEmpty()
    }
    try readFlowNode()
  }

  private mutating func readSeparator() throws(Complaint) {
    if isClosing {
      p += 1
      return try close()
    }
    if p.pointee == .comma {
      p += 1
      top.state = .entry
      return
    }
    throw missingComma()
  }

  // MARK: - Nodes

  private mutating func readFlowNode() throws(Complaint) {
    var properties = Properties()
    while p.pointee == .ampersand || p.pointee == .exclamation {
      try readProperty(into: &properties)
      awaited = p
      try skipFlowSpace()
    }
    let place = p
    let isKey = top.state == .explicitKey
    let written = output.count
    top.isKeyQuoted = false
    switch p.pointee {
    case .openBrace, .openBracket:
      guard !isKey else { throw complexKey(at: place) }
      return try openFlow(properties)
    case .quote, .apostrophe:
      try readQuoted()
      let blanks = p
      skipBlanks()
      if top.kind == .flowSequence, p.pointee == .colon {
        if place < lineStart { throw keyOfSeveralLines(at: place) }
        return try beginPair(from: written, at: place, properties)
      }
      p = blanks
      top.isKeyQuoted = true
      try endScalar(from: written, at: place, isPlain: false, isKey: isKey, properties)
    case .asterisk:
      let isPair = top.kind == .flowSequence && isAliasKey
      if isPair { try openPair(from: place) }
      let start = output.count
      try readAlias(isKey: isKey || isPair, properties)
      if isKey || isPair { endKey(from: start, origin: offset(place)) }
    case .comma, .closeBrace, .closeBracket:
      if properties.isEmpty { throw badStart() }
      try writeEmptyNode(properties, isKey: isKey)
    case .colon where isFlowIndicator(.colon) && !properties.isEmpty:
      if top.kind == .flowSequence {
        try openPair(from: place)
        try writeEmptyNode(properties, isKey: true)
      } else {
        try writeEmptyNode(properties, isKey: isKey)
      }
    default: return try readPlainInFlow(properties)
    }
    try endNode()
  }

  private mutating func writeEmptyNode(
    _ properties: Properties, isKey: Bool
  ) throws(Complaint) {
    let written = output.count
    output.append("\"\"")
    try endScalar(from: written, at: awaited, isPlain: true, isKey: isKey, properties)
  }

  private mutating func readPlainInFlow(_ properties: Properties) throws(Complaint) {
    try checkPlainStart()
    let isKey = top.state == .explicitKey
    let line = scanPlainLine()
    if p.pointee == .colon, top.kind == .flowSequence {
      try openPair(from: line.start)
      try writePlain(line, isKey: true, properties)
    } else if p.pointee == .colon, !isKey {
      throw nestedKey(.inline, at: line.start)
    } else if try !continuePlain(line, isKey: isKey, properties) {
      try writePlain(line, isKey: isKey, properties)
    }
    try endNode()
  }

  /// Makes the quoted string that was written the key of a pair.
  private mutating func beginPair(
    from written: Int, at place: Pointer, _ properties: Properties
  ) throws(Complaint) {
    try openPair(from: place, at: written)
    try endScalar(from: written + 1, at: place, isPlain: false, isKey: true, properties)
    top.isKeyQuoted = true
    try endNode()
  }
}
