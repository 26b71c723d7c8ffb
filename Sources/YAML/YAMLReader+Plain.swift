import UnderstudyCore

/// Scalars without quotes.
extension YAMLReader {
  /// One line of a plain scalar.
  struct PlainLine {
    let start: Pointer
    /// Without the blanks before what ends it.
    let end: Pointer
    let needsEscapes: Bool
  }

  /// Reads up to what ends the scalar, or its line: a colon and a gap, a comment, in flow an
  /// indicator.
  mutating func scanPlainLine() -> PlainLine {
    let start = p
    let bit = top.isFlow ? ByteClass.flowPlain : ByteClass.blockPlain
    var needsEscapes = false
    var place = p
    scan: while true {
      while !isClass(place.pointee, bit) { place += 1 }
      switch place.pointee {
      case .colon:
        if place[1].isGap || top.isFlow && place[1].isFlowIndicator { break scan }
      case .hash: if place > start, place[-1].isBlank { break scan }
      case .quote, .backslash, .tab: needsEscapes = true
      default: break scan
      }
      place += 1
    }
    p = place
    while place > start, place[-1].isBlank { place -= 1 }
    return PlainLine(start: start, end: place, needsEscapes: needsEscapes)
  }

  /// Writes a scalar of one line, as a key or as what it means.
  mutating func writePlain(
    _ line: PlainLine, isKey: Bool, _ properties: Properties
  ) throws(Complaint) {
    if !isKey, properties.isEmpty, isClass(line.start.pointee, ByteClass.resolvable) {
      let text = CoreSchema.Text(start: line.start, count: line.end - line.start)
      let form = CoreSchema.form(of: text)
      if form != .string {
        output.note(from: offset(line.start))
        return try writeValue(form, text, at: line.start)
      }
    }
    if isKey, line.start.pointee == .less { try checkMerge(line, properties) }
    let written = output.count
    if line.needsEscapes {
      output.append(.quote)
      output.appendEscaped(from: line.start, to: line.end)
      output.append(.quote)
    } else {
      output.appendQuoted(from: line.start, to: line.end)
    }
    try endScalar(
      from: written, at: line.start, isPlain: true, isKey: isKey, properties)
  }

  /// Ends a scalar whose string has been written.
  @inline(__always)
  mutating func endScalar(
    from written: Int, at place: Pointer, isPlain: Bool, isKey: Bool, _ properties: Properties
  ) throws(Complaint) {
    if !properties.isEmpty {
      try apply(properties, from: written, at: place, isPlain: isPlain, isKey: isKey)
    }
    if isKey {
      endKey(from: written, origin: offset(place))
    } else {
      output.note(at: written, from: offset(place))
    }
  }

  private func checkMerge(_ line: PlainLine, _ properties: Properties) throws(Complaint) {
    guard line.end - line.start == 2, line.start[1] == .less, properties.tag == .none else {
      return
    }
    throw complaint(
      .mergeKey, at: line.start, "found a merge key \"<<\", expected the members themselves",
      fix: "write them out, or put \"<<\" in quotes if it is a name")
  }

  /// Continues a scalar on the next lines; `false`, with nothing written, if it ends on its first.
  mutating func continuePlain(
    _ first: PlainLine, isKey: Bool, _ properties: Properties
  ) throws(Complaint) -> Bool {
    guard p.pointee.isLineEnd, let next = nextPlainLine() else { return false }
    try readPlainLines(first, next, isKey: isKey, properties)
    return true
  }

  private mutating func readPlainLines(
    _ first: PlainLine, _ second: NextLine, isKey: Bool, _ properties: Properties
  ) throws(Complaint) {
    let written = output.count
    output.append(.quote)
    output.appendEscaped(from: first.start, to: first.end)
    var next: NextLine? = second
    while let line = next {
      fold(line.breakCount)
      (p, lineStart) = (line.place, line.start)
      let read = scanPlainLine()
      output.appendEscaped(from: read.start, to: read.end)
      if p.pointee == .colon, !top.isFlow { throw keyInPlain(from: first.start, at: read.start) }
      next = p.pointee.isLineEnd ? nextPlainLine() : nil
    }
    output.append(.quote)
    try endScalar(from: written, at: first.start, isPlain: true, isKey: isKey, properties)
  }

  struct NextLine {
    let start: Pointer
    let place: Pointer
    let breakCount: Int
  }

  /// The next line with anything on it, if it continues a plain scalar.
  private func nextPlainLine() -> NextLine? {
    var place = p
    var breakCount = 0
    while true {
      if place.pointee == .carriageReturn { place += 1 }
      guard place.pointee == .newline else { return nil }
      place += 1
      breakCount += 1
      let line = place
      while place.pointee == .space { place += 1 }
      let indentation = place - line
      while place.pointee.isBlank { place += 1 }
      if place.pointee.isLineEnd { continue }
      guard indentation > top.indentation, place.pointee != .hash,
        !(line == place && isMarker(place)),
        !(place.pointee == .colon && (place[1].isGap || top.isFlow && place[1].isFlowIndicator)),
        !(top.isFlow && place.pointee.isFlowIndicator)
      else { return nil }
      return NextLine(start: line, place: place, breakCount: breakCount)
    }
  }

  /// One line break is a space; of more, the first is none.
  mutating func fold(_ breakCount: Int) {
    if breakCount == 1 { output.append(.space) } else { output.appendLineBreaks(breakCount - 1) }
  }

  /// Checks the first character of a plain scalar.
  @inline(__always)
  func checkPlainStart() throws(Complaint) {
    let byte = p.pointee
    if isClass(byte, ByteClass.indicator) { throw badStart() }
    if byte == .hyphen || byte == .questionMark || byte == .colon,
      p[1].isGap || top.isFlow && p[1].isFlowIndicator
    {
      throw badStart()
    }
  }
}
