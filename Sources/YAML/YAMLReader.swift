import UnderstudyCore
import UnderstudyJSON

/// Translates YAML to JSON text in one pass, without recursion.
///
/// A scalar is read before anything is written that depends on whether it is a key, so keys need no
/// search ahead for their colons. What is open, `top` and `frames` say.
///
/// `JSONDocument+YAML` and `YAMLStream` are the target's entries; they check the bytes in a
/// `YAMLText`, and then this reads them. Read `YAMLReader+Documents`, `YAMLReader+Blocks`,
/// `YAMLReader+Nodes`, then the scalars (`+Plain`, `+Quoted`, `+BlockScalar`) and
/// `YAMLReader+Flow`. `CoreSchema` says what plain scalars mean, and `JSONOutput` collects the JSON
/// with the places of its values in the YAML. The files on complaints run once for a text that is
/// wrong.
///
/// Zeros follow the text and end every scan. Aliases count against a limit of what they write, so a
/// small text cannot become a large one.
struct YAMLReader: ~Copyable {
  typealias Pointer = UnsafePointer<UInt8>

  // SAFETY: from `start` to `end` is the text, which has no zero byte, and zeros follow: each scan
  // stops at a zero, and reads ahead at most as many bytes as there are zeros.
  let start: Pointer
  let end: Pointer
  let classes: Pointer
  let limits: YAMLLimits
  let origin: OriginalText

  var p: Pointer
  /// Where the line of `p` begins.
  var lineStart: Pointer

  var output: JSONOutput
  /// The innermost open collection.
  var top: Frame
  /// The collections around it.
  var frames: [Frame] = []
  var keys = KeyStack()
  var anchors = Anchors()
  /// How much aliases have written.
  var aliasBytes = 0
  var handles = TagHandles()
  /// Where a value belongs that may be missing: behind the indicator that asks for it.
  var awaited: Pointer
  /// What was written on lines of its own before the value that comes next.
  var pending = Properties()

  init(
    _ start: Pointer, count: Int, classes: Pointer, origin: OriginalText, limits: YAMLLimits
  ) {
    self.start = start
    self.end = start + count
    self.classes = classes
    self.limits = limits
    self.origin = origin
    p = start
    lineStart = start
    awaited = start
    output = JSONOutput(capacity: count + count / 4 + 64)
    top = Self.document(at: 0)
  }

  static func document(at offset: Int) -> Frame {
    Frame(
      kind: .document, state: .value, indentation: -1, offset: offset, anchor: -1, keysBefore: 0)
  }

  func offset(_ place: Pointer) -> Int { place - start }

  func isClass(_ byte: UInt8, _ bits: UInt8) -> Bool { classes[Int(byte)] & bits != 0 }

  func bytes(_ from: Pointer, _ to: Pointer) -> [UInt8] {
    Array(UnsafeBufferPointer(start: from, count: to - from))
  }

  func string(_ from: Pointer, _ to: Pointer) -> String {
    String(decoding: bytes(from, to), as: UTF8.self)
  }

  var isAtEnd: Bool { p == end }

  var column: Int { p - lineStart }

  // MARK: - Lines

  /// Skips spaces and tabs; whether there was a tab.
  @discardableResult
  mutating func skipBlanks() -> Bool {
    var hasTab = false
    while p.pointee.isBlank {
      if p.pointee == .tab { hasTab = true }
      p += 1
    }
    return hasTab
  }

  mutating func skipLineBreak() {
    if p.pointee == .carriageReturn { p += 1 }
    if p.pointee == .newline { p += 1 }
    lineStart = p
  }

  mutating func skipToLineEnd() {
    // SAFETY: zeros follow the text, more than sixteen of them.
    let newlines = SIMD16<UInt8>(repeating: .newline)
    let returns = SIMD16<UInt8>(repeating: .carriageReturn)
    let zeros = SIMD16<UInt8>(repeating: 0)
    while true {
      let bytes = UnsafeRawPointer(p).loadUnaligned(as: SIMD16<UInt8>.self)
      let ends = (bytes .== newlines) .| (bytes .== returns) .| (bytes .== zeros)
      if ends.isAnySet { break }
      p += 16
    }
    while !p.pointee.isLineEnd { p += 1 }
  }

  /// Whether only a comment is left on the line; a comment has a blank or nothing before it.
  var isAtLineRest: Bool {
    p.pointee.isLineEnd || p.pointee == .hash && (p == lineStart || p[-1].isBlank)
  }

  /// Ends the line after a value.
  mutating func endLine() throws(Complaint) {
    skipBlanks()
    if p.pointee == .hash, p[-1].isBlank { skipToLineEnd() }
    guard p.pointee.isLineEnd else { throw textAfterValue() }
    skipLineBreak()
  }

  /// Skips the rest of a line if nothing but a comment is left of it.
  mutating func skipLineRest() -> Bool {
    guard isAtLineRest else { return false }
    skipToLineEnd()
    skipLineBreak()
    return true
  }

  /// `---` or `...` at the beginning of a line.
  func isMarker(_ line: Pointer) -> Bool {
    let byte = line.pointee
    return (byte == .hyphen || byte == .period) && line[1] == byte && line[2] == byte
      && line[3].isGap
  }

  // MARK: - Collections

  /// Opens a collection, whose bracket is written at the end of the output or at an earlier place.
  mutating func open(
    _ kind: Frame.Kind, _ state: Frame.State, indentation: Int, from place: Pointer,
    properties: Properties, at written: Int? = nil
  ) throws(Complaint) {
    guard frames.count < limits.depthAllowed else { throw tooDeep(at: place) }
    let isMapping = kind != .blockSequence && kind != .flowSequence
    try check(properties, fitCollectionWith: isMapping ? .map : .seq)
    if let written {
      output.insert(.openBrace, at: written)
      output.note(at: written, from: offset(place))
    } else {
      output.note(from: offset(place))
      output.append(isMapping ? .openBrace : .openBracket)
    }
    if properties.anchor >= 0 {
      anchors.begin(
        properties.anchor, at: written ?? output.count - 1, note: output.notes.count - 1)
    }
    frames.append(top)
    top = Frame(
      kind: kind, state: state, indentation: indentation, offset: offset(place),
      anchor: properties.anchor, keysBefore: keys.count)
  }

  /// Closes the innermost collection, which becomes the value of the one around it.
  mutating func close() throws(Complaint) {
    if top.isMapping {
      if top.state == .explicitKey { try writeEmpty() }
      if top.state == .colon { top.state = .value }
      if top.state == .value { try writeEmpty() }
      output.append(.closeBrace)
      if let (first, second) = keys.removeKeys(from: top.keysBefore, in: output) {
        throw duplicateKey(first, second)
      }
    } else {
      if top.kind == .blockSequence, top.state == .value { try writeEmpty() }
      output.append(.closeBracket)
    }
    if top.anchor >= 0 { anchors.end(top.anchor, at: output.count, note: output.notes.count) }
    top = frames.removeLast()
    try endValue()
  }

  /// Notes that the innermost collection has the value it waited for.
  mutating func endValue() throws(Complaint) {
    switch top.kind {
    case .document, .blockSequence, .blockMapping: top.state = .entry
    case .flowSequence, .flowMapping: top.state = .separator
    case .flowPair:
      top.state = .separator
      // The sequence around it goes on, so this ends here.
      try close()
    }
  }

  /// Begins an element or a member.
  mutating func beginEntry() {
    if top.hasEntries { output.append(.comma) }
    top.hasEntries = true
  }

  /// Notes that the string from here to the end of the output is a key.
  @inline(__always)
  mutating func endKey(from written: Int, origin: Int) {
    output.note(at: written, from: origin)
    let text = written..<output.count
    keys.append(text, origin: origin, mark: output.mark(of: text))
    output.append(.colon)
  }
}
