import UnderstudyCore

/// The structure that indentation gives: lines, and the entries of block collections.
extension YAMLReader {
  /// Reads lines until a marker or the end of the text.
  mutating func readBlocks() throws(Complaint) {
    while true {
      // Comments and blank lines.
      var hasTab: Bool
      repeat {
        while p.pointee == .space { p += 1 }
        hasTab = p.pointee == .tab && skipBlanks()
        if isAtEnd { return }
      } while skipLineRest()
      if p == lineStart, isMarker(p) { return }
      try readLine(hasTab: hasTab)
    }
  }

  private mutating func readLine(hasTab: Bool) throws(Complaint) {
    var column = column
    if hasTab {
      // Tabs do not indent.
      column = 0
      while lineStart[column] == .space { column += 1 }
    }
    let closed = top.indentation
    while top.indentation > column { try close() }
    if top.kind == .blockSequence, top.indentation == column, !isIndicator(.hyphen),
      let outer = frames.last, outer.kind == .blockMapping, outer.indentation == column
    {
      // The sequence was as far to the left as the key before it.
      try close()
    }
    if top.indentation == column {
      if hasTab { throw tabInIndentation(at: lineStart + column) }
      if top.kind == .blockSequence { return try readElement() }
      return try readMember()
    }
    guard top.state == .value || top.state == .explicitKey else {
      throw top.kind == .document ? textAfterDocument() : wrongIndentation(column, closed: closed)
    }
    try readNode(hasTab ? .tabbed : .line, column: column)
  }

  /// Whether an indicator is here, with a gap behind it.
  func isIndicator(_ indicator: UInt8) -> Bool { p.pointee == indicator && p[1].isGap }

  /// Ends an entry that has no value, before the next one begins.
  private mutating func endEntry() throws(Complaint) {
    if top.state == .entry { return }
    if top.state == .explicitKey { try writeEmpty() }
    top.state = .value
    try writeEmpty()
  }

  private mutating func readElement() throws(Complaint) {
    guard isIndicator(.hyphen) else { throw missingDash() }
    try endEntry()
    beginEntry()
    try readAfterIndicator(.value)
  }

  /// Reads what follows `-`, `?` or the `:` of an explicit key: a collection may begin on the line.
  private mutating func readAfterIndicator(_ state: Frame.State) throws(Complaint) {
    top.state = state
    p += 1
    awaited = p
    let hasTab = skipBlanks()
    if skipLineRest() { return }
    try readNode(hasTab ? .tabbed : .compact, column: column)
  }

  private mutating func readMember() throws(Complaint) {
    if isIndicator(.colon), top.state == .colon { return try readAfterIndicator(.value) }
    if isIndicator(.hyphen) {
      if top.state == .explicitKey { throw complexKey(at: p) }
      guard top.state == .value else { throw dashAmongKeys() }
      return try readNode(.line, column: column)
    }
    try endEntry()
    beginEntry()
    if isIndicator(.questionMark) { return try readAfterIndicator(.explicitKey) }
    var properties = Properties()
    try readProperties(into: &properties)
    try readKey(properties)
    try readAfterKey()
  }

  /// Reads a key that must have a colon behind it on its line.
  private mutating func readKey(_ properties: Properties) throws(Complaint) {
    let place = p
    switch p.pointee {
    case .quote, .apostrophe:
      let written = output.count
      try readQuoted()
      try endScalar(from: written, at: place, isPlain: false, isKey: true, properties)
    case .asterisk:
      let written = output.count
      try readAlias(isKey: true, properties)
      endKey(from: written, origin: offset(place))
    case .colon where p[1].isGap: try writeEmpty(isKey: true, properties)
    case .openBracket, .openBrace: throw flowInsteadOfKey()
    default:
      try checkPlainStart()
      let line = scanPlainLine()
      guard p.pointee == .colon else { throw missingColon(after: line) }
      return try writePlain(line, isKey: true, properties)
    }
    skipBlanks()
    guard isIndicator(.colon) else { throw missingColon(afterQuoted: place) }
    if place < lineStart { throw keyOfSeveralLines(at: place) }
  }

  /// Reads what follows the colon of a key: a value, but no block collection on the same line.
  private mutating func readAfterKey() throws(Complaint) {
    top.state = .value
    p += 1
    awaited = p
    skipBlanks()
    if skipLineRest() { return }
    try readNode(.inline, column: column)
  }

  /// Opens a mapping around the key that has been read, or that comes next.
  mutating func openMapping(
    _ column: Int, from place: Pointer, at written: Int? = nil
  ) throws(Complaint) {
    try open(
      .blockMapping, .value, indentation: column, from: place, properties: pending, at: written)
    pending = Properties()
    top.hasEntries = true
  }
}
