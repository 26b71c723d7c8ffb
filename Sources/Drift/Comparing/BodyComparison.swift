import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema
import UnderstudySecrets

extension ExpectedResponse {
  func bodyDifferences(from live: LiveResponse, _ response: Response) -> [Difference] {
    guard contract.request.method != "HEAD", ![204, 304].contains(live.status) else { return [] }
    switch response.body {
    case .none: return []
    case .text(let text):
      return missing(live, response) ?? textDifference(of: live, from: text, response)
    case .events: return missing(live, response) ?? eventsTypeDifference(of: live, response)
    case .json, .bytes, .file:
      return jsonDifferences(from: live, response) ?? missing(live, response) ?? []
    }
  }

  /// `nil` when the expected body is not JSON.
  private func jsonDifferences(
    from live: LiveResponse, _ response: Response
  ) -> [Difference]? {
    let view = SchemaView(response.schema?.source)
    guard let example = exampleShape(of: response, view) else { return nil }
    let type = contentTypeDifference(of: live, response)
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: live.body)
    } catch {
      return type + [unreadable(live, error)]
    }
    var place: SourcePosition?
    if case .file = response.body { place = bodyPlace }
    let comparison = BodyComparison(
      of: document.root, to: example, at: place, view, schema: response.schema?.source,
      compiled: response.schema?.schema, now: now)
    return type + comparison.differences
  }

  /// `nil` when the body is not JSON. That of a file is released: beside the response, it would take
  /// too much memory.
  private func exampleShape(of response: Response, _ view: SchemaView) -> Shape? {
    guard let example = response.json else { return nil }
    let shape = Shape(view, of: example, isTemplated: response.templatedParts.contains(.body))
    if case .file = response.body { shape.detach() }
    return shape
  }

  private var bodyPlace: SourcePosition {
    sources.lazy.compactMap {
      $0["body"] ?? $0["text"] ?? $0["base64"] ?? $0["file"] ?? $0["events"]
    }
    .first?.position ?? liveCase.source.position
  }

  /// A body expected to be JSON with another type, if the case names no type.
  private func contentTypeDifference(
    of live: LiveResponse, _ response: Response
  ) -> [Difference] {
    guard response.headers.value(of: "content-type") == nil,
      let found = live.header("content-type"), !MediaType(found).isJSON
    else { return [] }
    return [
      Difference(
        type: .headerChanged,
        message: "found Content-Type \(found.shown), expected a JSON type",
        position: bodyPlace, header: "Content-Type")
    ]
  }

  /// Only the type of a stream is compared: the events that it has at the moment say little.
  private func eventsTypeDifference(
    of live: LiveResponse, _ response: Response
  ) -> [Difference] {
    let type = live.header("content-type")
    guard response.headers.value(of: "content-type") == nil,
      type.map({ MediaType($0).name }) != "text/event-stream"
    else { return [] }
    return [
      Difference(
        type: .headerChanged,
        message: "found \(type.map { "Content-Type \($0.shown)" } ?? "no Content-Type"),"
          + " expected text/event-stream",
        position: bodyPlace, header: "Content-Type")
    ]
  }

  /// - Parameter reason: `the body cannot be decoded: …`
  func difference(ofUndecodable reason: String) -> Difference {
    Difference(type: .bodyUnreadable, message: reason, position: bodyPlace)
  }

  private func unreadable(_ live: LiveResponse, _ error: JSONError) -> Difference {
    Difference(
      type: .bodyUnreadable,
      message: live.body.isEmpty
        ? "no body, expected JSON"
        : "the body is not valid JSON: at \(error.position) \(error.message.visible)",
      position: bodyPlace)
  }

  private func missing(_ live: LiveResponse, _ response: Response) -> [Difference]? {
    guard live.body.isEmpty, !response.bodyBytes.isEmpty else { return nil }
    return [
      Difference(
        type: .bodyUnreadable,
        message: "no body, expected one like the \(response.bodyBytes.count.of("byte"))"
          + " in the contract",
        position: bodyPlace)
    ]
  }

  private static let comparedTextBytesMax = 4096

  /// Generated pages change with every release; only a short plain text is compared.
  private func textDifference(
    of live: LiveResponse, from expected: String, _ response: Response
  ) -> [Difference] {
    let type = live.header("content-type").map { MediaType($0) }
    // A text that is not a JSON document, such as JSON Lines, does not promise one.
    if type?.isJSON == true, (try? JSONDocument(parsing: Array(expected.utf8))) != nil {
      do throws(JSONError) { _ = try JSONDocument(parsing: live.body) } catch {
        return [unreadable(live, error)]
      }
    }
    guard type?.name == "text/plain", !response.templatedParts.contains(.body),
      expected.utf8.count <= Self.comparedTextBytesMax,
      live.body.count <= Self.comparedTextBytesMax, !expected.utf8.elementsEqual(live.body)
    else { return [] }
    let found = String(decoding: live.body, as: UTF8.self)
    // A text with a masked secret cannot be compared.
    guard !found.contains(SecretMask.mark) else { return [] }
    return [
      Difference(
        type: .schemaViolated, subject: "text", message: "found a different text than expected",
        position: place(of: "text"), value: found,
        diff: TextDiff.unified(expected, found).split(separator: "\n").dropFirst(2).map {
          String($0).visible
        })
    ]
  }
}

/// Compares a JSON body with the schema of a case, then with the shape of its example.
struct BodyComparison {
  let differences: [Difference]
  let foundShape: Shape

  /// - Parameters:
  ///   - place: of an example that is not in the contract itself.
  ///   - view: of the schema.
  ///   - compiled: the schema.
  ///   - now: what dates are compared with.
  ///   - addedMax: how many added fields of one object are reported individually.
  init(
    of found: JSONValue, to example: Shape, at place: SourcePosition? = nil, _ view: SchemaView,
    schema: JSONValue?, compiled: Schema?, now: Moment, addedMax: Int = 20
  ) {
    var walk = compiled.flatMap { SchemaWalk(over: found, by: $0, now: now) }
    foundShape = Shape(view, checking: &walk)
    foundShape.absorb(found, checking: &walk)
    let complaints =
      walk?.isValid == true
      ? [] : compiled?.complaints(about: found, now: now, max: BodySchema.complaintsMax) ?? []
    var schemas = SchemaComparison(of: found, foundShape, example)
    if let schema { schemas.take(complaints, of: schema, addedMax: addedMax) }
    var shapes = ShapeComparison(
      reported: Set(schemas.differences.flatMap { ($0.path.map { [$0] } ?? []) + $0.others }),
      addedMax: addedMax, place: place)
    shapes.compare(example, foundShape)
    differences = (schemas.differences + shapes.differences).compactMap {
      $0.ofWhatIsShown(in: found)
    }
  }
}

extension Difference {
  /// Keywords that apply to everything in a value.
  private static let deepKeywords = ["anyOf", "oneOf", "not"]

  /// The difference without places of masked secrets, since a mask has neither the value nor the
  /// type of the original; `nil` if no other place is left.
  fileprivate func ofWhatIsShown(in root: JSONValue) -> Difference? {
    guard type != .schemaFieldAdded, !pointers.isEmpty else { return self }
    let isDeep = schemaPointer?.tokens.last.map(Self.deepKeywords.contains) ?? false
    var difference = self
    difference.pointers = pointers.filter { pointer in
      guard let value = root.value(at: pointer), isDeep || value.kind == .string else {
        return true
      }
      return !value.holdsMask
    }
    return difference.pointers.isEmpty ? nil : difference
  }
}
