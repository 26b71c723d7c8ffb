import UnderstudyCore

extension JSONValue {
  /// The value with its own spelling of strings and numbers, laid out for people: a value that fits
  /// on a line is on one, an object over several lines has one member on each, an array's scalars
  /// fill its lines.
  ///
  /// The outermost value is always split into lines. Ends without a line break.
  package func laidOut(width: Int = 100) -> String {
    var layout = OpenLayout(width: width, unit: [.space, .space])
    layout.append(self, column: 0, indent: 0, isOpen: true)
    return String(decoding: layout.bytes, as: UTF8.self)
  }

  /// The value in lines, but on one line where it fits on one from this column on.
  ///
  /// - Parameter unit: the indentation of each level.
  func laidOut(width: Int, column: Int, unit: [UInt8]) -> [UInt8] {
    var layout = OpenLayout(width: width, unit: unit)
    layout.append(self, column: column, indent: 0)
    return layout.bytes
  }
}

private struct OpenLayout {
  let width: Int
  let unit: [UInt8]
  var bytes: [UInt8] = []

  /// The parser's nesting limit bounds the recursion.
  mutating func append(_ value: JSONValue, column: Int, indent: Int, isOpen: Bool = false) {
    var line: [UInt8] = []
    let isClosed = !isOpen || value.count == 0
    if isClosed, Self.append(value, to: &line, bytesMax: width - column) {
      bytes += line
      return
    }
    switch value.kind {
    case .object: append(membersOf: value, indent: indent + unit.count)
    case .array where value.elements.allSatisfy { $0.count == 0 }:
      fill(elementsOf: value, indent: indent + unit.count)
    case .array: append(elementsOf: value, indent: indent + unit.count)
    default: bytes += value.sourceBytes
    }
  }

  private mutating func append(membersOf object: JSONValue, indent: Int) {
    bytes.append(.openBrace)
    for (offset, member) in object.members.enumerated() {
      if offset > 0 { bytes.append(.comma) }
      breakLine(indent)
      let key = member.sourceKey
      bytes += key + [.colon, .space]
      append(member.value, column: indent + key.count + 3, indent: indent)
    }
    breakLine(indent - unit.count)
    bytes.append(.closeBrace)
  }

  private mutating func append(elementsOf array: JSONValue, indent: Int) {
    bytes.append(.openBracket)
    for (offset, element) in array.elements.enumerated() {
      if offset > 0 { bytes.append(.comma) }
      breakLine(indent)
      append(element, column: indent + 1, indent: indent)
    }
    breakLine(indent - unit.count)
    bytes.append(.closeBracket)
  }

  private mutating func fill(elementsOf array: JSONValue, indent: Int) {
    bytes.append(.openBracket)
    var column = width
    for (offset, element) in array.elements.enumerated() {
      let text = element.sourceBytes
      if offset > 0 { bytes.append(.comma) }
      if column + text.count + 2 > width {
        breakLine(indent)
        column = indent
      } else {
        bytes.append(.space)
        column += 1
      }
      bytes += text
      column += text.count + 1
    }
    breakLine(indent - unit.count)
    bytes.append(.closeBracket)
  }

  private mutating func breakLine(_ indent: Int) {
    bytes.append(.newline)
    for _ in 0..<indent / unit.count { bytes += unit }
  }

  /// Whether the value fits; stops as soon as it does not, so that large values cost little.
  private static func append(
    _ value: JSONValue, to line: inout [UInt8], bytesMax: Int
  ) -> Bool {
    switch value.kind {
    case .object where value.count > 0:
      line += "{ ".utf8
      for (offset, member) in value.members.enumerated() {
        if offset > 0 { line += ", ".utf8 }
        line += member.sourceKey + [.colon, .space]
        guard append(member.value, to: &line, bytesMax: bytesMax) else { return false }
      }
      line += " }".utf8
    case .array where value.count > 0:
      line.append(.openBracket)
      for (offset, element) in value.elements.enumerated() {
        if offset > 0 { line += ", ".utf8 }
        guard append(element, to: &line, bytesMax: bytesMax) else { return false }
      }
      line.append(.closeBracket)
    case .object: line += "{}".utf8
    case .array: line += "[]".utf8
    default: line += value.sourceBytes
    }
    return line.count < bytesMax
  }
}

extension JSONValue {
  fileprivate var sourceBytes: ArraySlice<UInt8> {
    kind == .object || kind == .array ? compact[...] : storage.source[byteRange]
  }
}

extension JSONMember {
  var sourceKey: ArraySlice<UInt8> { storage.source[keyRange] }
}
