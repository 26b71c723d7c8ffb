/// The names that the members of an object may have.
package struct JSONNames: Sendable, ExpressibleByArrayLiteral {
  private let table: NameTable

  package init(_ names: [String]) {
    var table = NameTable()
    for name in names { table.insert(name) }
    self.table = table
  }

  package init(arrayLiteral names: String...) { self.init(names) }

  package var texts: [String] { table.texts }

  package func number(of name: String) -> Int? { table.number(of: name) }

  fileprivate func number(of key: JSONCursor, next: inout Int) -> Int? {
    table.number(of: key, next: &next)
  }
}

/// Says of most names that an object does not have them, without a look at its members.
///
/// Public because other modules can inline only public code.
@_documentation(visibility: internal)
public struct JSONKeySketch: Sendable {
  @usableFromInline var bits: UInt64 = 0

  fileprivate mutating func note(_ key: Span<UInt8>) {
    bits |= Self.bit(count: key.count, first: key.isEmpty ? 0 : key[0])
  }

  @inlinable
  public func mayHave(_ key: String) -> Bool {
    bits & Self.bit(count: key.utf8.count, first: key.utf8.first ?? 0) != 0
  }

  /// Masked shifts use the lowest six bits of the number.
  @inlinable
  static func bit(count: Int, first: UInt8) -> UInt64 { 1 &<< (count &* 5 &+ Int(first)) }
}

extension JSONValue {
  /// A sketch of the keys of an object; nothing else has any.
  package var keySketch: JSONKeySketch {
    guard word.tag == .object else { return JSONKeySketch() }
    return walk { object in
      var sketch = JSONKeySketch()
      for (key, _) in object.members { key.withText { sketch.note($0) } }
      return sketch
    }
  }

  /// Whether an object has no other keys than these, and each at most once.
  package func hasOnlyKeys(_ names: JSONNames) -> Bool {
    walk { object in
      var (seen, next): (UInt64, Int) = (0, 0)
      for (key, _) in object.members {
        guard let number = names.number(of: key, next: &next), number < UInt64.bitWidth,
          seen & 1 &<< UInt64(number) == 0
        else { return false }
        seen |= 1 &<< UInt64(number)
      }
      return true
    }
  }
}
