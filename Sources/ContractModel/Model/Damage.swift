package import UnderstudyJSON

/// What may become of a value in a good answer before a consumer gets it.
package enum Damage: String, Sendable, CaseIterable {
  case missing, null, empty, huge, negative, long, deep
  case asBoolean = "as-boolean"
  case asNumber = "as-number"
  case asString = "as-string"
  case asArray = "as-array"
  case asObject = "as-object"
  case badUTF8 = "bad-utf8"
  /// Its key comes a second time, with a value of another type.
  case duplicate
  /// A member nobody knows is added.
  case extra
}

/// Damage of which a consumer may make a value all the same, and any value.
package struct Tolerance: Sendable {
  /// Without indices: `["items", "*", "name"]`.
  package let tokens: [String]
  package let damages: Set<Damage>

  package init(tokens: [String], damages: Set<Damage>) {
    (self.tokens, self.damages) = (tokens, damages)
  }

  /// Whether it speaks of the value at this place.
  package func covers(_ pointer: JSONPointer) -> Bool {
    tokens.count == pointer.tokens.count
      && zip(tokens, pointer.tokens).allSatisfy { $0 == "*" || $0 == $1 }
  }
}
