import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

/// Translates what WireMock asks of a body into body conditions.
struct WireMockBody {
  typealias Unusable = WireMockStub.Unusable

  private(set) var conditions: [JSONText] = []
  private(set) var notes: [(kind: ImportNote.Kind, pointer: String, reason: String)] = []

  init(_ request: JSONValue) throws(Unusable) {
    for (index, pattern) in (request["bodyPatterns"] ?? .null).elements.enumerated() {
      conditions.append(try condition(pattern, "/request/bodyPatterns/\(index)"))
    }
    if let form = request["formParameters"] {
      var fields: [(String, JSONText?)] = []
      for member in form.members {
        let place = "/request/formParameters/\(member.key.escapedForPointer)"
        fields.append((member.key, try WireMockMatcher(pointer: place).condition(member.value)))
      }
      conditions.append(["form": .object(fields)])
    }
    for (index, part) in (request["multipartPatterns"] ?? .null).elements.enumerated() {
      conditions.append(try multipart(part, "/request/multipartPatterns/\(index)"))
    }
  }

  /// The conditions as the contract writes them: one object, or several.
  var written: JSONText? {
    guard conditions.count > 1 else { return conditions.first }
    return .array(conditions)
  }

  private mutating func condition(
    _ pattern: JSONValue, _ pointer: String
  ) throws(Unusable) -> JSONText {
    tests: for member in pattern.members {
      let place = "\(pointer)/\(member.key.escapedForPointer)"
      switch member.key {
      case "equalToJson": return try equalToJSON(pattern, member.value, place)
      case "matchesJsonPath": return try jsonPath(member.value, place)
      case "matchesJsonSchema": return try schema(member.value, pattern, place)
      case "equalTo":
        guard pattern["caseInsensitive"]?.bool != true else { break tests }
        return ["text": .string(try text(member, place))]
      case "binaryEqualTo": return ["base64": .string(try text(member, place))]
      case "equalToXml", "matchesXPath":
        throw Unusable(place, "a contract has no conditions on XML")
      case "absent":
        return ["text": ""]
      case "and":
        var inner: [JSONText] = []
        for (index, element) in member.value.elements.enumerated() {
          inner.append(try condition(element, "\(place)/\(index)"))
        }
        guard let last = inner.popLast() else { throw Unusable(place, "the matcher is empty") }
        conditions += inner
        return last
      case "not":
        return ["not": try condition(member.value, place)]
      default:
        // If there are several tests, the first counts.
        if StubForm.isTest(member.key) { break tests }
      }
    }
    return try asText(WireMockMatcher(pointer: pointer).condition(pattern), pointer)
  }

  private func text(_ member: JSONMember, _ place: String) throws(Unusable) -> String {
    guard let text = member.value.string else {
      throw Unusable(place, "\(member.key) is not a string")
    }
    return text
  }

  /// A condition on a parameter as one on the text of a body.
  private func asText(_ condition: JSONText, _ pointer: String) throws(Unusable) -> JSONText {
    guard let value = condition.root else { throw Unusable(pointer, "the matcher is empty") }
    if let text = value.string { return ["text": .string(text)] }
    guard value.kind == .object else { throw Unusable(pointer, "a body has one value") }
    var members: [(String, JSONText?)] = []
    for member in value.members {
      switch member.key {
      case "equals": members.append(("text", .value(member.value)))
      case "matches": members.append(("matches", .value(member.value)))
      case "oneOf":
        let choices = member.value.elements.compactMap(\.string).map { JavaPattern.escaped($0) }
        members.append(("matches", .string("^(?:\(choices.joined(separator: "|")))$")))
      case "not":
        members.append(("not", try asText(.value(member.value), pointer)))
      case let key where DateCondition.names.contains(key):
        members.append((key, .value(member.value)))
      case "optional", "absent": continue
      default: throw Unusable(pointer, "a body has no condition like \(member.key)")
      }
    }
    guard !members.isEmpty else { return ["matches": ""] }
    return .object(members)
  }

  // MARK: - JSON

  /// The JSON of a matcher, which may be written as a string.
  private mutating func json(
    _ value: JSONValue, _ name: String, _ place: String
  ) throws(Unusable) -> JSONValue {
    guard let text = value.string else { return value }
    guard let (read, dropped) = (try? JSONDocument(parsing: text))?.withoutDuplicateKeys() else {
      throw Unusable(place, "\(name) is not JSON")
    }
    notes += FormProblem.repeated(dropped).map { (.leftOut, place, $0.reason) }
    return read.root
  }

  private mutating func equalToJSON(
    _ pattern: JSONValue, _ expected: JSONValue, _ place: String
  ) throws(Unusable) -> JSONText {
    let json = try json(expected, "equalToJson", place)
    let isOpen = pattern["ignoreExtraElements"]?.bool == true
    let isUnordered = pattern["ignoreArrayOrder"]?.bool == true
    if json.hasPlaceholder {
      if isUnordered, json.hasLongArray {
        throw Unusable(place, "a schema with placeholders compares arrays in their order")
      }
      return ["schema": try placeholderSchema(json, isOpen, place)]
    }
    return .object([
      (isOpen ? "contains" : "equals", .value(json)),
      ("order", isUnordered && json.hasLongArray ? .string("any") : nil),
    ])
  }

  /// `${json-unit.any-string}` and its like.
  private func placeholderSchema(
    _ json: JSONValue, _ isOpen: Bool, _ place: String
  ) throws(Unusable) -> JSONText {
    switch json.kind {
    case .object:
      var properties: [(String, JSONText?)] = []
      for member in json.members {
        properties.append((member.key, try placeholderSchema(member.value, isOpen, place)))
      }
      return [
        "type": "object", "required": .strings(json.members.map(\.key)),
        "properties": .object(properties), "additionalProperties": isOpen ? nil : .bool(false),
      ]
    case .array:
      var items: [JSONText] = []
      for element in json.elements { items.append(try placeholderSchema(element, isOpen, place)) }
      return [
        "type": "array", "prefixItems": .array(items), "minItems": .int(items.count),
        "items": isOpen ? nil : .bool(false),
      ]
    default:
      guard let text = json.string, text.hasPrefix(JSONValue.placeholderStart) else {
        return ["const": .value(json)]
      }
      let name = text.dropFirst(JSONValue.placeholderStart.count).prefix { $0 != "}" }
      switch name {
      case "ignore", "ignore-element": return .emptyObject
      case "any-string": return ["type": "string"]
      case "any-number": return ["type": "number"]
      case "any-boolean": return ["type": "boolean"]
      case "regex":
        let source = String(text.dropFirst(JSONValue.placeholderStart.count + "regex}".count))
        return ["type": "string", "pattern": .string(try WireMockMatcher.pattern(source, place))]
      default: throw Unusable(place, "the placeholder \(text) has no meaning here")
      }
    }
  }

  private mutating func jsonPath(_ value: JSONValue, _ place: String) throws(Unusable) -> JSONText {
    if let text = value.string {
      return ["schema": try WireMockJSONPath(text, place).schema()]
    }
    guard let expression = value["expression"]?.string else {
      throw Unusable(place, "the matcher has no expression")
    }
    let path = try WireMockJSONPath(expression, place)
    // Nothing is found in what is no JSON, either, but no body is no match.
    if value["absent"] != nil {
      return ["matches": ".", "not": ["schema": try path.schema()]]
    }
    if let expected = value["equalToJson"] {
      let json = try json(expected, "equalToJson", "\(place)/equalToJson")
      if value["ignoreArrayOrder"]?.bool == true, json.hasLongArray {
        throw Unusable(place, "a schema cannot compare JSON in any order")
      }
      let isOpen = value["ignoreExtraElements"]?.bool == true
      return ["schema": try path.schema(where: placeholderSchema(json, isOpen, place))]
    }
    let condition = try WireMockMatcher(pointer: place, ignoring: "expression").condition(value)
    return ["schema": try path.schema(where: leaf(condition, place))]
  }

  /// A schema of values whose text meets a condition.
  private mutating func leaf(_ condition: JSONText, _ place: String) throws(Unusable) -> JSONText {
    guard let value = condition.root else { throw Unusable(place, "the matcher is empty") }
    func const(_ text: String) -> JSONText {
      // Numbers and booleans are compared as text.
      guard let other = (try? JSONDocument(parsing: text))?.root,
        [.number, .boolean].contains(other.kind)
      else { return ["const": .string(text)] }
      return ["enum": [.string(text), .value(other)]]
    }
    if let text = value.string { return const(text) }
    guard value.kind == .object else { throw Unusable(place, "a value of JSON is one value") }
    var (all, dates): ([JSONText], [(String, JSONText?)]) = ([], [])
    for member in value.members {
      switch member.key {
      case "equals": all.append(const(member.value.string ?? ""))
      case "oneOf": all.append(["enum": .value(member.value)])
      case "matches":
        notes.append((.narrowed, place, "a schema does not compare numbers as text"))
        all.append(
          ["type": "string", "pattern": .value(member.value)])
      case "not": all.append(["not": try leaf(.value(member.value), place)])
      case let key where DateCondition.names.contains(key):
        dates.append((key, .value(member.value)))
      case "absent": continue
      default: throw Unusable(place, "a schema has no condition like \(member.key)")
      }
    }
    if !dates.isEmpty { all.append(["type": "string", "x-date": .object(dates)]) }
    guard all.count > 1 else { return all.first ?? .emptyObject }
    return ["allOf": .array(all)]
  }

  private mutating func schema(
    _ value: JSONValue, _ pattern: JSONValue, _ place: String
  ) throws(Unusable) -> JSONText {
    let schema = try json(value, "the schema", place)
    let version = pattern["schemaVersion"]?.string ?? schema["$schema"]?.string ?? ""
    guard version.isEmpty || version.contains("2020") || version.contains("2019") else {
      notes.append((.widened, place, "the schema is read as draft 2020-12"))
      return ["schema": schema.asNewDraft]
    }
    return ["schema": .value(schema)]
  }

  // MARK: - Forms

  private mutating func multipart(
    _ part: JSONValue, _ pointer: String
  ) throws(Unusable) -> JSONText {
    let name = part["name"]?.string ?? part.dispositionName
    let isOfAll = part["matchingType"]?.string == "ALL"
    var members: [(String, JSONText?)] = []
    var headers: [(String, JSONText?)] = []
    for member in (part["headers"] ?? .null).members {
      let place = "\(pointer)/headers/\(member.key.escapedForPointer)"
      switch member.key.lowercased() {
      case "content-type":
        members.append(
          ("contentType", try WireMockMatcher(pointer: place).condition(member.value)))
      case "content-disposition" where part.dispositionName != nil: continue
      default:
        headers.append((member.key, try WireMockMatcher(pointer: place).condition(member.value)))
      }
    }
    var inner: [JSONText] = []
    for (index, pattern) in (part["bodyPatterns"] ?? .null).elements.enumerated() {
      inner.append(try condition(pattern, "\(pointer)/bodyPatterns/\(index)"))
    }
    members.append(("headers", headers.isEmpty ? nil : .object(headers)))
    members.append(("body", inner.isEmpty ? nil : inner.count == 1 ? inner[0] : .array(inner)))
    if let name, !isOfAll { return ["multipart": [name: .object(members)]] }
    let choice: [(String, JSONText?)] = [
      ("name", name.map { .string($0) }), ("parts", isOfAll ? "all" : nil),
    ]
    return ["multipart": [.object(choice + members)]]
  }
}

extension JSONValue {
  fileprivate static let placeholderStart = "${json-unit."

  fileprivate var hasPlaceholder: Bool {
    has { $0.string?.hasPrefix(Self.placeholderStart) == true }
  }

  fileprivate var hasLongArray: Bool { has { $0.kind == .array && $0.count > 1 } }

  /// Whether a value in it, or itself, is meant.
  func has(_ isMeant: (JSONValue) -> Bool) -> Bool {
    var pending = [self]
    while let value = pending.popLast() {
      if isMeant(value) { return true }
      if value.kind == .array { pending += value.elements }
      if value.kind == .object { pending += value.members.map(\.value) }
    }
    return false
  }

  /// The name in `Content-Disposition: contains name="photo"`.
  fileprivate var dispositionName: String? {
    let header = self["headers"]?.members.first { $0.key.lowercased() == "content-disposition" }
    let text = header?.value["contains"]?.string ?? header?.value["equalTo"]?.string ?? ""
    guard let start = text.utf8.firstRange(ofBytes: "name=\"".utf8)?.upperBound else { return nil }
    return String(text[start...].prefix { $0 != "\"" })
  }

  /// A schema of an older draft with the keywords of 2020-12.
  fileprivate var asNewDraft: JSONText {
    switch kind {
    case .array: return .array(elements.map(\.asNewDraft))
    case .object:
      var written: [(String, JSONText?)] = []
      for member in members {
        switch member.key {
        case "definitions": written.append(("$defs", member.value.asNewDraft))
        case "id" where member.value.kind == .string, "$schema": continue
        case "$ref":
          let text = member.value.string ?? ""
          written.append(("$ref", .string(text.replacing("#/definitions/", with: "#/$defs/"))))
        case "exclusiveMinimum" where member.value.kind == .boolean,
          "exclusiveMaximum" where member.value.kind == .boolean:
          let limit = member.key == "exclusiveMinimum" ? self["minimum"] : self["maximum"]
          if member.value.bool == true { written.append((member.key, limit.map { .value($0) })) }
        case "minimum" where self["exclusiveMinimum"]?.bool == true,
          "maximum" where self["exclusiveMaximum"]?.bool == true:
          continue
        case "items" where member.value.kind == .array:
          written.append(("prefixItems", member.value.asNewDraft))
        case "additionalItems":
          guard self["items"]?.kind == .array else { continue }
          written.append(("items", member.value.asNewDraft))
        default: written.append((member.key, member.value.asNewDraft))
        }
      }
      return .object(written)
    default: return .value(self)
    }
  }
}
