import UnderstudyCore

/// The path from a document's root to one of its values (RFC 6901).
package struct JSONPointer: Hashable, Sendable {
  package var tokens: [String]

  package init(_ tokens: [String] = []) { self.tokens = tokens }

  /// `nil` when the text does not start with a slash or has an invalid `~` escape.
  package init?(parsing text: String) {
    if text.isEmpty {
      tokens = []
      return
    }
    guard text.utf8.first == .slash else { return nil }
    tokens = []
    for token in text.utf8.dropFirst().split(separator: .slash, omittingEmptySubsequences: false) {
      guard let plain = Self.unescaped(token) else { return nil }
      tokens.append(plain)
    }
  }

  package func appending(_ key: String) -> JSONPointer { JSONPointer(tokens + [key]) }
  package func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

  /// The pointer to the container of this one's target; `nil` for the root.
  package var parent: JSONPointer? {
    tokens.isEmpty ? nil : JSONPointer(Array(tokens.dropLast()))
  }

  private static func unescaped(_ token: Substring.UTF8View) -> String? {
    guard token.contains(UInt8(ascii: "~")) else { return String(Substring(token)) }
    var bytes: [UInt8] = []
    var rest = token[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case .zero: bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(.slash)
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The index given by a token: digits without leading zeros.
  package static func index(of token: String) -> Int? {
    guard token.utf8.allSatisfy(\.isDigit), token == "0" || token.utf8.first != .zero else {
      return nil
    }
    return Int(token)
  }
}

extension JSONPointer: CustomStringConvertible {
  package var description: String {
    var bytes: [UInt8] = []
    for token in tokens {
      bytes.append(.slash)
      for byte in token.utf8 {
        switch byte {
        case UInt8(ascii: "~"): bytes += [byte, .zero]
        case .slash: bytes += [UInt8(ascii: "~"), UInt8(ascii: "1")]
        default: bytes.append(byte)
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONPointer: ExpressibleByArrayLiteral {
  package init(arrayLiteral tokens: String...) { self.init(tokens) }
}

extension JSONValue {
  package func value(at pointer: JSONPointer) -> JSONValue? {
    var value = self
    for token in pointer.tokens {
      guard let next = value.child(token) else { return nil }
      value = next
    }
    return value
  }

  func child(_ token: String) -> JSONValue? {
    word.tag == .array ? JSONPointer.index(of: token).flatMap { self[$0] } : self[token]
  }

  /// The path of the value in its document. Searched from the root, skipping values that do not
  /// contain it.
  package var pointer: JSONPointer {
    var tokens: [String] = []
    var container = 0
    while container < index {
      let isObject = storage.tape[container].tag == .object
      let keyLength = isObject ? 1 : 0
      var (entry, position) = (container + 2, 0)
      while storage.tape.index(after: entry + keyLength) <= index {
        entry = storage.tape.index(after: entry + keyLength)
        position += 1
      }
      tokens.append(isObject ? storage.text(ofString: entry) : String(position))
      container = entry + keyLength
    }
    return JSONPointer(tokens)
  }
}
