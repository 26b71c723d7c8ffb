package import UnderstudyJSON

/// How a value of a good response can be mutated before a consumer gets it.
package enum Mutation: String, Sendable, CaseIterable {
  case missing, null, empty, huge, negative, long, deep
  case asBoolean = "as-boolean"
  case asNumber = "as-number"
  case asString = "as-string"
  case asArray = "as-array"
  case asObject = "as-object"
  case badUTF8 = "bad-utf8"
  /// The key is repeated, with a value of another type.
  case duplicate
  /// An unknown member is added.
  case extra
}

/// Mutation that a consumer may accept and still return a value.
package struct Tolerance: Sendable {
  /// Without array indices: `["items", "*", "name"]`.
  package let tokens: [String]
  package let mutations: Set<Mutation>

  package init(tokens: [String], mutations: Set<Mutation>) {
    (self.tokens, self.mutations) = (tokens, mutations)
  }

  /// Whether it applies to the value at this place.
  package func covers(_ pointer: JSONPointer) -> Bool {
    tokens.count == pointer.tokens.count
      && zip(tokens, pointer.tokens).allSatisfy {
        $0 == $1 || $0 == "*" && JSONPointer.index(of: $1) != nil
      }
  }
}
