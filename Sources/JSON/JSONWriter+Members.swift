/// Members in one call.
extension JSONWriter {
  /// Writes a member with a string; a missing one is `null`.
  public mutating func member(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  /// Writes a member with a whole number; a missing one is `null`.
  public mutating func member(_ key: String, _ value: Int?) {
    self.key(key)
    if let value { int(value) } else { null() }
  }

  package mutating func member(_ key: String, _ values: [String]) {
    list(key, values) { $0.string($1) }
  }

  /// An array, one element after the other.
  package mutating func list<Elements: Sequence>(
    _ key: String, _ elements: Elements, _ write: (inout JSONWriter, Elements.Element) -> Void
  ) {
    self.key(key)
    array { writer in
      for element in elements { write(&writer, element) }
    }
  }
}

extension JSONWriter {
  /// Writes a value of a document with its own spelling of strings and numbers, in this writer's
  /// layout.
  package mutating func value(_ value: JSONValue) {
    // The nesting limit bounds the recursion.
    switch value.kind {
    case .object:
      object { writer in
        for member in value.members {
          writer.separate()
          writer.bytes += member.storage.source[member.keyRange]
          writer.endKey()
          writer.value(member.value)
        }
      }
    case .array:
      array { writer in
        for element in value.elements { writer.value(element) }
      }
    default:
      separate()
      bytes += value.storage.source[value.byteRange]
    }
  }
}
