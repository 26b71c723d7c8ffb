import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Reads conditions on the parameters of a request, in `request`, in `when`, and on the fields of a
/// form.
struct ConditionReader {
  static let keys = tests + DateCondition.names + ["not", "optional", "example"]

  private static let tests = ["equals", "oneOf", "matches", "absent"]
  private static let names = JSONNames(keys)

  let complaints: Complaints
  /// The query parameters that the contract itself names, when conditions of a case are read.
  var queryNames: [String] = []

  /// Conditions by `path.NAME`, `query.NAME` and `header.NAME`. Other keys are reported, except
  /// `skipping`, which the caller reads.
  func read(_ value: JSONValue, skipping: String? = nil) -> [Condition] {
    let conditions = Fields.named(value, of: "conditions by parameter", complaints).compactMap {
      member -> Condition? in
      let key = member.key
      if key == skipping { return nil }
      let dot = key.utf8.firstIndex(of: UInt8(ascii: ".")) ?? key.endIndex
      let name = Substring(key.utf8[dot...].dropFirst())
      let parts = Condition.Part.ofParameters
      guard let part = parts.first(where: { $0.rawValue == key[..<dot] }), !name.isEmpty else {
        complaints.add(
          .badName, atKeyOf: member,
          "found key \"\(member.key)\", expected path.NAME, query.NAME or header.NAME",
          fix: name.isEmpty
            ? "write \"query.NAME\" with the name of the parameter"
            : Spelling.nearest(to: String(member.key[..<dot]), among: parts.map(\.rawValue))
              .map { "did you mean \"\($0).\(name)\"?" })
        return nil
      }
      guard part != .header || HeaderText.isName(String(name)) else {
        complaints.add(
          .badName, atKeyOf: member,
          "found header \"\(name)\", expected a name of letters, digits and dashes")
        return nil
      }
      let condition = condition(part, String(name), member.value)
      if let condition { scanForSecrets(condition) }
      return condition
    }
    return conditions.map { resolved($0, beside: conditions, queryNames) }
  }

  /// Conditions on the fields of a form, by their names.
  func readForm(_ value: JSONValue) -> [Condition] {
    let conditions = Fields.named(value, of: "conditions by field", complaints).compactMap {
      condition(.form, $0.key, $0.value)
    }
    return conditions.map { resolved($0, beside: conditions) }
  }

  /// A condition on all others knows the names of these.
  private func resolved(
    _ condition: Condition, beside conditions: [Condition], _ others: [String] = []
  ) -> Condition {
    guard case .noOthers = condition.test else { return condition }
    let names = conditions.filter { $0.part == condition.part && $0 !== condition }.map(\.name)
    return Condition(
      condition.part, condition.name, .noOthers(names + others), source: condition.source)
  }

  private func scanForSecrets(_ condition: Condition) {
    guard condition.part == .header else { return }
    let scan = SecretScan(complaints: complaints)
    for value in condition.test.namedValues ?? [] {
      let place = condition.source["equals"] ?? condition.source["oneOf"] ?? condition.source
      scan.scan(header: condition.name, value: value, at: place)
    }
    for example in condition.example ?? [] {
      scan.scan(
        header: condition.name, value: example,
        at: condition.source["example"] ?? condition.source)
    }
    if let exclusion = condition.exclusion { scanForSecrets(exclusion) }
  }

  func condition(_ part: Condition.Part, _ name: String, _ value: JSONValue) -> Condition? {
    if name == Condition.otherNames, [.query, .form, .multipart].contains(part) {
      return others(part, value)
    }
    if let text = value.string {
      return Condition(part, name, .equals(text), source: value)
    }
    if Self.isRepeatable(part), value.kind == .array {
      return texts(value).map { Condition(part, name, .values($0), source: value) }
    }
    if value.kind == .number || value.kind == .boolean {
      let text = String(decoding: value.compact, as: UTF8.self)
      complaints.add(
        .wrongType, at: value, "found \(value.summary), expected string or an object of conditions",
        fix: "put it in quotes: \"\(text)\"")
      return nil
    }
    guard let fields = Fields(value, of: "a condition", keys: Self.names, complaints)
    else { return nil }
    return condition(part, name, fields)
  }

  /// The condition in an object, which may have keys of the caller's own.
  func condition(_ part: Condition.Part, _ name: String, _ fields: Fields) -> Condition? {
    let dates = fields.present(DateCondition.names)
    fields.atMostOne(of: Self.tests + dates.prefix(1))
    guard let test = dates.isEmpty ? test(fields, part) : fields.date().map({ .date($0) }) else {
      return nil
    }
    let exclusion = fields["not"].flatMap { condition(part, name, $0) }
    if fields.has("not"), exclusion == nil { return nil }
    if fields.bool("optional") == true, part == .path {
      fields.complain(
        .badValue, "optional",
        "found an optional path parameter, expected one that is always present",
        fix: "add the path without it to \"also\"")
    }
    // An absent value is never the excluded one.
    let isExclusionOnly = exclusion != nil && dates.isEmpty && fields.first(of: Self.tests) == nil
    let read = Condition(
      part, name, test, except: exclusion,
      isOptional: fields.bool("optional") ?? isExclusionOnly,
      example: fields["example"].flatMap { example in
        Self.isRepeatable(part) && example.kind == .array
          ? texts(example) : fields.string("example").map { [$0] }
      }, source: fields.source)
    if let example = read.example, !read.accepts(all: example, at: BodySchema.moment) {
      let shown = example.map { "\"\($0)\"" }.joined(separator: ", ")
      fields.complain(
        .badValue, "example", "found example \(shown), expected \(read.expectation)")
    }
    return read
  }

  /// `"query.*": { "absent": true }`
  private func others(_ part: Condition.Part, _ value: JSONValue) -> Condition? {
    guard value.count == 1, value["absent"]?.bool == true else {
      complaints.add(
        .badValue, at: value,
        "found \(value.summary) for all that have no condition, expected { \"absent\": true }",
        fix: "write { \"absent\": true }, or name the one that you mean")
      return nil
    }
    return Condition(part, Condition.otherNames, .noOthers([]), source: value)
  }

  /// Whether a name can have several values.
  private static func isRepeatable(_ part: Condition.Part) -> Bool {
    part == .query || part == .form
  }

  /// The values of a repeated parameter.
  private func texts(_ value: JSONValue) -> [String]? {
    let texts = value.elements.compactMap(\.string)
    guard texts.count == value.count, !texts.isEmpty else {
      complaints.add(
        .badValue, at: value, "found \(value.summary), expected an array of at least one string")
      return nil
    }
    return texts
  }

  private func test(_ fields: Fields, _ part: Condition.Part) -> Condition.Test? {
    switch fields.first(of: Self.tests) {
    case "equals":
      if Self.isRepeatable(part), let values = fields["equals"], values.kind == .array {
        return texts(values).map { .values($0) }
      }
      return fields.string("equals").map { .equals($0) }
    case "oneOf":
      guard let value = fields["oneOf"], let values = fields.strings("oneOf") else {
        return nil
      }
      if value.kind == .array, value.count == 0 {
        fields.complain(.badValue, "oneOf", "no values, expected at least one")
      }
      return !values.isEmpty && value.count == values.count ? .oneOf(values) : nil
    case "matches": return fields.pattern("matches").map { .matches($0) }
    case "absent": return fields.bool("absent").map { $0 ? .absent : .present }
    default: return .present
    }
  }
}
