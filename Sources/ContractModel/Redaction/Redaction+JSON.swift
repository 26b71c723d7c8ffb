import JSON

extension Redaction {
  /// Masks the values of members, whatever they are.
  ///
  /// Reads no more than strings and brackets, so that a body that is cut keeps its secrets too. Each
  /// quote is taken for the beginning of a name, for in one that is broken any could be: a secret is
  /// shown only if its own name or value has lost a quote.
  package func redacted(json bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var offset = 0
    while offset < bytes.count {
      guard bytes[offset] == .quote else {
        let end = min(offset + (bytes[offset] == .backslash ? 2 : 1), bytes.count)
        output += bytes[offset..<end]
        offset = end
        continue
      }
      let nameEnd = Self.endOfString(bytes, from: offset)
      let name = bytes[offset..<nameEnd]
      let colon = Self.endOfSpace(bytes, from: nameEnd)
      guard colon < bytes.count, bytes[colon] == .colon, hides(json: name) else {
        output.append(.quote)
        offset += 1
        continue
      }
      let value = Self.endOfSpace(bytes, from: colon + 1)
      output += bytes[offset..<value] + "\"\(Self.mask)\"".utf8
      offset = Self.endOfValue(bytes, from: value)
    }
    return output
  }

  private func hides(json name: ArraySlice<UInt8>) -> Bool {
    guard name.contains(.backslash) else {
      return hides(String(decoding: name.dropFirst().dropLast(), as: UTF8.self))
    }
    return (try? JSONDocument(parsing: Array(name)))?.root.string.map { hides($0) } ?? false
  }

  private static func endOfSpace(_ bytes: [UInt8], from start: Int) -> Int {
    bytes[start...].firstIndex { $0 > .space } ?? bytes.count
  }

  private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
    var offset = start + 1
    while offset < bytes.count, bytes[offset] != .quote {
      offset += bytes[offset] == .backslash ? 2 : 1
    }
    return min(offset + 1, bytes.count)
  }

  /// Where a string, a number, a word, or all that is in brackets ends.
  private static func endOfValue(_ bytes: [UInt8], from start: Int) -> Int {
    var offset = start
    var depth = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case .quote:
        offset = endOfString(bytes, from: offset)
        if depth == 0 { return offset }
        continue
      case .openBrace, UInt8(ascii: "["): depth += 1
      case .closeBrace, UInt8(ascii: "]"):
        if depth == 0 { return offset }
        depth -= 1
        if depth == 0 { return offset + 1 }
      case UInt8(ascii: ","), ...UInt8.space:
        if depth == 0 { return offset }
      default: break
      }
      offset += 1
    }
    return offset
  }
}
