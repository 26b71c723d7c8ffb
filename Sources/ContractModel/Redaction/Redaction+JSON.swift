import JSON

extension Redaction {
  /// Masks the texts and numbers of members, those within objects and arrays too. Numbers of a name in
  /// the plural stay, for `tokens` are counted; so do booleans and null, names, and what is empty.
  ///
  /// Reads no more than strings, words and brackets, so that a body that is cut keeps its secrets
  /// too. Each quote is taken for the beginning of a name, for in one that is broken any could be: a
  /// secret is shown only if its own name or value has lost a quote.
  /// - Parameter number: what becomes of a number.
  package func redacted(json bytes: [UInt8], number: String = "\"\(mask)\"") -> [UInt8] {
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
      let nameEnd = bytes.endOfString(from: offset)
      let name = bytes[offset..<nameEnd]
      let colon = Self.endOfSpace(bytes, from: nameEnd)
      guard colon < bytes.count, bytes[colon] == .colon, hides(json: name) else {
        output.append(.quote)
        offset += 1
        continue
      }
      let value = Self.endOfSpace(bytes, from: colon + 1)
      output += bytes[offset..<value]
      let isPlural = (name.dropLast().last ?? 0) | 0x20 == UInt8(ascii: "s")
      offset = Self.mask(
        bytes, from: value, number: isPlural ? nil : Array(number.utf8), to: &output)
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

  /// Masks one value, numbers if there is something to take their place, and says where it ends.
  private static func mask(
    _ bytes: [UInt8], from start: Int, number: [UInt8]?, to output: inout [UInt8]
  ) -> Int {
    var offset = start
    var depth = 0
    while offset < bytes.count {
      var end = offset + 1
      switch bytes[offset] {
      case .quote:
        end = bytes.endOfString(from: offset)
        let next = endOfSpace(bytes, from: end)
        let isName = depth > 0 && next < bytes.count && bytes[next] == .colon
        output += isName ? bytes[offset..<end] : masked(bytes[offset..<end], number)
      case .openBrace, UInt8(ascii: "["):
        depth += 1
        output.append(bytes[offset])
      case .closeBrace, UInt8(ascii: "]"):
        if depth == 0 { return offset }
        depth -= 1
        output.append(bytes[offset])
      case UInt8(ascii: ","), .colon, ...UInt8.space:
        if depth == 0 { return offset }
        output.append(bytes[offset])
        offset = end
        continue
      default:
        end = bytes[offset...].firstIndex(where: endsWord) ?? bytes.count
        output += masked(bytes[offset..<end], number)
      }
      offset = end
      if depth == 0 { return offset }
    }
    return offset
  }

  /// What is no value of JSON may be a secret that has lost its quotes.
  private static func masked(_ token: ArraySlice<UInt8>, _ number: [UInt8]?) -> ArraySlice<UInt8> {
    if token.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }) { return number?[...] ?? token }
    let isPlain =
      token.elementsEqual("\"\"".utf8)
      || ["true", "false", "null"].contains { token.elementsEqual($0.utf8) }
    return isPlain ? token : Array("\"\(mask)\"".utf8)[...]
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= .space || ",:{}[]\"".utf8.contains(byte)
  }
}

extension [UInt8] {
  /// Where a JSON string that begins at a quote is over.
  package func endOfString(from start: Int) -> Int {
    var offset = start + 1
    while offset < count, self[offset] != .quote { offset += self[offset] == .backslash ? 2 : 1 }
    return Swift.min(offset + 1, count)
  }
}
