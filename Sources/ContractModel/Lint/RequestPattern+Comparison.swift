import JSON
import Patterns

extension RequestPattern {
  /// Whether no request can meet both, as far as can be told from the values they name.
  func excludes(_ other: RequestPattern) -> Bool {
    for condition in parameters where !condition.isOptional {
      for otherCondition in other.parameters
      where otherCondition.key == condition.key && !otherCondition.isOptional {
        if condition.test.excludes(otherCondition.test) { return true }
      }
    }
    for test in body?.tests ?? [] {
      for otherTest in other.body?.tests ?? [] where test.excludes(otherTest) { return true }
    }
    return false
  }

  /// Whether every request that meets this meets the other too, as far as can be told.
  func implies(_ other: RequestPattern) -> Bool {
    let bodyIsImplied =
      other.body.map { theirs in body.map { $0.isSame(as: theirs) } ?? false } ?? true
    return bodyIsImplied
      && other.parameters.allSatisfy { theirs in
        !theirs.isAsking || parameters.contains { $0.key == theirs.key && $0.implies(theirs) }
      }
  }

  /// The values this names, when it asks for nothing but exact ones.
  var exactValuesKey: String? {
    guard body == nil else { return nil }
    var values: [String] = []
    for condition in parameters where condition.isAsking {
      guard case .equals(let value) = condition.test, !condition.isOptional else { return nil }
      values.append("\(condition.key)=\(value)")
    }
    return values.sorted().joined(separator: "\n")
  }

  /// The parameters whose exact values decide.
  var exactKeys: Set<String> { Set(parameters.filter(\.isAsking).map(\.key)) }
}

extension Condition {
  fileprivate func implies(_ other: Condition) -> Bool {
    if isOptional, !other.isOptional { return false }
    switch (test, other.test) {
    case (.absent, .absent): return true
    case (.absent, _): return other.isOptional
    case (_, .present): return true
    case (.equals(let value), _): return other.accepts(value)
    case (.oneOf(let values), _): return values.allSatisfy { other.accepts($0) }
    case (.matches(let pattern), .matches(let otherPattern)):
      return pattern.source == otherPattern.source
    default: return false
    }
  }
}

extension Condition.Test {
  /// Whether no value can meet both.
  func excludes(_ other: Condition.Test) -> Bool {
    switch (self, other) {
    case (.absent, .absent): false
    case (.absent, _), (_, .absent): true
    case (.equals(let left), .equals(let right)): left != right
    case (.equals(let value), .oneOf(let values)), (.oneOf(let values), .equals(let value)):
      !values.contains(value)
    case (.oneOf(let left), .oneOf(let right)): Set(left).isDisjoint(with: right)
    case (.equals(let value), .matches(let pattern)), (.matches(let pattern), .equals(let value)):
      !pattern.matches(value)
    case (.oneOf(let values), .matches(let pattern)), (.matches(let pattern), .oneOf(let values)):
      !values.contains { pattern.matches($0) }
    default: false
    }
  }
}

extension BodyCondition {
  fileprivate func isSame(as other: BodyCondition) -> Bool {
    func tests(_ condition: BodyCondition) -> [String] {
      condition.source.members.filter { $0.key != "example" }
        .map { "\($0.key):\(String(decoding: $0.value.compact, as: UTF8.self))" }.sorted()
    }
    return tests(self) == tests(other)
  }
}

extension BodyCondition.Test {
  fileprivate func excludes(_ other: BodyCondition.Test) -> Bool {
    switch (self, other) {
    case (.equals(let left), .equals(let right)): !left.isEqual(to: right)
    case (.equals(let whole), .contains(let part)), (.contains(let part), .equals(let whole)):
      !whole.contains(part)
    case (.contains(let left), .contains(let right)): left.contradicts(right)
    case (.text(let left), .text(let right)): left != right
    default: false
    }
  }
}

extension JSONValue {
  /// Whether nothing can contain both: some member both name has different values.
  fileprivate func contradicts(_ other: JSONValue) -> Bool {
    switch (kind, other.kind) {
    case (.object, .object):
      members.contains { member in other[member.key].map { member.value.contradicts($0) } ?? false }
    case (.array, .array): zip(elements, other.elements).contains { $0.contradicts($1) }
    default: !isEqual(to: other)
    }
  }
}
