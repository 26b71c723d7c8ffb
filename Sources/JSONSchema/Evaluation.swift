import JSON
import Patterns

/// One validation of one instance: what is known on the way, and what was found wrong.
///
/// With room for no failures it only finds out whether the instance is valid, and stops at the
/// first thing that is wrong. The alternatives of `anyOf` and the like are tried that way.
struct Evaluation {
  let program: SchemaProgram
  var failures: [Failure] = []
  var failuresMax: Int
  /// How many containers of the instance stand around the value.
  private(set) var depth = 0
  private(set) var scope: DynamicScope
  /// The member whose name is held against `propertyNames`.
  private(set) var named: JSONMember?
  private var schemaDepth = 0
  private var schemaDepthInPlace = 0
  private var stepsLeft: Int
  private(set) var halt: Failure?

  /// Bounds the stack: two schemas for each level an instance may have, and some.
  private static let schemaDepthMax = 1200

  init(of program: SchemaProgram, complaintsMax: Int) {
    self.program = program
    failuresMax = complaintsMax
    scope = DynamicScope(program.dynamicAnchors)
    stepsLeft = program.options.stepsMax
  }

  var now: Int { program.options.now }

  var isHalted: Bool { halt != nil }

  /// Whether another failure would tell nobody anything.
  var stopsEarly: Bool { failures.count >= failuresMax || isHalted }

  mutating func run(_ instance: JSONValue) -> Bool {
    var ignored = Evaluated.unwanted
    let isValid = check(program.root, instance, &ignored, by: nil)
    return isValid && !isHalted
  }

  /// Holds a value against a schema; what the schema speaks about is noted in `evaluated`.
  mutating func check(
    _ index: Int, _ instance: JSONValue, _ evaluated: inout Evaluated, by keyword: Keyword?
  ) -> Bool {
    let outer = (scopeCount: scope.count, schemaDepth, schemaDepthInPlace)
    defer {
      scope.leave(to: outer.scopeCount, program.dynamicAnchors)
      (schemaDepth, schemaDepthInPlace) = (outer.1, outer.2)
    }
    schemaDepth += 1
    guard let node = enter(index, instance) else { return false }
    if let always = node.always {
      if !always { fail(keyword, at: .value(instance), schema: node, "no value is allowed here") }
      return always
    }
    let wantsMore =
      node.unevaluatedItems != nil && instance.kind == .array
      || node.unevaluatedProperties != nil && instance.kind == .object
    guard wantsMore else { return checkKeywords(of: node, instance, &evaluated) }
    return checkWithUnevaluated(node, instance, &evaluated)
  }

  /// The node at an index, or at the end of the references there; `nil` when that was one step or
  /// one level too many.
  private mutating func enter(_ index: Int, _ instance: JSONValue) -> SchemaNode? {
    var node = program.nodes[index]
    while true {
      schemaDepthInPlace += 1
      guard takeStep(at: instance, node) else { return nil }
      if schemaDepth > Self.schemaDepthMax
        || schemaDepthInPlace > Self.schemaDepthMax + program.nodes.count
      {
        stop(at: instance, node)
        return nil
      }
      if !program.dynamicAnchors.isEmpty { scope.enter(node.resource, program.dynamicAnchors) }
      guard let reference = node.soleReference else { return node }
      node = program.nodes[target(of: reference)]
    }
  }

  private mutating func checkWithUnevaluated(
    _ node: SchemaNode, _ instance: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    var own = Evaluated(isWanted: true)
    var isValid = checkKeywords(of: node, instance, &own)
    if !isValid, stopsEarly { return false }
    if let child = node.unevaluatedItems, instance.kind == .array {
      isValid = checkUnevaluatedItems(child, of: node, instance, &own) && isValid
    } else if let child = node.unevaluatedProperties, instance.kind == .object {
      isValid = checkUnevaluatedProperties(child, of: node, instance, &own) && isValid
    }
    evaluated.formUnion(own)
    return isValid
  }

  private mutating func checkKeywords(
    of node: SchemaNode, _ instance: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    if let types = node.types, !types.allows(instance) {
      // What else the schema says is mostly about the type that was expected.
      refuseType(types, of: node, instance)
      return false
    }
    var isValid = true
    if let values = node.values {
      isValid = check(values, of: node, instance)
      if !isValid, stopsEarly { return false }
    }
    isValid = checkContent(of: node, instance, &evaluated) && isValid
    for part in node.combination.parts {
      if !isValid, stopsEarly { return false }
      isValid = check(part, of: node, instance, &evaluated) && isValid
    }
    return isValid
  }

  private mutating func checkContent(
    of node: SchemaNode, _ instance: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    switch instance.kind {
    case .object: node.objects.map { check($0, of: node, instance, &evaluated) } ?? true
    case .array: node.arrays.map { check($0, of: node, instance, &evaluated) } ?? true
    case .string: node.strings.map { check($0, of: node, instance) } ?? true
    case .number: node.numbers.map { check($0, of: node, instance) } ?? true
    case .null, .boolean: true
    }
  }

  /// Holds an element or the value of a member against a schema.
  mutating func checkChild(_ index: Int, _ instance: JSONValue, by keyword: Keyword) -> Bool {
    let inPlace = schemaDepthInPlace
    schemaDepthInPlace = 0
    depth += 1
    defer {
      schemaDepthInPlace = inPlace
      depth -= 1
    }
    var ignored = Evaluated.unwanted
    return check(index, instance, &ignored, by: keyword)
  }

  /// Holds the name of a member against a schema.
  mutating func checkName(of member: JSONMember, _ child: Int) -> Bool {
    var writer = JSONWriter(style: .compact)
    writer.string(member.key)
    guard let name = try? JSONDocument(parsing: writer.bytes) else { return true }
    named = member
    defer { named = nil }
    return checkChild(child, name.root, by: .propertyNames)
  }

  /// Lets the body only find out yes or no.
  mutating func quietly(_ body: (inout Evaluation) -> Bool) -> Bool {
    let outer = failuresMax
    failuresMax = 0
    defer { failuresMax = outer }
    return body(&self)
  }

  /// Answers false when the validation has taken as long as it may.
  mutating func takeStep(at instance: JSONValue, _ node: SchemaNode) -> Bool {
    stepsLeft -= 1
    if stepsLeft < 0 { stop(at: instance, node) }
    return stepsLeft >= 0
  }

  /// Whether a pattern matches; false as well when that takes longer than the validation may.
  mutating func matches(
    _ pattern: Pattern, _ text: String, at instance: JSONValue, _ node: SchemaNode
  ) -> Bool {
    if let isMatch = pattern.matches(text, stepsLeft: &stepsLeft) { return isMatch }
    stop(at: instance, node)
    return false
  }

  /// Ends the validation: nothing found from here on would be true.
  private mutating func stop(at instance: JSONValue, _ node: SchemaNode) {
    guard !isHalted else { return }
    let message: String
    if stepsLeft < 0 {
      message = "validation took more than \(program.options.stepsMax) steps"
    } else if schemaDepthInPlace > program.nodes.count {
      message = "the schema refers to itself without going deeper"
    } else {
      message = "the schema goes more than \(Self.schemaDepthMax) levels deep here"
    }
    halt = failure(nil, at: .value(instance), of: node, schema: node.source, message)
  }
}
