import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Reads a contract's `request`, and the conditions of `when`, which have the same form.
struct RequestReader {
  static let keys = ["method", "path", "also", "parameters", "body"]
  static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  private static let names = JSONNames(keys)
  private static let tests = ["equals", "oneOf", "matches", "absent"]
  private static let conditionNames = JSONNames(tests + ["optional", "example"])
  private static let bodyTests = ["equals", "contains", "schema", "text", "matches"]
  private static let bodyNames = JSONNames(bodyTests + ["example"])

  let complaints: Complaints

  /// `nil` when method or path are not usable.
  func read(_ value: JSONValue) -> RequestPattern? {
    guard let fields = Fields(value, of: "a request", keys: Self.names, complaints) else {
      return nil
    }
    let method = method(fields)
    let paths = paths(fields)
    let parameters = fields["parameters"].map { conditions($0) } ?? []
    let body = fields["body"].flatMap { self.body($0) }
    guard let method, !paths.isEmpty else { return nil }
    return RequestPattern(method: method, paths: paths, parameters: parameters, body: body)
  }

  private func method(_ fields: Fields) -> String? {
    guard let value = fields.require("method"), let method = fields.string("method") else {
      return nil
    }
    guard Self.methods.contains(method) else {
      complaints.add(
        .badValue, at: value,
        "found method \"\(method)\", expected one of \(Self.methods.joined(separator: ", "))",
        fix: Self.methods.contains(method.uppercased())
          ? "write it in capitals: \"\(method.uppercased())\""
          : Spelling.suggestion(for: method, among: Self.methods))
      return nil
    }
    return method
  }

  private func paths(_ fields: Fields) -> [PathTemplate] {
    guard let first = fields.require("path") else { return [] }
    let others = fields["also"].map { Array($0.elements) } ?? []
    if fields.has("also") { _ = fields.strings("also") }
    _ = fields.string("path")
    let values: [JSONValue] = [first] + others
    return values.compactMap { value -> PathTemplate? in
      guard let text = value.string else { return nil }
      do throws(Failure) {
        return try PathTemplate(parsing: text)
      } catch {
        complaints.add(.badPath, at: value, error.message, fix: error.fix)
        return nil
      }
    }
  }
}

extension RequestReader {
  /// Conditions by `path.NAME`, `query.NAME` and `header.NAME`. Other keys are reported, except
  /// `skipping`, which the caller reads.
  func conditions(_ value: JSONValue, skipping: String? = nil) -> [Condition] {
    Fields.named(value, of: "conditions by parameter", complaints).compactMap { member in
      let key = member.key
      if key == skipping { return nil }
      let dot = key.utf8.firstIndex(of: UInt8(ascii: ".")) ?? key.endIndex
      let name = Substring(key.utf8[dot...].dropFirst())
      guard let part = Condition.Part(rawValue: String(key[..<dot])), !name.isEmpty else {
        complaints.add(
          .badName, atKeyOf: member,
          "found key \"\(member.key)\", expected path.NAME, query.NAME or header.NAME",
          fix: name.isEmpty
            ? "write \"query.NAME\" with the name of the parameter"
            : Spelling.nearest(
              to: String(member.key[..<dot]), among: Condition.Part.allCases.map(\.rawValue)
            ).map { "did you mean \"\($0).\(name)\"?" })
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
  }

  private func condition(
    _ part: Condition.Part, _ name: String, _ value: JSONValue
  ) -> Condition? {
    if let text = value.string {
      return Condition(part, name, .equals(text), source: value)
    }
    if part == .query, value.kind == .array {
      return texts(value).map { Condition(part, name, .values($0), source: value) }
    }
    if value.kind == .number || value.kind == .boolean {
      let text = String(decoding: value.compact, as: UTF8.self)
      complaints.add(
        .wrongType, at: value, "found \(value.summary), expected string or an object of conditions",
        fix: "put it in quotes: \"\(text)\"")
      return nil
    }
    guard let fields = Fields(value, of: "a condition", keys: Self.conditionNames, complaints)
    else { return nil }
    fields.atMostOne(of: Self.tests)
    guard let test = test(fields, part) else { return nil }
    if fields.bool("optional") == true, part == .path {
      fields.complain(
        .badValue, "optional",
        "found an optional path parameter, expected one that is always present",
        fix: "add the path without it to \"also\"")
    }
    let condition = Condition(
      part, name, test, isOptional: fields.bool("optional") ?? false,
      example: fields["example"].flatMap { example in
        part == .query && example.kind == .array
          ? texts(example) : fields.string("example").map { [$0] }
      }, source: value)
    if let example = condition.example, !condition.accepts(all: example) {
      let shown = example.map { "\"\($0)\"" }.joined(separator: ", ")
      fields.complain(.badValue, "example", "found example \(shown), expected \(test.expectation)")
    }
    return condition
  }

  /// The values of a repeated query parameter.
  private func texts(_ value: JSONValue) -> [String]? {
    let texts = value.elements.compactMap(\.string)
    guard texts.count == value.count, !texts.isEmpty else {
      complaints.add(
        .badValue, at: value, "found \(value.summary), expected an array of at least one string")
      return nil
    }
    return texts
  }

  private func test(
    _ fields: Fields, _ part: Condition.Part
  ) -> Condition.Test? {
    switch fields.first(of: Self.tests) {
    case "equals":
      if part == .query, let values = fields["equals"], values.kind == .array {
        return texts(values).map { .values($0) }
      }
      return fields.string("equals").map { .equals($0) }
    case "oneOf":
      guard let value = fields["oneOf"], let values = fields.strings("oneOf") else {
        return nil
      }
      if value.kind == .array, value.count == 0 {
        fields.complain(.badValue, "oneOf", "found no values, expected at least one")
      }
      return !values.isEmpty && value.count == values.count ? .oneOf(values) : nil
    case "matches": return fields.pattern("matches").map { .matches($0) }
    case "absent":
      if fields.bool("absent") == false {
        fields.complain(.badValue, "absent", "found false, expected true or no \"absent\" at all")
      }
      return .absent
    default: return .present
    }
  }

  func body(_ value: JSONValue) -> BodyCondition? {
    guard let fields = Fields(value, of: "a body condition", keys: Self.bodyNames, complaints)
    else { return nil }
    let read = fields.present(Self.bodyTests).compactMap { key -> BodyCondition.Test? in
      switch key {
      case "equals": fields[key].map { .equals($0) }
      case "contains": fields[key].map { .contains($0) }
      case "schema":
        fields[key].flatMap { SchemaReader(complaints: complaints).read($0) }
          .map { .schema($0) }
      case "text": fields.string(key).map { .text($0) }
      default: fields.pattern(key).map { .matches($0) }
      }
    }
    let condition = BodyCondition(tests: read, example: fields["example"], source: value)
    if let example = fields["example"] {
      let body = RequestBody(example.compact)
      if let difference = condition.firstFailure(in: body)?.difference(from: body) {
        fields.complain(.badValue, "example", "found an example with a different \(difference)")
      }
    }
    return condition
  }
}
