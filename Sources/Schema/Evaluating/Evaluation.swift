import UnderstudyCore
import UnderstudyJSON

/// One validation of one instance: its current state and the failures found.
///
/// With room for no failures it only decides whether the instance is valid, and stops at the first
/// failure. The alternatives of `anyOf` and the like are tried that way.
///
/// The extensions follow the groups of keywords: `Evaluation+Scalars`, `Evaluation+Arrays`,
/// `Evaluation+Objects`, `Evaluation+Combining`; `Evaluation+Failures` words what is wrong.
/// `DynamicScope` is about `$dynamicRef`. `SchemaRule` and `SchemaWalk` are a second way: a caller
/// that goes through the instance anyway validates it on the way.
///
/// Steps and depth are counted, and a validation that has used them up fails with a message of its
/// own. It belongs to one thread.
struct Evaluation {
  let program: SchemaProgram
  /// Where the schema is written.
  private let source: JSONValue
  private let options: Schema.Options
  /// The document that contains the instance.
  private(set) var document: JSONDocument
  var failures: [Failure] = []
  var failuresMax: Int
  /// How deeply the value is nested in the instance.
  private(set) var depth = 0
  private(set) var scope: DynamicScope
  /// The member whose name is checked against `propertyNames`.
  private(set) var named: JSONMember?
  private var schemaDepth = 0
  private var schemaDepthInPlace = 0
  private let stepsAllowed: Int
  private var stepsLeft: Int
  private(set) var halt: Failure?
  /// Seconds since 1970.
  let now: Moment

  /// Limits the stack: two schemas for each level an instance may have, plus a margin.
  private static let schemaDepthMax = 1200

  init(of instance: JSONValue, by schema: Schema, now: Moment?, complaintsMax: Int) {
    program = schema.program
    source = schema.source
    options = schema.options
    self.now = now ?? options.now
    document = instance.document
    failuresMax = complaintsMax
    scope = DynamicScope(program.dynamicAnchors)
    stepsAllowed = min(options.stepsMax, options.allowance?.stepsLeft ?? .max)
    stepsLeft = stepsAllowed
  }

  /// The place of a value of the program in the schema itself.
  func written(_ value: JSONValue) -> JSONValue {
    value.moved(from: program.nodes[program.root].source, to: source)
  }

  var isHalted: Bool { halt != nil }

  /// Whether another failure would add no information.
  var stopsEarly: Bool { failures.count >= failuresMax || isHalted }

  mutating func run(_ instance: JSONValue) -> Bool {
    let isValid = instance.walk { checkApart(program.root, $0, by: nil) }
    options.allowance?.spend(stepsAllowed - stepsLeft)
    return isValid && !isHalted
  }

  /// Sets steps and levels aside that a walk takes by itself; returns whether steps are left.
  mutating func reserve(steps: Int, levels: Int) -> Bool {
    stepsLeft -= steps
    schemaDepth += levels
    return stepsLeft >= 0
  }

  /// Whether a value inside the instance is valid beyond doubt.
  mutating func accepts(_ value: JSONCursor, _ index: Int) -> Bool {
    checkChildFully(index, value, by: .items) && !isHalted
  }

  /// Checks a value against a schema; what the schema evaluates is recorded in `evaluated`.
  mutating func check(
    _ index: Int, _ instance: JSONCursor, _ evaluated: inout Evaluated?, by keyword: Keyword?
  ) -> Bool {
    let outer = (scopeCount: scope.count, schemaDepth, schemaDepthInPlace)
    defer {
      scope.leave(to: outer.scopeCount, program.dynamicAnchors)
      (schemaDepth, schemaDepthInPlace) = (outer.1, outer.2)
    }
    schemaDepth += 1
    guard let entered = enter(index, instance) else { return false }
    let node = program.nodes[entered]
    if let always = node.always {
      if !always {
        fail(keyword, at: place(of: instance), schema: node, "no value is allowed here")
      }
      return always
    }
    let wantsMore =
      node.keywords.unevaluatedItems != nil && instance.kinds == .array
      || node.keywords.unevaluatedProperties != nil && instance.kinds == .object
    guard wantsMore else { return checkKeywords(of: node, instance, &evaluated) }
    return checkWithUnevaluated(node, instance, &evaluated)
  }

  /// The index of the node at the end of a chain of references; `nil` if a limit on steps or levels
  /// was reached.
  private mutating func enter(_ index: Int, _ instance: JSONCursor) -> Int? {
    var index = index
    while true {
      schemaDepthInPlace += 1
      guard takeStep(at: instance, index) else { return nil }
      if schemaDepth > Self.schemaDepthMax
        || schemaDepthInPlace > Self.schemaDepthMax + program.nodes.count
      {
        stop(at: instance, program.nodes[index])
        return nil
      }
      if !program.dynamicAnchors.isEmpty {
        scope.enter(program.nodes[index].resource, program.dynamicAnchors)
      }
      guard let reference = program.nodes[index].soleReference else { return index }
      index = target(of: reference)
    }
  }

  private mutating func checkWithUnevaluated(
    _ node: SchemaNode, _ instance: JSONCursor, _ evaluated: inout Evaluated?
  ) -> Bool {
    var own: Evaluated? = Evaluated()
    var isValid = checkKeywords(of: node, instance, &own)
    if !isValid, stopsEarly { return false }
    if let child = node.keywords.unevaluatedItems, instance.kinds == .array {
      isValid = checkUnevaluatedItems(child, of: node, instance, &own) && isValid
    } else if let child = node.keywords.unevaluatedProperties, instance.kinds == .object {
      isValid = checkUnevaluatedProperties(child, of: node, instance, &own) && isValid
    }
    if let own { evaluated?.formUnion(own) }
    return isValid
  }

  private mutating func checkKeywords(
    of node: SchemaNode, _ instance: JSONCursor, _ evaluated: inout Evaluated?
  ) -> Bool {
    // The other keywords mostly assume the expected type.
    guard checkType(of: node, instance) else { return false }
    var isValid = true
    if !node.keywords.values.isEmpty {
      isValid = checkValue(of: node, instance)
      if !isValid, stopsEarly { return false }
    }
    isValid = checkContent(of: node, instance, &evaluated) && isValid
    if node.isCombined {
      for part in node.keywords.combination.parts {
        if !isValid, stopsEarly { return false }
        isValid = check(part, of: node, instance, &evaluated) && isValid
      }
    }
    return isValid
  }

  private mutating func checkContent(
    of node: SchemaNode, _ instance: JSONCursor, _ evaluated: inout Evaluated?
  ) -> Bool {
    let kinds = instance.kinds
    if kinds == .object {
      return node.keywords.objects.isEmpty || checkObject(of: node, instance, &evaluated)
    }
    if kinds == .array {
      return node.keywords.arrays.isEmpty || checkArray(of: node, instance, &evaluated)
    }
    if JSONKinds.string.contains(kinds) {
      return node.keywords.strings.isEmpty || checkString(of: node, instance)
    }
    if JSONKinds.number.contains(kinds) {
      return node.keywords.numbers.isEmpty || checkNumber(of: node, instance)
    }
    return true
  }

  /// Checks an element or a member's value against a schema.
  mutating func checkChild(_ index: Int, _ instance: JSONCursor, by keyword: Keyword) -> Bool {
    if program.settled[index].contains(instance.kinds) {
      return takeStep(at: instance, index)
    }
    return checkChildFully(index, instance, by: keyword)
  }

  private mutating func checkChildFully(
    _ index: Int, _ instance: JSONCursor, by keyword: Keyword
  ) -> Bool {
    var ignored: Evaluated?
    let node = program.nodes[index]
    if !instance.isContainer, node.isSimple {
      guard takeStep(at: instance, index) else { return false }
      depth += 1
      defer { depth -= 1 }
      return checkKeywords(of: node, instance, &ignored)
    }
    let inPlace = schemaDepthInPlace
    schemaDepthInPlace = 0
    depth += 1
    defer {
      schemaDepthInPlace = inPlace
      depth -= 1
    }
    return check(index, instance, &ignored, by: keyword)
  }

  /// Checks a value against a schema without recording what it evaluates.
  mutating func checkApart(_ index: Int, _ instance: JSONCursor, by keyword: Keyword?) -> Bool {
    var ignored: Evaluated?
    return check(index, instance, &ignored, by: keyword)
  }

  /// Checks the name of a member against a schema.
  mutating func checkName(_ key: JSONCursor, _ child: Int) -> Bool {
    var writer = JSONWriter(style: .compact)
    writer.string(key.string)
    guard let name = try? JSONDocument(parsing: writer.bytes) else { return true }
    let outer = document
    named = document.member(at: key)
    document = name
    defer { (named, document) = (nil, outer) }
    return name.root.walk { checkChild(child, $0, by: .propertyNames) }
  }

  /// Runs the body only to decide yes or no.
  mutating func quietly(_ body: (inout Evaluation) -> Bool) -> Bool {
    let outer = failuresMax
    failuresMax = 0
    defer { failuresMax = outer }
    return body(&self)
  }

  /// Returns false when the validation has used up its steps.
  mutating func takeStep(at instance: JSONCursor, _ node: SchemaNode) -> Bool {
    stepsLeft -= 1
    if stepsLeft < 0 { stop(at: instance, node) }
    return stepsLeft >= 0
  }

  private mutating func takeStep(at instance: JSONCursor, _ index: Int) -> Bool {
    guard stepsLeft > 0 else { return takeStep(at: instance, program.nodes[index]) }
    stepsLeft -= 1
    return true
  }

  /// Whether a pattern matches; also false when the validation's steps are used up.
  mutating func matches(
    _ pattern: Pattern, _ text: JSONCursor, at instance: JSONCursor, _ node: SchemaNode
  ) -> Bool {
    let isMatch = text.withText { pattern.matches(utf8: $0, stepsLeft: &stepsLeft) }
    if let isMatch { return isMatch }
    stop(at: instance, node)
    return false
  }

  /// Ends the validation: later results would be wrong.
  private mutating func stop(at instance: JSONCursor, _ node: SchemaNode) {
    guard !isHalted else { return }
    let message: String
    if stepsLeft < 0 {
      message = "validation took more than \(options.stepsMax) steps"
    } else if schemaDepthInPlace > program.nodes.count {
      message = "the schema refers to itself without going deeper"
    } else {
      message = "the schema goes more than \(Self.schemaDepthMax) levels deep here"
    }
    halt = failure(nil, at: place(of: instance), of: node, schema: node.source, message)
  }
}
