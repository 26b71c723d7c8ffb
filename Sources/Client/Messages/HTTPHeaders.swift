/// The header fields of a message, in their order. The case of names does not matter.
public struct HTTPHeaders: Sendable {
  /// One header field.
  public struct Field: Sendable {
    /// Such as `Content-Type`.
    public var name: String
    /// Without the spaces around it.
    public var value: String

    /// Makes a field of a name and a value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  private var stored: [Field]
  /// Records which fields are read.
  package var recorder: HeaderReads?

  /// All fields, those of the same name among them.
  public var fields: [Field] {
    get {
      recorder?.noteAll()
      return stored
    }
    _modify {
      recorder?.noteAll()
      yield &stored
    }
  }

  /// Makes headers of fields, which keep their order.
  public init(_ fields: [Field] = []) {
    stored = fields
  }

  /// The first value of a field. Setting it replaces all fields of this name; `nil` removes them.
  public subscript(name: String) -> String? {
    get {
      recorder?.note(name)
      return stored.first { $0.isNamed(name) }?.value
    }
    set {
      let index = stored.firstIndex { $0.isNamed(name) }
      stored.removeAll { $0.isNamed(name) }
      if let newValue { stored.insert(Field(name, newValue), at: index ?? stored.endIndex) }
    }
  }

  /// The values of all fields of this name, in their order.
  public func values(of name: String) -> [String] {
    recorder?.note(name)
    return stored.filter { $0.isNamed(name) }.map(\.value)
  }

  /// Adds a field and keeps others of the same name.
  public mutating func append(_ name: String, _ value: String) {
    stored.append(Field(name, value))
  }
}

extension HTTPHeaders: Hashable {
  /// Whether both have equal fields in the same order.
  public static func == (left: Self, right: Self) -> Bool {
    left.recorder?.noteAll()
    right.recorder?.noteAll()
    return left.stored == right.stored
  }

  /// Adds all fields.
  public func hash(into hasher: inout Hasher) {
    recorder?.noteAll()
    hasher.combine(stored)
  }
}

extension HTTPHeaders: Sequence {
  /// Iterates over all fields, in their order.
  public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Headers as a literal: `["Accept": "application/json"]`. They keep their order.
  public init(dictionaryLiteral elements: (String, String)...) {
    stored = elements.map { Field($0.0, $0.1) }
  }
}

extension HTTPHeaders.Field: Hashable {
  /// Whether the values are equal, and the names but for their case.
  public static func == (left: Self, right: Self) -> Bool {
    left.isNamed(right.name) && left.value == right.value
  }

  /// Adds the name in lower case and the value.
  public func hash(into hasher: inout Hasher) {
    for byte in name.utf8 { hasher.combine(Self.lowercase(byte)) }
    hasher.combine(value)
  }

  /// Whether this is its name, in whatever case.
  public func isNamed(_ name: String) -> Bool {
    self.name.utf8.elementsEqual(name.utf8) { Self.lowercase($0) == Self.lowercase($1) }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }
}
