import JSON

/// The keywords that apply further schemas to the same value.
final class CombiningKeywords: Sendable {
  let reference: Int?
  let dynamicReference: DynamicReference?
  let all: [Int]
  let any: [Int]
  let one: [Int]
  let none: Int?
  let condition: Int?
  let consequence: Int?
  let alternative: Int?

  init?(_ reader: KeywordReader) {
    reference = reader.compiler.reference(.ref, reader)
    dynamicReference = reader.compiler.dynamicReference(reader)
    all = reader.schemas(.allOf)
    any = reader.schemas(.anyOf)
    one = reader.schemas(.oneOf)
    none = reader.schema(.not)
    condition = reader.schema(.if)
    consequence = condition == nil ? nil : reader.schema(.then)
    alternative = condition == nil ? nil : reader.schema(.else)
    if inPlace.isEmpty, dynamicReference == nil { return nil }
  }

  /// All but where a `$dynamicRef` leads, which is not known before.
  var inPlace: [Int] {
    [reference, none, condition, consequence, alternative].compactMap { $0 } + all + any + one
  }
}

extension Evaluation {
  mutating func check(
    _ keywords: CombiningKeywords, of node: SchemaNode, _ instance: JSONValue,
    _ evaluated: inout Evaluated
  ) -> Bool {
    var isValid = true
    if let reference = keywords.reference {
      isValid = check(reference, instance, &evaluated, by: .ref)
      if !isValid, stopsEarly { return false }
    }
    if let reference = keywords.dynamicReference {
      isValid = check(target(of: reference), instance, &evaluated, by: .dynamicRef) && isValid
      if !isValid, stopsEarly { return false }
    }
    if !keywords.all.isEmpty {
      isValid = checkAll(keywords.all, instance, &evaluated) && isValid
      if !isValid, stopsEarly { return false }
    }
    if !keywords.any.isEmpty {
      isValid = checkAny(keywords.any, of: node, instance, &evaluated) && isValid
      if !isValid, stopsEarly { return false }
    }
    if !keywords.one.isEmpty {
      isValid = checkOne(keywords.one, of: node, instance, &evaluated) && isValid
      if !isValid, stopsEarly { return false }
    }
    if let none = keywords.none {
      isValid = checkNone(none, of: node, instance) && isValid
      if !isValid, stopsEarly { return false }
    }
    return checkCondition(keywords, instance, &evaluated) && isValid
  }

  func target(of reference: DynamicReference) -> Int {
    guard let name = reference.name else { return reference.target }
    return scope.target(in: program.dynamicScopes.targets[name]) ?? reference.target
  }

  private mutating func checkAll(
    _ children: [Int], _ instance: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    var isValid = true
    for child in children {
      isValid = check(child, instance, &evaluated, by: .allOf) && isValid
      if !isValid, stopsEarly { return false }
    }
    return isValid
  }

  private mutating func checkAny(
    _ children: [Int], of node: SchemaNode, _ instance: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    var isValid = false
    for child in children where fits(child, instance, &evaluated, by: .anyOf) {
      isValid = true
      if !evaluated.isWanted { break }
    }
    if !isValid {
      explain(children, .anyOf, of: node, instance)
      // Nothing is known of the members then, and calling them all foreign would be noise.
      evaluated.markAll()
    }
    return isValid
  }

  private mutating func checkOne(
    _ children: [Int], of node: SchemaNode, _ instance: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    var fitting: [Int] = []
    for (position, child) in children.enumerated() {
      guard fits(child, instance, &evaluated, by: .oneOf) else { continue }
      fitting.append(position)
      if fitting.count > 1, stopsEarly { return false }
    }
    switch fitting.count {
    case 1: return true
    case 0: explain(children, .oneOf, of: node, instance)
    default:
      let numbers = fitting.map { String($0 + 1) }.joined(separator: " and ")
      fail(
        .oneOf, of: node, at: .value(instance),
        "found \(instance.briefSummary), which fits alternatives \(numbers) of "
          + "\(children.count), expected exactly one")
    }
    evaluated.markAll()
    return false
  }

  private mutating func checkNone(
    _ child: Int, of node: SchemaNode, _ instance: JSONValue
  ) -> Bool {
    var ignored = Evaluated.unwanted
    guard fits(child, instance, &ignored, by: .not) else { return true }
    fail(
      .not, of: node, at: .value(instance),
      "found \(instance.briefSummary), which \"not\" rules out")
    return false
  }

  private mutating func checkCondition(
    _ keywords: CombiningKeywords, _ instance: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    guard let condition = keywords.condition else { return true }
    if fits(condition, instance, &evaluated, by: .if) {
      return keywords.consequence.map { check($0, instance, &evaluated, by: .then) } ?? true
    }
    return keywords.alternative.map { check($0, instance, &evaluated, by: .else) } ?? true
  }

  /// Whether a schema fits that need not; what it has spoken about counts only if it does.
  private mutating func fits(
    _ child: Int, _ instance: JSONValue, _ evaluated: inout Evaluated, by keyword: Keyword
  ) -> Bool {
    var branch = Evaluated(isWanted: evaluated.isWanted)
    let fits = quietly { $0.check(child, instance, &branch, by: keyword) }
    if fits { evaluated.formUnion(branch) }
    return fits
  }
}
