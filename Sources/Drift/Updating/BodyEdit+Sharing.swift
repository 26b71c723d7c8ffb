import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

extension BodyEdit {
  /// Whether the schema at a place also applies elsewhere: to other paths, or to the examples or
  /// responses of other cases.
  func isShared(_ keyword: JSONPointer) -> Bool {
    sharedBodies.contains { $0.pointer != body } || isSharedByLiveCases(keyword)
  }

  /// Whether it also applies elsewhere to what only a response can tell, such as the body of
  /// another live case.
  func isSharedByLiveCases(_ keyword: JSONPointer) -> Bool {
    if sharedBodies.contains(where: \.isLive) { return true }
    guard let schema, let source = document.root.value(at: schema) else { return false }
    let place = Array(keyword.tokens.dropFirst(schema.tokens.count))
    let references = source.references.filter { place.starts(with: $0.tokens) }.count
    return references > (place.contains("$defs") ? 1 : 0)
  }

  /// What the current schema has against a body.
  func complaints(about body: JSONValue, _ now: Moment) -> [SchemaComplaint] {
    schema.flatMap(document.root.value(at:)).flatMap { BodySchema.compiled($0, now: now) }?
      .complaints(about: body, max: BodySchema.complaintsMax) ?? []
  }

  /// Whether a keyword is in an alternative selected by a constant that the value does not have.
  func isOfOtherKind(
    _ keyword: JSONPointer, _ path: [BodyStep], _ differences: [Difference]
  ) -> Bool {
    for length in 0...path.count {
      let alternatives = view(at: Array(path.prefix(length))).alternatives
      guard alternatives.count > 1 else { continue }
      let names = alternatives.flatMap(\.constants)
      for alternative in alternatives {
        let pointer = alternative.pointer
        guard keyword.tokens.starts(with: pointer.tokens) else { continue }
        let telling = alternative.constants.filter { name in names.count { $0 == name } > 1 }
        let isRefused = differences.contains { difference in
          guard let other = difference.schemaPointer?.tokens, let name = difference.path?.last?.name
          else { return false }
          return telling.contains(name) && other.starts(with: pointer.tokens)
            && ["const", "enum"].contains(other.last)
        }
        if isRefused { return true }
      }
    }
    return false
  }

  /// The place where the schema lists the members of an object at a path: in the alternative that
  /// the object matches.
  func properties(at path: [BodyStep], of object: JSONValue?) -> JSONPointer? {
    let view = view(at: path)
    let parts = view.parts.filter { $0["properties"] != nil }
    let alternatives = Set(view.alternatives.map(\.byteRange))
    let sure = parts.first { !alternatives.contains($0.byteRange) }
    let fitting = parts.filter { part in
      alternatives.contains(part.byteRange) && object.map { fulfils($0, part) } ?? false
    }
    return (fitting.count == 1 ? fitting[0] : sure)?.pointer.appending("properties")
  }

  private func fulfils(_ value: JSONValue, _ part: JSONValue) -> Bool {
    let definitions = schema.flatMap { document.root.value(at: $0) }?["$defs"]
    let text = #"{ "$defs": \#(definitions?.text ?? "{}"), "allOf": [\#(part.text)] }"#
    guard let source = try? JSONDocument(parsing: text),
      let schema = BodySchema.compiled(source.root, now: now)
    else { return false }
    return schema.accepts(value)
  }
}

extension JSONValue {
  /// The targets of the references in a schema.
  fileprivate var references: [JSONPointer] {
    let own = self["$ref"]?.string.flatMap { target in
      target.hasPrefix("#") ? JSONPointer(parsing: String(target.dropFirst())) : nil
    }
    let children = kind == .array ? Array(elements) : members.map(\.value)
    return (own.map { [$0] } ?? []) + children.flatMap(\.references)
  }

  /// The members that a schema allows only one value.
  fileprivate var constants: [String] {
    self["properties"]?.members.filter { member in
      member.value["const"] != nil || member.value["enum"]?.count == 1
    }.map(\.key) ?? []
  }
}
