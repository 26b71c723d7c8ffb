import UnderstudyJSON

extension RecordedCase {
  func writeWhen(to object: inout JSONWriter) {
    guard !when.isEmpty else { return }
    object.key("when")
    object.object { condition in
      condition.key("request")
      condition.object { request in
        write(when.filter { !FormTraits.isKey($0.key) }, to: &request)
        let ofBody = when.filter { FormTraits.isKey($0.key) }
        guard !ofBody.isEmpty else { return }
        request.key("body")
        request.object { writeBody(ofBody, to: &$0) }
      }
    }
  }

  /// All conditions on the body are in one object.
  private func writeBody(
    _ conditions: [(key: String, trait: RecordedTrait)], to body: inout JSONWriter
  ) {
    for case (_, .body(let json)) in conditions {
      guard let condition = try? JSONDocument(parsing: json) else { continue }
      for member in condition.root.members {
        body.key(member.key)
        body.value(member.value)
      }
    }
    for part in ["form", "multipart"] {
      let fields = conditions.filter { $0.key.hasPrefix("\(part).") }
      guard !fields.isEmpty else { continue }
      body.key(part)
      body.object { write(fields, namedAfter: "\(part).", to: &$0) }
    }
  }

  private func write(
    _ conditions: [(key: String, trait: RecordedTrait)], namedAfter prefix: String = "",
    to object: inout JSONWriter
  ) {
    for (key, trait) in conditions {
      object.key(String(key.dropFirst(prefix.count)))
      switch trait {
      case .values(let values): object.strings(values, isArray: repeatedKeys.contains(key))
      case .present, .body: object.object { _ in }
      case .absent:
        object.object { absent in
          absent.key("absent")
          absent.bool(true)
        }
      case .file(let name, let text):
        object.object { file in
          if let text { file.member("equals", text) }
          file.member("filename", name)
        }
      }
    }
  }
}
