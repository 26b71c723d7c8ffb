import UnderstudyCore
package import UnderstudyJSON

/// `enum` and `const`: the values that are allowed.
struct ValueKeywords: Sendable {
  let constant: JSONValue?
  let choices: Choices?
  let isEmpty: Bool

  /// The values of an `enum`; many are searched by hash.
  struct Choices: Sendable {
    let values: [JSONValue]
    private let index: Set<CanonicalValue>
    /// The names of the values that are strings.
    private var texts = NameTable()
    private static let scanCountMax = 8

    init(_ values: [JSONValue]) {
      self.values = values
      index =
        values.count > Self.scanCountMax ? Set(values.lazy.map(CanonicalValue.init)) : []
      for value in values { if let text = value.string { texts.insert(text) } }
    }

    func contains(text: JSONCursor) -> Bool {
      var next = 0
      return texts.number(of: text, next: &next) != nil
    }

    func contains(_ value: JSONValue) -> Bool {
      index.isEmpty
        ? values.contains { $0.isEqual(to: value) } : index.contains(CanonicalValue(value))
    }
  }
}

/// A value as a key of sets: numbers are compared by value, members in any order.
package struct CanonicalValue: Hashable {
  let value: JSONValue

  package init(_ value: JSONValue) {
    self.value = value
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.value.isEqual(to: right.value)
  }

  package func hash(into hasher: inout Hasher) {
    Self.hash(value, into: &hasher)
  }

  /// Recurses as deep as the value is nested, which the parser limits.
  private static func hash(_ value: JSONValue, into hasher: inout Hasher) {
    hasher.combine(value.kind)
    switch value.kind {
    case .null: break
    case .boolean: hasher.combine(value.bool)
    case .number:
      // Equal numbers are either equal integers or both not integers, so the fast path may come
      // first.
      if let int = value.int { hasher.combine(int) } else { hasher.combine(value.number) }
    case .string: hasher.combine(ExactText(value.string ?? ""))
    case .array:
      hasher.combine(value.count)
      for element in value.elements { hash(element, into: &hasher) }
    case .object: hashMembers(of: value, into: &hasher)
    }
  }

  /// The sum of the members' hashes, since their order does not matter. The last of duplicate keys
  /// counts, as in comparing values.
  private static func hashMembers(of object: JSONValue, into hasher: inout Hasher) {
    var hashes: [ExactText: Int] = [:]
    for member in object.members {
      let key = ExactText(member.key)
      var memberHasher = Hasher()
      memberHasher.combine(key)
      hash(member.value, into: &memberHasher)
      hashes[key] = memberHasher.finalize()
    }
    hasher.combine(hashes.count)
    hasher.combine(hashes.values.reduce(0, &+))
  }
}
