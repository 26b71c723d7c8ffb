import UnderstudyCore

/// The relations of the links in a `Link` header (RFC 8288, section 3, read as its appendix B.3
/// says).
struct LinkRelations {
  private(set) var names: Set<String> = []

  init(_ header: String) {
    var rest = Array(header.utf8)[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")),
      let end = rest[start...].firstIndex(of: UInt8(ascii: ">"))
    {
      rest = rest[rest.index(after: end)...]
      var isFirst = true
      while rest.skip(UInt8(ascii: ";")) {
        let (name, value) = rest.takeParameter()
        // Only the first one of a link counts.
        guard name == "rel", isFirst else { continue }
        isFirst = false
        names.formUnion(value.lowercased().split { $0 == " " || $0 == "\t" }.map(String.init))
      }
    }
  }
}

extension ArraySlice<UInt8> {
  private mutating func skipSpace() { self = drop { $0 == .space || $0 == .tab } }

  /// Whether this byte is next, but for white space.
  fileprivate mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard first == byte else { return false }
    removeFirst()
    return true
  }

  /// `rel="next"`, with or without quotes and white space; the value is empty if there is none.
  fileprivate mutating func takeParameter() -> (name: String, value: String) {
    skipSpace()
    let name = take { ![.space, .tab, UInt8(ascii: "="), .semicolon, .comma].contains($0) }
    guard skip(UInt8(ascii: "=")) else { return (name.lowercased(), "") }
    skipSpace()
    guard first == .quote else {
      return (name.lowercased(), take { ![.space, .tab, .semicolon, .comma].contains($0) })
    }
    removeFirst()
    var value: [UInt8] = []
    while let byte = popFirst(), byte != .quote {
      if byte == UInt8(ascii: "\\") {
        if let escaped = popFirst() { value.append(escaped) }
      } else {
        value.append(byte)
      }
    }
    return (name.lowercased(), String(decoding: value, as: UTF8.self))
  }

  private mutating func take(while belongs: (UInt8) -> Bool) -> String {
    let taken = prefix(while: belongs)
    self = dropFirst(taken.count)
    return String(decoding: taken, as: UTF8.self)
  }
}
