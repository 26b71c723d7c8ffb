import UnderstudyJSON

/// All that a schema asks of one value: its own keywords, those of references and of `allOf`, and
/// of one alternative of `anyOf` and `oneOf`.
struct FlatSchema {
  private(set) var parts: [JSONValue] = []
  /// The parts that describe the value as a whole, so that their examples are complete.
  private(set) var wholes: [JSONValue] = []
  /// Where the references led, by the target's place in the text.
  private(set) var targets: Set<Int> = []
  /// Whether no value is allowed, or only one that contains itself.
  private(set) var isImpossible = false
  /// The last part of the reference that led to the value or to its alternative: `Cat` for
  /// `#/$defs/Cat`.
  private(set) var name: String?

  private let root: JSONValue
  private let choice: SchemaExample.Choice
  private let active: Set<Int>
  private var seen: Set<Int> = []
  /// Alternatives that were tried, by their places in the text.
  private var failed: Set<Int> = []

  /// - Parameter active: the targets of references to values around this one.
  init(
    _ schemas: [JSONValue], in root: JSONValue, _ choice: SchemaExample.Choice, active: Set<Int>
  ) {
    self.root = root
    self.choice = choice
    self.active = active
    for schema in schemas { add(schema, isWhole: schemas.count == 1) }
  }

  /// Each schema is added once, which bounds the recursion together with the nesting of the text.
  private mutating func add(_ schema: JSONValue, isWhole: Bool) {
    if schema.bool == false { isImpossible = true }
    guard schema.kind == .object, seen.insert(schema.byteRange.lowerBound).inserted else { return }
    parts.append(schema)
    if isWhole { wholes.append(schema) }
    if let target = schema.referred(in: root) {
      let place = target.byteRange.lowerBound
      guard !active.contains(place) else {
        isImpossible = true
        return
      }
      targets.insert(place)
      if isWhole || name == nil { name = schema["$ref"]?.string?.lastPathComponent }
      add(target, isWhole: isWhole)
    }
    let all = schema["allOf"]
    for part in all?.elements ?? JSONValue.null.elements {
      add(part, isWhole: isWhole && all?.count == 1 && schema["properties"] == nil)
    }
    for key in ["oneOf", "anyOf"] {
      guard let alternatives = schema[key], alternatives.count > 0 else { continue }
      addOne(of: Array(alternatives.elements), isWhole: isWhole && schema["properties"] == nil)
    }
  }

  private mutating func addOne(of alternatives: [JSONValue], isWhole: Bool) {
    let first = choice.alternative % alternatives.count
    var order = Array(alternatives[first...] + alternatives[..<first])
    let nulls = order.filter(\.asksNull)
    order.removeAll(where: \.asksNull)
    order = choice.isNull ? nulls + order : order + nulls
    for alternative in order where !failed.contains(alternative.byteRange.lowerBound) {
      var attempt = self
      attempt.name = nil
      attempt.add(alternative, isWhole: isWhole)
      guard !attempt.isImpossible || isImpossible else {
        failed = attempt.failed
        failed.insert(alternative.byteRange.lowerBound)
        continue
      }
      attempt.name = attempt.name ?? name
      self = attempt
      return
    }
    isImpossible = true
  }

  // MARK: - What it asks

  func values(of key: String) -> [JSONValue] { parts.compactMap { $0[key] } }

  var isNullable: Bool {
    values(of: "type").allSatisfy(\.namesNull)
      && values(of: "enum").allSatisfy { $0.elements.contains(where: \.isNull) }
      && values(of: "const").allSatisfy(\.isNull)
      && !(parts.contains { $0["properties"] != nil && $0["type"] == nil })
  }

  /// The types in the order of the first list of them; those that the keywords speak of if no
  /// schema names one.
  var types: [String] {
    var types: [String]?
    for value in values(of: "type") {
      let own = value.kind == .array ? value.elements.compactMap(\.string) : [value.string ?? ""]
      guard let known = types else {
        types = own
        continue
      }
      types = known.compactMap { type in
        if own.contains(type) { return type }
        if type == "number", own.contains("integer") { return "integer" }
        return type == "integer" && own.contains("number") ? type : nil
      }
    }
    return types ?? parts.lazy.compactMap(Self.spokenOf).first.map { [$0] } ?? []
  }

  private static let telling: [(keys: [String], type: String)] = [
    (["properties", "required", "additionalProperties", "patternProperties"], "object"),
    (["items", "prefixItems", "minItems", "contains"], "array"),
    (["pattern", "minLength", "maxLength", "format"], "string"),
    (["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], "number"),
  ]

  private static func spokenOf(in part: JSONValue) -> String? {
    telling.first { row in row.keys.contains { part[$0] != nil } }?.type
  }

  /// What all lists of values and all constants allow; `nil` without any.
  var listed: [JSONValue]? {
    let lists =
      values(of: "const").map { [$0] } + values(of: "enum").map { Array($0.elements) }
    guard let first = lists.first else { return nil }
    let types = values(of: "type").isEmpty ? nil : types
    let others = lists.dropFirst().map { Set($0.lazy.map(CanonicalValue.init)) }
    let common = first.filter { value in
      others.allSatisfy { $0.contains(CanonicalValue(value)) }
        && types.map { types in types.contains { value.isOf(type: $0) } } ?? true
    }
    let nonNull = common.filter { !$0.isNull }
    return choice.isNull && nonNull.count < common.count || nonNull.isEmpty ? common : nonNull
  }
}

extension JSONValue {
  /// The part of the same document that `$ref` names.
  func referred(in root: JSONValue) -> JSONValue? {
    guard let reference = self["$ref"]?.string, reference.hasPrefix("#"),
      let pointer = JSONPointer(parsing: String(reference.dropFirst()))
    else { return nil }
    return root.value(at: pointer)
  }

  fileprivate var namesNull: Bool {
    kind == .array ? elements.contains { $0.string == "null" } : string == "null"
  }

  fileprivate var asksNull: Bool { self["type"]?.string == "null" || self["const"]?.isNull == true }

  fileprivate func isOf(type: String) -> Bool {
    switch type {
    case "integer": number?.isInteger ?? false
    default: kind.rawValue == type
    }
  }
}

extension String {
  fileprivate var lastPathComponent: String {
    String(self[(lastIndex(of: "/") ?? startIndex)...].drop { $0 == "/" })
  }
}
