import UnderstudyJSON

/// The keywords that apply further schemas to the same value.
struct CombiningKeywords: Sendable {
  let parts: [Part]

  enum Part: Sendable {
    /// `$ref`, `$dynamicRef` or one of `allOf`: must fit.
    case each(Reference, Keyword)
    case any([Int])
    case one([Int])
    case none(Int)
    case condition(Int, then: Int?, else: Int?)
  }

  init(_ reader: KeywordReader) {
    var parts: [Part] = []
    if let target = reader.compiler.reference(.ref, reader) {
      parts.append(.each(Reference(target: target), .ref))
    }
    if let reference = reader.compiler.dynamicReference(reader) {
      parts.append(.each(reference, .dynamicRef))
    }
    parts += reader.schemas(.allOf).map { .each(Reference(target: $0), .allOf) }
    let (any, one) = (reader.schemas(.anyOf), reader.schemas(.oneOf))
    if !any.isEmpty { parts.append(.any(any)) }
    if !one.isEmpty { parts.append(.one(one)) }
    if let none = reader.schema(.not) { parts.append(.none(none)) }
    if let condition = reader.schema(.if) {
      parts.append(
        .condition(condition, then: reader.schema(.then), else: reader.schema(.else)))
    }
    self.parts = parts
  }

  /// All but where a `$dynamicRef` leads, which is not known before.
  var inPlace: [Int] {
    parts.flatMap { part -> [Int] in
      switch part {
      case .each(_, .dynamicRef): []
      case .each(let reference, _): [reference.target]
      case .any(let children), .one(let children): children
      case .none(let child): [child]
      case .condition(let condition, let consequence, let alternative):
        [condition] + [consequence, alternative].compactMap { $0 }
      }
    }
  }
}

extension Evaluation {
  mutating func check(
    _ part: CombiningKeywords.Part, of node: SchemaNode, _ instance: JSONCursor,
    _ evaluated: inout Evaluated?
  ) -> Bool {
    switch part {
    case .each(let reference, let keyword):
      check(target(of: reference), instance, &evaluated, by: keyword)
    case .any(let children): checkAny(children, of: node, instance, &evaluated)
    case .one(let children): checkOne(children, of: node, instance, &evaluated)
    case .none(let child): checkNone(child, of: node, instance)
    case .condition(let condition, let consequence, let alternative):
      if fits(condition, instance, &evaluated, by: .if) {
        consequence.map { check($0, instance, &evaluated, by: .then) } ?? true
      } else {
        alternative.map { check($0, instance, &evaluated, by: .else) } ?? true
      }
    }
  }

  func target(of reference: Reference) -> Int {
    guard let name = reference.dynamicName else { return reference.target }
    return scope.target(ofName: name) ?? reference.target
  }

  private mutating func checkAny(
    _ children: [Int], of node: SchemaNode, _ instance: JSONCursor, _ evaluated: inout Evaluated?
  ) -> Bool {
    var isValid = false
    for child in children where fits(child, instance, &evaluated, by: .anyOf) {
      isValid = true
      if evaluated == nil { break }
    }
    if !isValid {
      explain(children, .anyOf, of: node, instance)
      // Nothing is known of the members then, and calling them all foreign would be noise.
      evaluated?.markAll()
    }
    return isValid
  }

  private mutating func checkOne(
    _ children: [Int], of node: SchemaNode, _ instance: JSONCursor, _ evaluated: inout Evaluated?
  ) -> Bool {
    var fitting: [Int] = []
    for (position, child) in children.enumerated() {
      guard fits(child, instance, &evaluated, by: .oneOf) else { continue }
      fitting.append(position)
      if fitting.count > 1, stopsEarly { return false }
    }
    if fitting.count == 1 { return true }
    if fitting.isEmpty {
      explain(children, .oneOf, of: node, instance)
    } else {
      tellFitting(fitting, of: children.count, node, instance)
    }
    evaluated?.markAll()
    return false
  }

  private mutating func tellFitting(
    _ positions: [Int], of count: Int, _ node: SchemaNode, _ instance: JSONCursor
  ) {
    let numbers = joined(positions.map { String($0 + 1) }, by: "and")
    let value = value(at: instance)
    fail(
      .oneOf, of: node, at: .value(value),
      "found \(value.briefSummary), which fits alternatives \(numbers) of \(count), "
        + "expected exactly one")
  }

  private mutating func checkNone(
    _ child: Int, of node: SchemaNode, _ instance: JSONCursor
  ) -> Bool {
    guard quietly({ $0.checkApart(child, instance, by: .not) }) else { return true }
    let value = value(at: instance)
    fail(
      .not, of: node, at: .value(value),
      "found \(value.briefSummary), which \"not\" rules out")
    return false
  }

  /// Whether a schema fits that need not; what it has spoken about counts only if it does.
  private mutating func fits(
    _ child: Int, _ instance: JSONCursor, _ evaluated: inout Evaluated?, by keyword: Keyword
  ) -> Bool {
    var branch = evaluated == nil ? nil : Evaluated()
    let fits = quietly { $0.check(child, instance, &branch, by: keyword) }
    if fits, let branch { evaluated?.formUnion(branch) }
    return fits
  }
}
