import UnderstudyJSON

extension RecordedCase {
  /// Its `when`.
  var condition: JSONText? {
    guard !when.isEmpty else { return nil }
    let ofBody = when.filter { FormTraits.isKey($0.key) }
    return [
      "request": .object(
        members(when.filter { !FormTraits.isKey($0.key) })
          + [("body", ofBody.isEmpty ? nil : bodyCondition(ofBody))])
    ]
  }

  /// All conditions on the body are in one object.
  private func bodyCondition(_ conditions: [(key: String, trait: RecordedTrait)]) -> JSONText {
    var body: JSONObject = [:]
    for case (_, .body(let key, let value)) in conditions { body[key] = value }
    for part in ["form", "multipart"] {
      let fields = conditions.filter { $0.key.hasPrefix("\(part).") }
      if !fields.isEmpty { body[part] = .object(members(fields, namedAfter: "\(part).")) }
    }
    return body.text
  }

  private func members(
    _ conditions: [(key: String, trait: RecordedTrait)], namedAfter prefix: String = ""
  ) -> [(key: String, value: JSONText?)] {
    conditions.map { key, trait in
      let condition: JSONText =
        switch trait {
        case .values(let values):
          repeatedKeys.contains(key) ? .strings(values) : .oneOrMore(values)
        case .present, .body: [:]
        case .absent: ["absent": true]
        case .file(let name, let text):
          ["equals": text.map { .string($0) }, "filename": .string(name)]
        }
      return (String(key.dropFirst(prefix.count)), condition)
    }
  }
}
