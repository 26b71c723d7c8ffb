import UnderstudyCore

/// Nodes in blocks: scalars, and collections where they begin.
extension YAMLReader {
  /// Where a node begins, which decides whether a block collection may.
  enum Setting {
    /// On a line of its own.
    case line
    /// Behind `-`, `?` or the `:` of an explicit key.
    case compact
    /// Behind a key, or behind `---`.
    case inline, marker
    /// Behind a tab.
    case tabbed

    var allowsBlocks: Bool { self == .line || self == .compact }
  }

  /// Reads a node, and those that begin within it on the same line; ends at the beginning of a
  /// line.
  mutating func readNode(_ setting: Setting, column: Int) throws(Complaint) {
    var (setting, column) = (setting, column)
    while true {
      let place = p
      var properties = Properties()
      if p.pointee == .ampersand || p.pointee == .exclamation {
        try readProperties(into: &properties)
        if skipLineRest() {
          pending = try merged(pending, properties)
          return
        }
      }
      switch p.pointee {
      case .hyphen where p[1].isGap:
        try checkBlock(setting, properties, at: place)
        try open(
          .blockSequence, .value, indentation: column, from: p, properties: pending)
        pending = Properties()
        top.hasEntries = true
      case .questionMark where p[1].isGap:
        try checkBlock(setting, properties, at: place)
        try openMapping(column, from: p)
        top.state = .explicitKey
      case .colon where p[1].isGap:
        try checkKey(setting, at: place)
        try openMapping(column, from: p)
        try writeEmpty(isKey: true, properties)
        setting = .inline
      default:
        guard try readScalar(setting, column, properties, at: place) else { return }
        setting = .inline
      }
      if setting != .inline { setting = .compact }
      p += 1
      awaited = p
      if skipBlanks(), setting == .compact { setting = .tabbed }
      if skipLineRest() { return }
      column = self.column
    }
  }

  mutating func readProperties(into properties: inout Properties) throws(Complaint) {
    while p.pointee == .ampersand || p.pointee == .exclamation {
      try readProperty(into: &properties)
      skipBlanks()
    }
  }

  /// Reads a scalar, an alias or a flow collection; whether it was the first key of a mapping,
  /// whose colon comes next.
  private mutating func readScalar(
    _ setting: Setting, _ column: Int, _ own: Properties, at nodeStart: Pointer
  ) throws(Complaint) -> Bool {
    let place = p
    let isKey = top.state == .explicitKey
    let written = output.count
    switch p.pointee {
    case .bar, .greater:
      try readBlockScalar(try takeProperties(own))
      return false
    case .quote, .apostrophe:
      try readQuoted()
      skipBlanks()
      if isIndicator(.colon) {
        if place < lineStart { throw keyOfSeveralLines(at: place) }
        try checkKey(setting, at: place)
        try openMapping(column, from: nodeStart, at: written)
        try endScalar(from: written + 1, at: place, isPlain: false, isKey: true, own)
        return true
      }
      try endScalar(
        from: written, at: place, isPlain: false, isKey: isKey, try takeProperties(own))
    case .asterisk:
      return try readAliasNode(setting, column, own)
    case .openBracket, .openBrace:
      guard !isKey else { throw complexKey(at: place) }
      try readFlow(try takeProperties(own))
      skipBlanks()
      if isIndicator(.colon) { throw complexKey(at: place) }
      try endLine()
      return false
    default:
      try checkPlainStart()
      let line = scanPlainLine()
      if p.pointee == .colon {
        try checkKey(setting, at: place)
        try openMapping(column, from: nodeStart)
        try writePlain(line, isKey: true, own)
        return true
      }
      let properties = try takeProperties(own)
      if try !continuePlain(line, isKey: isKey, properties) {
        try writePlain(line, isKey: isKey, properties)
      }
    }
    try endNode()
    try endLine()
    return false
  }

  private mutating func readAliasNode(
    _ setting: Setting, _ column: Int, _ own: Properties
  ) throws(Complaint) -> Bool {
    let place = p
    let written = output.count
    // What follows the name decides what is written for it.
    if isAliasKey {
      try checkKey(setting, at: place)
      try openMapping(column, from: place)
      try readAlias(isKey: true, own)
      endKey(from: written + 1, origin: offset(place))
      skipBlanks()
      return true
    }
    let isKey = top.state == .explicitKey
    try readAlias(isKey: isKey, try takeProperties(own))
    if isKey { endKey(from: written, origin: offset(place)) }
    try endNode()
    try endLine()
    return false
  }

  /// Whether a colon follows the alias that begins here.
  var isAliasKey: Bool {
    var place = p
    while !place.pointee.isGap, !place.pointee.isFlowIndicator { place += 1 }
    while place.pointee.isBlank { place += 1 }
    return place.pointee == .colon && place[1].isGap
  }

  /// The properties of a node that is not a mapping which begins with a key.
  mutating func takeProperties(_ own: Properties) throws(Complaint) -> Properties {
    if pending.isEmpty { return own }
    defer { pending = Properties() }
    return try merged(pending, own)
  }

  /// Notes that the key or the value is complete.
  mutating func endNode() throws(Complaint) {
    if top.state == .explicitKey { top.state = .colon } else { try endValue() }
  }

  mutating func endBlockScalar(
    from written: Int, at place: Pointer, _ properties: Properties
  ) throws(Complaint) {
    try endScalar(
      from: written, at: place, isPlain: false, isKey: top.state == .explicitKey, properties)
    try endNode()
  }

  /// Writes what stands for nothing: null as a value, an empty text as a key.
  mutating func writeEmpty() throws(Complaint) {
    let isKey = top.state == .explicitKey
    let properties = pending
    pending = Properties()
    try writeEmpty(isKey: isKey, properties)
    try endNode()
  }

  mutating func writeEmpty(isKey: Bool, _ properties: Properties) throws(Complaint) {
    let place = isKey && top.state != .explicitKey ? p : awaited
    let written = output.count
    output.append(isKey || !properties.isEmpty ? "\"\"" : "null")
    try endScalar(from: written, at: place, isPlain: true, isKey: isKey, properties)
  }

  // MARK: - Checks

  /// Before a collection whose entries begin with an indicator.
  private func checkBlock(
    _ setting: Setting, _ properties: Properties, at place: Pointer
  ) throws(Complaint) {
    guard properties.isEmpty else { throw propertyBeforeBlock(properties) }
    guard top.state != .explicitKey else { throw complexKey(at: place) }
    if setting == .tabbed { throw tabBeforeBlock(at: place) }
    guard setting.allowsBlocks else { throw blockOnLine(setting, at: place) }
  }

  /// Before a mapping that begins with a key.
  private func checkKey(_ setting: Setting, at place: Pointer) throws(Complaint) {
    guard setting.allowsBlocks, top.state != .explicitKey else {
      if top.state == .explicitKey { throw complexKey(at: place) }
      if setting == .tabbed { throw tabBeforeBlock(at: place) }
      throw nestedKey(setting, at: place)
    }
  }
}
