import ContractModel
import Findings
import JSON
import JSONSchema

/// The edits of one body's schema and examples in a contract's document.
struct BodyEdit {
  var document: JSONDocument
  let found: JSONValue
  let body: JSONPointer
  let schema: JSONPointer?
  let isTemplated: Bool
  let now: Double
  /// Bodies of other cases that are held against the same schema.
  var sharedBodies: [JSONPointer] = []
  /// Why something at a path could not be taken over.
  private(set) var obstacles: [[String]: String] = [:]

  init(
    document: JSONDocument, found: JSONValue, body: JSONPointer, schema: JSONPointer?,
    isTemplated: Bool, now: Double
  ) {
    self.document = document
    self.found = found
    self.body = body
    self.schema = schema
    self.isTemplated = isTemplated
    self.now = now
  }

  /// What is still different.
  var differences: [Difference] { comparison?.differences ?? [] }

  var comparison: BodyComparison? {
    guard let example = document.root.value(at: body) else { return nil }
    return BodyComparison(
      of: found, to: example, isTemplated: isTemplated,
      schema: schema.flatMap(document.root.value(at:)), complaints: complaints(about: found, now))
  }

  private func complaints(about body: JSONValue, _ now: Double) -> [SchemaComplaint] {
    guard let source = schema.flatMap(document.root.value(at:)) else { return [] }
    return BodySchema.compiled(source, now: now)?
      .complaints(about: body, max: BodySchema.complaintsMax) ?? []
  }

  mutating func run(_ chosen: [Difference], roundsMax: Int) {
    let paths = Set(chosen.compactMap(\.path))
    let added = chosen.filter { $0.type == .schemaFieldAdded }.compactMap(\.path)
    let start = document
    for _ in 0..<roundsMax {
      guard let comparison else { return }
      let open = comparison.differences.filter { difference in
        guard let path = difference.path, obstacles[path] == nil else { return false }
        return paths.contains(path) || added.contains { path.starts(with: $0) }
      }
      if open.isEmpty { return }
      for difference in open {
        guard let path = difference.path else { continue }
        do throws(JSONEditError) {
          let reason =
            difference.schemaPointer == nil
            ? try editExample(difference, path, comparison)
            : try editSchema(difference, path, comparison)
          if let reason { obstacles[path] = reason }
        } catch {
          obstacles[path] = "\(error)"
        }
      }
      for body in [body] + sharedBodies { conform(body, to: comparison.foundShape) }
    }
    document = start
    for path in paths { obstacles[path] = "no edit makes the contract agree with this answer" }
  }

  mutating func set(_ pointer: JSONPointer, to json: String) throws(JSONEditError) {
    document = try document.setting(pointer, to: json)
  }

  mutating func remove(_ pointer: JSONPointer) throws(JSONEditError) {
    document = try document.removing(pointer)
  }

  /// Puts values of the answer where an example breaks the schema as it is now.
  private mutating func conform(_ body: JSONPointer, to shape: Shape) {
    for _ in 0..<10 {
      guard let example = document.root.value(at: body) else { return }
      let complaints = complaints(about: example, Double(BodySchema.moment))
      var hasChanged = false
      for complaint in complaints {
        let pointer = complaint.instancePointer
        let counterpart = JSONPointer(Array(pointer.tokens.dropFirst(body.tokens.count)))
        guard let place = steps(to: pointer, from: body, along: shape),
          let value = found.value(at: counterpart) ?? place.first,
          let old = document.root.value(at: pointer), !old.isEqual(to: value)
        else { continue }
        let json = value.redactedText(as: pointer.tokens.last)
        guard let edited = try? document.setting(pointer, to: json) else { continue }
        document = edited
        hasChanged = true
      }
      if !hasChanged { return }
    }
  }

  /// What was found where an example has something.
  private func steps(to pointer: JSONPointer, from body: JSONPointer, along shape: Shape) -> Shape?
  {
    guard var value = document.root.value(at: body) else { return nil }
    var shape = shape
    for token in pointer.tokens.dropFirst(body.tokens.count) {
      let following =
        value.kind == .array ? shape.element : shape.entry ?? shape.member(token)?.shape
      guard let following, let next = value.value(at: [token]) else { return nil }
      (shape, value) = (following, next)
    }
    return shape
  }

  /// Where the example has something at a path, each by itself.
  func examplePointers(at path: [String]) -> [JSONPointer] {
    guard let example = document.root.value(at: body) else { return [] }
    var places: [(pointer: JSONPointer, value: JSONValue)] = [(body, example)]
    for step in path {
      places = places.flatMap { place -> [(pointer: JSONPointer, value: JSONValue)] in
        if step == Shape.any, place.value.kind == .array {
          return place.value.elements.enumerated().map {
            (place.pointer.appending($0), $1)
          }
        }
        if let child = place.value[step] { return [(place.pointer.appending(step), child)] }
        guard step == Shape.any else { return [] }
        return place.value.members.map { (place.pointer.appending($0.key), $0.value) }
      }
    }
    return places.map(\.pointer)
  }

  /// What the schema says, as it is now, at a path of the body.
  func view(at path: [String]) -> SchemaView {
    var view = SchemaView(schema.flatMap(document.root.value(at:)))
    for step in path {
      let elements = view.elements
      view =
        step == Shape.any ? (elements.parts.isEmpty ? view.entries : elements) : view.member(step)
    }
    return view
  }
}

extension JSONValue {
  /// The value as it may be kept in a file, under a name that may say it is a secret.
  func redactedText(as key: String?) -> String {
    let key = key ?? ""
    let member = Array("{\(key.quoted):".utf8) + compact + Array("}".utf8)
    let redacted = try? JSONDocument(parsing: Redaction.ofAnswers.redacted(json: member))
    return redacted?.root[key]?.spaced ?? Redaction.mask.quoted
  }

  /// On one line, as people write it. The nesting limit bounds the recursion.
  private var spaced: String {
    switch kind {
    case .object where count > 0:
      "{ \(members.map { "\($0.key.quoted): \($0.value.spaced)" }.joined(separator: ", ")) }"
    case .array where count > 0: "[\(elements.map(\.spaced).joined(separator: ", "))]"
    default: String(decoding: compact, as: UTF8.self)
    }
  }

  /// The name that a schema has for its kind.
  var schemaType: String {
    kind == .number ? (number?.isInteger == true ? "integer" : "number") : kind.rawValue
  }
}
