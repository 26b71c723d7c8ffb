import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

/// A contract by one of its paths, to be compared with the others for that path.
struct Rival {
  let contract: Contract
  /// By the part they test. A path parameter is keyed by its position, since its name may differ
  /// between contracts; a parameter that is only in another path of the contract is left out.
  let conditions: [ExactText: Condition]

  init(_ contract: Contract, by template: PathTemplate) {
    self.contract = contract
    var places: [String: Int] = [:]
    for case (let place, .parameter(let name)) in template.segments.enumerated() {
      places[name] = place
    }
    if let tail = template.tail { places[tail] = template.segments.count }
    var conditions: [ExactText: Condition] = [:]
    for condition in contract.request.parameters {
      if condition.part != .path {
        conditions[ExactText(condition.lookupKey)] = condition
      } else if let place = places[condition.name] {
        conditions[Self.key(ofSegment: place)] = condition
      }
    }
    self.conditions = conditions
  }

  static func key(ofSegment place: Int) -> ExactText { ExactText("path.\(place)") }

  private var bodyTests: [BodyCondition.Test] { contract.request.body?.tests ?? [] }

  /// Whether no request can meet both, as far as the named values show.
  func excludes(_ other: Rival) -> Bool {
    let (fewer, more) = conditions.count < other.conditions.count ? (self, other) : (other, self)
    for (key, condition) in fewer.conditions {
      if let rival = more.conditions[key], condition.excludes(rival) { return true }
    }
    return bodyTests.contains { test in other.bodyTests.contains { test.excludes($0) } }
  }

  /// Whether every request that meets this also meets the other, as far as the named values show.
  func implies(_ other: Rival) -> Bool {
    other.conditions.allSatisfy { key, condition in
      !condition.isAsking || conditions[key]?.implies(condition) ?? false
    }
      && other.bodyTests.allSatisfy { test in bodyTests.contains { $0.implies(test) } }
  }

  /// The parts limited to a few strings, and those strings: two contracts with different ones never
  /// overlap. For a JSON body, its string members.
  var namedValues: [(key: ExactText, values: [String])] {
    var named = conditions.compactMap { key, condition in
      condition.isOptional ? nil : condition.test.namedValues.map { (key: key, values: $0) }
    }
    for test in bodyTests {
      guard let json = test.json else { continue }
      for member in json.members {
        if let text = member.value.string {
          named.append((ExactText("body.\(member.key)"), [text]))
        }
      }
    }
    return named
  }
}

extension Condition {
  /// Whether nothing, including an absent value, can meet both.
  func excludes(_ other: Condition) -> Bool {
    if let exclusion, other.implies(exclusion) { return true }
    if let exclusion = other.exclusion, implies(exclusion) { return true }
    return !(acceptsAbsence && other.acceptsAbsence) && test.excludes(other.test)
  }

  fileprivate func implies(_ other: Condition) -> Bool {
    if isOptional, !other.isOptional { return false }
    if let forbidden = other.exclusion, !excludes(forbidden), !isBeside(forbidden) { return false }
    return switch (test, other.test) {
    case (.absent, _): other.acceptsAbsence
    case (_, .present): true
    case (.matches(let pattern), .matches(let otherPattern)): pattern == otherPattern
    case (.noOthers(let names), .noOthers(let others)): Set(names).isSubset(of: others)
    case (.noOthers, _), (_, .noOthers): false
    case (_, .date(let date)) where date.isMoving: false
    default: test.namedValues?.allSatisfy { other.accepts($0, at: .epoch) } ?? false
    }
  }

  /// Whether it forbids the same.
  private func isBeside(_ forbidden: Condition) -> Bool {
    exclusion.map { forbidden.implies($0) } ?? false
  }
}

extension Condition.Test {
  /// The only values that meet it, if they are named.
  var namedValues: [String]? {
    switch self {
    case .equals(let value): [value]
    case .values(let values), .oneOf(let values): values
    default: nil
    }
  }

  fileprivate func excludes(_ other: Condition.Test) -> Bool {
    switch (self, other) {
    case (.absent, .absent), (.noOthers, _), (_, .noOthers): false
    case (.absent, _), (_, .absent): true
    case (.matches(let pattern), _):
      other.namedValues.map { !$0.contains { pattern.matches($0) } } ?? false
    case (_, .matches): other.excludes(self)
    default:
      namedValues.flatMap { own in
        other.namedValues.map { values in
          Set(own.map(ExactText.init)).isDisjoint(with: values.map(ExactText.init))
        }
      } ?? false
    }
  }
}

extension BodyCondition.Test {
  /// The JSON that a body is compared with.
  fileprivate var json: JSONValue? {
    switch self {
    case .equals(let json, _), .contains(let json, _): json
    default: nil
    }
  }

  /// Equal JSON can be written in many ways, so it does not exclude tests of the text.
  fileprivate func excludes(_ other: BodyCondition.Test) -> Bool {
    switch (self, other) {
    case (.date(let date), _) where date.isMoving, (_, .date(let date)) where date.isMoving: false
    case (.text(let text), _): !other.accepts(RequestBody(Array(text.utf8), at: BodySchema.moment))
    case (.bytes(let bytes), _): !other.accepts(RequestBody(bytes, at: BodySchema.moment))
    case (_, .text), (_, .bytes): other.excludes(self)
    case (.contains(let left, let order), .contains(let right, let other)):
      left.contradicts(right, comparingElements: order == .given && other == .given)
    case (.equals(let json, .given), _) where !other.isOfText:
      !other.accepts(RequestBody(json.compact, at: BodySchema.moment))
    case (_, .equals(let json, .given)) where !isOfText:
      !accepts(RequestBody(json.compact, at: BodySchema.moment))
    case (.form(let left), .form(let right)):
      left.contains { own in right.contains { $0.name == own.name && own.excludes($0) } }
    case (.not(let tests), _): tests.allSatisfy { other.implies($0) }
    case (_, .not): other.excludes(self)
    default: false
    }
  }

  fileprivate func implies(_ other: BodyCondition.Test) -> Bool {
    switch (self, other) {
    case (_, .date(let date)) where date.isMoving: false
    case (.text(let text), _): other.accepts(RequestBody(Array(text.utf8), at: BodySchema.moment))
    case (.bytes(let bytes), _): other.accepts(RequestBody(bytes, at: BodySchema.moment))
    case (.equals(let json, .given), _) where !other.isOfText:
      other.accepts(RequestBody(json.compact, at: BodySchema.moment))
    case (.contains(let whole, .given), .contains(let part, .given)): whole.contains(part)
    case (.contains(let whole, _), .contains(let part, .any)): whole.containsInAnyOrder(part)
    case (.matches(let left), .matches(let right)): left == right
    case (.form(let left), .form(let right)):
      right.allSatisfy { other in left.contains { $0.name == other.name && $0.implies(other) } }
    case (_, .not(let tests)): tests.contains { excludes($0) }
    default: false
    }
  }

  private var isOfText: Bool {
    switch self {
    case .text, .bytes, .matches, .date, .form, .multipart, .not: true
    case .equals, .contains, .schema: false
    }
  }
}

extension JSONValue {
  /// Whether no JSON can contain both: a member named by both has different values.
  fileprivate func contradicts(_ other: JSONValue, comparingElements: Bool) -> Bool {
    switch (kind, other.kind) {
    case (.object, .object):
      members.contains { member in
        other[member.key].map {
          member.value.contradicts($0, comparingElements: comparingElements)
        } ?? false
      }
    case (.array, .array):
      comparingElements
        && zip(elements, other.elements).contains { $0.contradicts($1, comparingElements: true) }
    default: !isEqual(to: other)
    }
  }
}
