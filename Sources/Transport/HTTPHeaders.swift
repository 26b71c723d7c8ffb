/// The header fields of a message in their order; the case of names does not matter.
public struct HTTPHeaders: Hashable, Sendable {
  public struct Field: Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public var fields: [Field]

  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// The first value of a field. Setting one replaces every field of the name, `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.isNamed(name) }?.value }
    set {
      let index = fields.firstIndex { $0.isNamed(name) }
      fields.removeAll { $0.isNamed(name) }
      if let newValue { fields.insert(Field(name, newValue), at: index ?? fields.endIndex) }
    }
  }

  /// The values of every field of the name, in their order.
  public func values(of name: String) -> [String] {
    fields.filter { $0.isNamed(name) }.map(\.value)
  }

  /// Adds a field, beside those of the same name.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name, value))
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }
}

extension HTTPHeaders.Field: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.isNamed(right.name) && left.value == right.value
  }

  public func hash(into hasher: inout Hasher) {
    for byte in name.utf8 { hasher.combine(Self.lowercase(byte)) }
    hasher.combine(value)
  }

  public func isNamed(_ name: String) -> Bool {
    self.name.utf8.elementsEqual(name.utf8) { Self.lowercase($0) == Self.lowercase($1) }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
