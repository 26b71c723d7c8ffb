package import UnderstudyJSON

/// Makes values that a schema allows: always the same for the same schema.
///
/// The folder is for documents that have schemas and no examples, as imports and `drift --against`
/// read them. `ExampleMaker` here makes one value from the inside out: `FlatSchema` collects all
/// that is asked of it, `ExampleScalars` chooses numbers and texts, and `PatternExample` a text
/// that a pattern matches.
///
/// A schema may ask for what cannot be guessed, so each value is validated before it is given;
/// where none is found in a few attempts, there is none. The number of values made is limited by
/// `countMax`, whatever the schema says.
package struct SchemaExample {
  /// Which of the possible values is made.
  package struct Choice: Sendable {
    /// The number of the alternative where there are several.
    package var alternative = 0
    /// By how many values a list of them is passed over, from its start again where it ends.
    package var listed = 0
    /// Whether members are there that need not be.
    package var isComplete = true
    /// Whether a value is null where it may be.
    package var isNull = false
    /// Whether arrays have as few elements as they may.
    package var isSparse = false
    /// Whether the examples and defaults that a schema names are used.
    package var usesExamples = true

    package init() {}
  }

  private static let alternativesMax = 8
  /// How many examples of a schema may be wrong.
  private static let attemptsMax = 20

  /// How many values are made of one schema, those within others included, whichever are chosen.
  private static let countMax = 50_000

  private let root: JSONValue
  private let schema: Schema
  private let allowance: StepAllowance

  /// - Parameter schema: the same, compiled.
  package init(_ root: JSONValue, _ schema: Schema) {
    self.root = root
    self.schema = schema
    allowance = StepAllowance(stepsMax: Self.countMax, within: schema.options.allowance)
  }

  /// How many values were made, for tests.
  package var stepCount: Int { allowance.stepsMax - allowance.stepsLeft }

  /// The fullest value that was found; `nil` if there may be none.
  package var value: JSONText? {
    for isComplete in [true, false] {
      for usesExamples in [true, false] {
        for alternative in 0..<Self.alternativesMax {
          var choice = Choice()
          choice.isComplete = isComplete
          choice.usesExamples = usesExamples
          choice.alternative = alternative
          if let value = value(choice) { return value }
          if allowance.isExhausted { return nil }
        }
      }
    }
    return nil
  }

  /// `nil` if the schema allows no such value.
  package func value(_ choice: Choice) -> JSONText? {
    var wrong: Set<Int> = []
    var omitted: Set<[String]> = []
    for _ in 0..<Self.attemptsMax {
      var maker = ExampleMaker(root, choice, avoiding: wrong, omitting: omitted, within: allowance)
      guard let text = maker.make([root], as: "", at: []), let made = text.root else { return nil }
      let complaints = schema.complaints(about: made, max: Self.attemptsMax)
      if complaints.isEmpty { return text }
      let suspects = maker.examples.filter { example in
        complaints.contains { $0.instancePointer.tokens.starts(with: example.path) }
      }
      wrong.formUnion(suspects.map(\.place))
      if suspects.isEmpty {
        // A member that need not be there, or one around it.
        for path in complaints.map(\.instancePointer.tokens) {
          let around = (0..<path.count).map { Array(path.dropLast($0)) }
          guard let next = around.first(where: { !omitted.contains($0) }) else { return nil }
          omitted.insert(next)
        }
      }
    }
    return nil
  }
}

/// Makes one value.
struct ExampleMaker {
  private static let depthMax = 64
  /// Beneath this, and after so many values, only what is required is made.
  private static let fullDepthMax = 6
  private static let fullCountMax = 500
  private static let countMax = 20_000
  private static let elementsMax = 1_000

  let root: JSONValue
  let choice: SchemaExample.Choice
  private let wrong: Set<Int>
  /// The places of members that are left out if they may be.
  private let omitted: Set<[String]>
  /// Where values are those that the schema names, and the places of these in its text.
  private(set) var examples: [(path: [String], place: Int)] = []
  /// Where references to values around this one lead.
  private var active: Set<Int>
  private var count = 0
  private let allowance: StepAllowance

  init(
    _ root: JSONValue, _ choice: SchemaExample.Choice, avoiding wrong: Set<Int>,
    omitting omitted: Set<[String]>, within allowance: StepAllowance
  ) {
    self.allowance = allowance
    self.omitted = omitted
    self.root = root
    self.choice = choice
    self.wrong = wrong
    active = [root.byteRange.lowerBound]
  }

  /// - Parameters:
  ///   - schemas: all of them hold for the value.
  ///   - name: what a text says that may say anything.
  ///   - number: which of several neighbours it is, which may have to differ.
  mutating func make(
    _ schemas: [JSONValue], as name: String, at path: [String], number: Int = 0
  ) -> JSONText? {
    count += 1
    guard path.count <= Self.depthMax, count <= Self.countMax, spend(1) else { return nil }
    let schema = FlatSchema(schemas, in: root, choice, active: active)
    guard !schema.isImpossible else { return nil }
    if choice.isNull, !path.isEmpty, schema.isNullable { return .null }
    if let named = example(in: schema, at: path, number) { return .value(named) }
    if let listed = schema.listed {
      guard spend(listed.count / 16) else { return nil }
      return listed.isEmpty ? nil : .value(listed[(number + choice.listed) % listed.count])
    }
    let newlyActive = schema.targets.subtracting(active)
    active.formUnion(newlyActive)
    defer { active.subtract(newlyActive) }
    let types = schema.types
    switch types.first(where: { $0 != "null" }) ?? types.first {
    case "null": return .null
    case "boolean": return .bool(number % 2 == 0)
    case "integer": return ExampleNumber(schema, isWhole: true).value(number)
    case "number": return ExampleNumber(schema, isWhole: false).value(number)
    case "array": return array(schema, as: name, at: path, number)
    case "object": return object(schema, at: path, number)
    case nil where path.isEmpty: return .emptyObject
    default: return ExampleText(schema, name: name).value(number)
    }
  }

  /// Whether so many steps were left.
  private func spend(_ stepCount: Int) -> Bool {
    guard !allowance.isExhausted else { return false }
    allowance.spend(stepCount)
    return true
  }

  private mutating func example(
    in schema: FlatSchema, at path: [String], _ number: Int
  ) -> JSONValue? {
    guard choice.usesExamples, !choice.isNull, !choice.isSparse else { return nil }
    for whole in schema.wholes {
      let named = Array(whole["examples"].map(\.elements) ?? JSONValue.null.elements)
      let candidates =
        (number < named.count ? [named[number]] : []) + named
        + (whole["default"].map { [$0] } ?? [])
      for candidate in candidates where !wrong.contains(candidate.byteRange.lowerBound) {
        examples.append((path, candidate.byteRange.lowerBound))
        return candidate
      }
    }
    return nil
  }

  private func isFull(_ path: [String]) -> Bool {
    choice.isComplete && path.count < Self.fullDepthMax && count < Self.fullCountMax
  }

  // MARK: - Arrays

  private mutating func array(
    _ schema: FlatSchema, as name: String, at path: [String], _ number: Int
  ) -> JSONText? {
    let countMin = schema.values(of: "minItems").compactMap(\.int).max() ?? 0
    let countMax = schema.values(of: "maxItems").compactMap(\.int).min() ?? .max
    guard countMin <= Self.elementsMax else { return nil }
    let prefixes = schema.values(of: "prefixItems").map { Array($0.elements) }
    let slotCount = prefixes.map(\.count).max() ?? 0
    let contained = schema.values(of: "contains")
    let wanted = max(choice.isSparse || !choice.isComplete ? 0 : 1, contained.count, slotCount)
    let items = schema.values(of: "items")
    var elements: [JSONText] = []
    while elements.count < max(countMin, min(wanted, countMax)) {
      let index = elements.count
      var schemas = prefixes.compactMap { index < $0.count ? $0[index] : nil }
      if index >= slotCount || schemas.isEmpty { schemas += items }
      if index < contained.count { schemas.append(contained[index]) }
      guard
        let element = make(
          schemas, as: name, at: path + [String(index)], number: number + index)
      else { return elements.count >= countMin ? .array(elements) : nil }
      elements.append(element)
    }
    return .array(elements)
  }

  // MARK: - Objects

  private mutating func object(
    _ schema: FlatSchema, at path: [String], _ number: Int
  ) -> JSONText? {
    let needed = Set(schema.required)
    let named = schema.named
    let countMax = max(0, schema.values(of: "maxProperties").compactMap(\.int).min() ?? .max)
    var members: [(key: String, value: JSONText?)] = []
    var spare = countMax - needed.count
    for (key, schemas) in named {
      let isNeeded = needed.contains(key)
      guard isNeeded || isFull(path) && spare > 0 && !omitted.contains(path + [key]) else {
        continue
      }
      if let kind = kind(of: schema, in: key) {
        members.append((key, .string(kind)))
      } else if let value = make(schemas, as: key, at: path + [key], number: number) {
        members.append((key, value))
      } else if isNeeded {
        return nil
      }
      if !isNeeded { spare -= 1 }
    }
    let countMin = schema.values(of: "minProperties").compactMap(\.int).max() ?? 0
    let wanted = max(countMin, named.isEmpty && isFull(path) && !choice.isSparse ? 1 : 0)
    let keys = otherKeys(of: schema, count: wanted, isNeeded: countMin > 0)
    for (key, schemas) in keys where members.count < min(wanted, countMax) {
      guard !members.contains(where: { $0.key == key }) else { continue }
      guard let value = make(schemas, as: key, at: path + [key], number: number) else { continue }
      members.append((key, value))
    }
    return .object(members)
  }

  /// Keys that a schema allows without naming them, with the schemas of their values.
  private mutating func otherKeys(
    of schema: FlatSchema, count: Int, isNeeded: Bool
  ) -> [(key: String, schemas: [JSONValue])] {
    let patterns = schema.values(of: "patternProperties").flatMap(\.members)
    var keys: [(key: String, schemas: [JSONValue])] = patterns.compactMap { member in
      (try? Pattern(member.key))?.example(lengths: 0...100).map { ($0, [member.value]) }
    }
    let others = schema.values(of: "additionalProperties")
    guard others.allSatisfy({ $0.bool != false }), !others.isEmpty || isNeeded else { return keys }
    let names = schema.values(of: "propertyNames")
    while keys.count < min(count, 100), let key = key(names, number: keys.count) {
      keys.append((key, others))
    }
    return keys
  }

  private mutating func key(_ schemas: [JSONValue], number: Int) -> String? {
    let name = number == 0 ? "key" : "key-\(number + 1)"
    guard !schemas.isEmpty else { return name }
    var choice = choice
    choice.isNull = false
    let schema = FlatSchema(schemas, in: root, choice, active: active)
    if let listed = schema.listed {
      return number < listed.count ? listed[number].string : nil
    }
    return ExampleText(schema, name: name).value(number)?.root?.string
  }

  /// The value of a member by which readers tell the alternatives apart: `"Cat"` for `petType`.
  private func kind(of schema: FlatSchema, in key: String) -> String? {
    guard let name = schema.name,
      let distinction = schema.values(of: "x-discriminator").first(where: {
        $0["propertyName"]?.string == key
      })
    else { return nil }
    let asked = schema.values(of: "properties").compactMap { $0[key] }
    guard !asked.contains(where: { $0["const"] != nil || $0["enum"]?.count == 1 }) else {
      return nil
    }
    let mapped = distinction["mapping"]?.members.first {
      $0.value.string?.hasSuffix("/\(name)") == true
    }
    return mapped?.key ?? name
  }
}

extension FlatSchema {
  fileprivate var required: [String] {
    values(of: "required").flatMap(\.elements).compactMap(\.string)
  }

  /// The members of objects that it names, with the schemas of each.
  fileprivate var named: [(key: String, schemas: [JSONValue])] {
    var named: [(key: String, schemas: [JSONValue])] = []
    var places: [String: Int] = [:]
    for member in values(of: "properties").flatMap(\.members) {
      if let place = places[member.key] {
        named[place].schemas.append(member.value)
      } else {
        places[member.key] = named.count
        named.append((member.key, [member.value]))
      }
    }
    for key in required where places[key] == nil {
      places[key] = named.count
      named.append((key, values(of: "additionalProperties")))
    }
    return named
  }
}
