import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Reads the conditions on a request's body: one object of them, or several that all must hold.
struct BodyConditionReader {
  private static let tests = [
    "equals", "contains", "schema", "text", "base64", "matches", "form", "multipart", "not",
  ]
  private static let names = JSONNames(tests + DateCondition.names + ["order", "example"])
  private static let partKeys =
    ConditionReader.keys + ["filename", "contentType", "headers", "body"]
  private static let partNames = JSONNames(partKeys)
  private static let listedPartNames = JSONNames(["name", "parts"] + partKeys)

  let complaints: Complaints

  func read(_ value: JSONValue) -> BodyCondition? {
    guard value.kind == .array else { return object(value) }
    if value.count == 0 {
      complaints.add(
        .badValue, at: value, "no conditions on the body, expected at least one",
        fix: "remove \"body\", or write a condition")
    }
    let all = value.elements.compactMap { object($0) }
    return BodyCondition(
      tests: all.flatMap(\.tests), example: all.lazy.compactMap(\.example).first, source: value)
  }

  private func object(_ value: JSONValue) -> BodyCondition? {
    guard let fields = Fields(value, of: "a body condition", keys: Self.names, complaints)
    else { return nil }
    let condition = BodyCondition(tests: tests(fields), example: fields["example"], source: value)
    if let example = fields["example"] {
      let body = RequestBody(example.compact, at: BodySchema.moment)
      if let difference = condition.firstFailure(in: body)?.difference(from: body) {
        fields.complain(.badValue, "example", "the example has a different \(difference)")
      }
    }
    return condition
  }

  private func tests(_ fields: Fields) -> [BodyCondition.Test] {
    let order = order(fields)
    let dates = fields.present(DateCondition.names).isEmpty ? nil : fields.date()
    return (dates.map { [.date($0)] } ?? [])
      + fields.present(Self.tests).flatMap { key -> [BodyCondition.Test] in
        guard let value = fields[key] else { return [] }
        switch key {
        case "equals": return [.equals(value, order)]
        case "contains": return [.contains(value, order)]
        case "schema":
          return SchemaReader(complaints: complaints).read(value).map { [.schema($0)] } ?? []
        case "text": return fields.string(key).map { [.text($0)] } ?? []
        case "base64": return bytes(fields).map { [.bytes($0)] } ?? []
        case "matches": return patterns(fields).map { .matches($0) }
        case "form": return [.form(ConditionReader(complaints: complaints).readForm(value))]
        case "multipart": return [.multipart(parts(value))]
        default: return read(value).map { [.not($0.tests)] } ?? []
        }
      }
  }

  private func order(_ fields: Fields) -> BodyCondition.ElementOrder {
    guard fields.has("order") else { return .given }
    if !fields.has("equals"), !fields.has("contains") {
      fields.complain(
        .badValue, "order", "an order of array elements needs JSON to compare",
        fix: "add \"equals\" or \"contains\", or remove \"order\"")
    }
    return fields.choice("order") ?? .given
  }

  private func bytes(_ fields: Fields) -> [UInt8]? {
    guard let text = fields.string("base64") else { return nil }
    guard let bytes = Base64.decode(text) else {
      fields.complain(.badValue, "base64", "found a string that is not base64")
      return nil
    }
    return bytes
  }

  private func patterns(_ fields: Fields) -> [Pattern] {
    guard let value = fields["matches"], value.kind == .array else {
      return fields.pattern("matches").map { [$0] } ?? []
    }
    if value.count == 0 {
      fields.complain(.badValue, "matches", "no patterns, expected at least one")
    }
    return value.elements.compactMap { fields.pattern(in: $0) }
  }

  private func parts(_ value: JSONValue) -> [PartCondition] {
    if value.kind == .array {
      if value.count == 0 {
        complaints.add(.badValue, at: value, "no conditions on parts, expected at least one")
      }
      return value.elements.compactMap { listedPart($0) }
    }
    let parts = Fields.named(value, of: "conditions by part", complaints).compactMap { member in
      part(member.key, member.value)
    }
    let names = parts.map(\.text.name).filter { $0 != Condition.otherNames }
    return parts.map { part in
      guard case .noOthers = part.text.test else { return part }
      let text = Condition(.multipart, part.text.name, .noOthers(names), source: part.text.source)
      return PartCondition(named: text.name, text: text)
    }
  }

  private func part(_ name: String, _ value: JSONValue) -> PartCondition? {
    let reader = ConditionReader(complaints: complaints)
    guard value.kind == .object, name != Condition.otherNames else {
      return reader.condition(.multipart, name, value).map {
        PartCondition(named: name, text: $0)
      }
    }
    return Fields(value, of: "a condition on a part", keys: Self.partNames, complaints)
      .flatMap { part(named: name, isOfAll: false, $0) }
  }

  private func listedPart(_ value: JSONValue) -> PartCondition? {
    guard
      let fields = Fields(
        value, of: "a condition on a part", keys: Self.listedPartNames, complaints)
    else { return nil }
    let choice: PartChoice = fields.choice("parts") ?? .any
    return part(named: fields.string("name"), isOfAll: choice == .all, fields)
  }

  private enum PartChoice: String, CaseIterable {
    case any, all
  }

  private func part(named name: String?, isOfAll: Bool, _ fields: Fields) -> PartCondition? {
    let reader = ConditionReader(complaints: complaints)
    guard let text = reader.condition(.multipart, name ?? "", fields) else { return nil }
    func inner(_ key: String) -> Condition? {
      fields[key].flatMap { reader.condition(.multipart, name ?? "", $0) }
    }
    let headers = fields["headers"].map { value in
      Fields.named(value, of: "conditions by header", complaints).compactMap {
        reader.condition(.header, $0.key, $0.value)
      }
    }
    return PartCondition(
      named: name, isOfAll: isOfAll, text: text, filename: inner("filename"),
      contentType: inner("contentType"), headers: headers ?? [],
      body: fields["body"].flatMap { read($0) })
  }
}
