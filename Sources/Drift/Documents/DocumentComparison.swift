import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyInterchange
import UnderstudyJSON
import UnderstudySchema

/// Makes the responses that a document allows for a case, and compares them with it.
struct DocumentComparison {
  private static let responsesMax = 12
  private static let complaintsMax = 100

  /// The place of its response in the document, or else of the operation.
  private(set) var place: Place
  private(set) var responses: [DocumentedCase.Sample] = []
  private(set) var breaches: [Difference] = []
  /// The finding on a successful case that has no response in the document.
  private(set) var missing: Finding?
  /// Whether it is a failure without a response: few documents list them all.
  private(set) var isUndocumented = false
  private let liveCase: PlannedCase
  private let expected: ExpectedResponse
  private var content: DocumentedResponse.Content?
  /// What the document gives as examples, which may say more than its schema.
  private var examples: [JSONValue] = []

  init(_ liveCase: PlannedCase, with operation: DocumentedOperation) throws(Failure) {
    self.liveCase = liveCase
    place = operation.place
    // No date of a response is compared.
    expected = ExpectedResponse(of: liveCase.served, in: liveCase.contract, now: BodySchema.moment)
    guard let served = liveCase.served.response else { return }
    guard let (response, status) = Self.response(for: liveCase, of: operation) else {
      isUndocumented = served.status >= 400 && !operation.statuses.isEmpty
      if served.status < 400, !operation.statuses.isEmpty {
        missing = missing(served.status, of: operation)
      }
      return
    }
    place = response.place
    try add(served, status, response)
    addBreaches(of: served)
  }

  /// The response for a case. For a success that the document does not have any more, it is another
  /// success that no case has; a default beside that is for something else, such as errors.
  private static func response(
    for liveCase: PlannedCase, of operation: DocumentedOperation
  ) -> (DocumentedResponse, status: Int)? {
    let status = liveCase.served.status ?? 200
    let own = operation.response(for: status)
    let isSuccess = 200..<300 ~= status
    if let own, own.key != "default" || !isSuccess { return (own, status) }
    let known = Set(liveCase.contract.cases.compactMap(\.status))
    let other = operation.statuses.lazy.compactMap { Int($0.key) }
      .first { isSuccess && 200..<300 ~= $0 && !known.contains($0) }
    if let other, let response = operation.response(for: other) { return (response, other) }
    return own.map { ($0, status) }
  }

  private func missing(_ status: Int, of operation: DocumentedOperation) -> Finding {
    let keys = operation.statuses.map(\.key)
    return Finding(
      liveCase.contract.hasConsumers ? .warning : .error, .status,
      "no response \(status), but only \(keys.joined(separator: ", ")), for"
        + " \(operation.subject) (see \(operation.place))",
      at: Place(liveCase.contract.file, expected.place(of: "status")),
      fix: "change the case to a status that the document has, or add the response to"
        + " \(operation.place.file), or accept it with a reason")
  }

  // MARK: - Responses

  private mutating func add(
    _ served: Response, _ status: Int, _ response: DocumentedResponse
  ) throws(Failure) {
    let (headers, required) = try headers(of: served, response)
    var added = required
    func liveResponse(_ body: [UInt8], _ type: String?) -> LiveResponse {
      LiveResponse(
        status: status,
        headers: (type.map { [HeaderField(name: "Content-Type", value: $0)] } ?? []) + headers,
        body: body, latency: .zero)
    }
    let type = served.sentHeaders.value(of: "content-type")
    let own = liveResponse(served.bodyBytes, type)
    let hasBody =
      liveCase.contract.request.method != "HEAD" && ![204, 304].contains(status)
      && !served.bodyBytes.isEmpty
    guard hasBody else { return add([own], added) }
    let contents = try response.contents()
    guard let first = contents.first else { return add([liveResponse([], nil)], added) }
    let isJSON = served.json != nil
    let usual = contents.first { $0.has(type) } ?? contents.first { $0.isOf(type, isJSON: isJSON) }
    guard let content = usual else {
      return add(
        [liveResponse(Array(first.text.utf8), first.mediaType)],
        added + [otherType(first, type, isReadable: false)])
    }
    let isOther = !content.has(type) && (isJSON || type != nil)
    if isOther { added.append(otherType(content, type, isReadable: true)) }
    guard MediaType(content.mediaType).isJSON, let example = served.json else {
      return add([own], added)
    }
    self.content = content
    guard let rule = content.schema?.rule else {
      let examples = content.examples.map { liveResponse($0.bytes, type ?? content.mediaType) }
      return add(examples.isEmpty ? [own] : examples, added)
    }
    examples =
      (content.examples + [SchemaExample(rule.root, rule.schema).value]).compactMap { $0?.root }
    let comparison = self
    let bodies = DocumentBodies(content.examples, of: rule, like: example) { body in
      comparison.differences(of: liveResponse(body.bytes, type)).compactMap(\.path)
    }
    add(bodies.bodies.map { liveResponse($0.bytes, type ?? content.mediaType) }, added)
  }

  /// The first, and each that shows a difference which those before do not.
  private mutating func add(_ candidates: [LiveResponse], _ added: [Difference]) {
    var seen: Set<String> = []
    for candidate in candidates where responses.count < Self.responsesMax {
      let isMeant = !added.contains { $0.type == .bodyUnreadable }
      let found = isMeant ? differences(of: candidate) : []
      let differences = (found + added).map { difference in
        var difference = difference
        difference.document =
          difference.pointers.first.flatMap { content?.schema?.place(of: $0) } ?? place
        return difference
      }
      let keys = differences.map { "\($0.type) \($0.subject) \($0.pointers) \($0.message)" }
      let isNew = keys.reduce(false) { isNew, key in seen.insert(key).inserted || isNew }
      if isNew || responses.isEmpty {
        responses.append(DocumentedCase.Sample(response: candidate, differences: differences))
      }
    }
  }

  private func differences(of live: LiveResponse) -> [Difference] {
    expected.differences(from: live).filter(isShown)
  }

  /// Another media type than the case has: of the same kind, such as `application/hal+json`, or
  /// none that can be read as its body is.
  private func otherType(
    _ content: DocumentedResponse.Content, _ type: String?, isReadable: Bool
  ) -> Difference {
    Difference(
      type: isReadable ? .headerChanged : .bodyUnreadable,
      message: "found Content-Type \(content.mediaType.shown), expected"
        + " \((type ?? "application/json").shown)",
      position: expected.place(of: isReadable ? "headers" : "body"),
      header: isReadable ? "Content-Type" : nil)
  }

  /// The headers of the case that the document has, or all if it lists none; and those it requires.
  private func headers(
    of served: Response, _ response: DocumentedResponse
  ) throws(Failure) -> (sent: [HeaderField], added: [Difference]) {
    let own = served.sentHeaders.filter { $0.key != "content-type" }
    guard let listed = try response.headers() else { return (own, []) }
    let names = Set(listed.map { HeaderName($0.name) })
    let known = Set(own.map(\.key))
    let added = listed.filter { $0.isRequired && !known.contains(HeaderName($0.name)) }
    return (
      own.filter { names.contains($0.key) },
      added.map { header in
        Difference(
          type: .headerAdded,
          message: "found header \(header.name.shown), which the contract does not have",
          position: expected.place(of: "headers"), header: header.name)
      }
    )
  }

  // MARK: - Differences

  /// Whether a document can show it: no values, and nothing that the contract leaves open, too.
  private func isShown(_ difference: Difference) -> Bool {
    switch difference.type {
    case .status, .headerRemoved, .bodyUnreadable, .schemaFieldAdded, .schemaTypeChanged,
      .schemaNullabilityChanged, .schemaEnumWidened, .schemaFormatChanged:
      true
    case .schemaFieldRemoved: difference.schemaPointer != nil || !mayBeMissing(difference)
    case .schemaViolated:
      ["anyOf", "oneOf"].contains(difference.schemaPointer?.tokens.last ?? "")
    case .arrayEmptied: difference.schemaPointer != nil
    default: false
    }
  }

  /// Whether both the contract's schema and the document's know a member and do not require it, or
  /// the document has it in an example alone.
  private func mayBeMissing(_ difference: Difference) -> Bool {
    guard let path = difference.path, let name = path.last?.name,
      let rule = content?.schema?.rule
    else { return false }
    func knows(_ root: JSONValue?) -> Bool {
      let view = path.dropLast().reduce(SchemaView(root)) { $0.view(at: $1) }
      return view.knows(name)
    }
    if knows(liveCase.served.response?.schema?.source), knows(rule.root) { return true }
    return !knows(rule.root)
      && examples.contains { Self.has(path[...], $0) }
  }

  private static func has(_ path: ArraySlice<BodyStep>, _ value: JSONValue) -> Bool {
    guard let step = path.first else { return true }
    let rest = path.dropFirst()
    return switch step {
    case .member(let name): value[name].map { has(rest, $0) } ?? false
    case .slot(let index): value[index].map { has(rest, $0) } ?? false
    case .each:
      value.elements.contains { has(rest, $0) } || value.members.contains { has(rest, $0.value) }
    }
  }

  /// What the document does not allow in the example, unless a response has shown it.
  private mutating func addBreaches(of served: Response) {
    guard let schema = content?.schema, let example = served.json else { return }
    let isTemplated = served.templatedParts.contains(.body)
    let known = responses.flatMap(\.differences)
    var seen: Set<JSONPointer> = []
    // As a document of its own, so that pointers begin at the body.
    guard let root = JSONText.value(example).root else { return }
    let complaints = schema.rule.schema.complaints(about: root, max: Self.complaintsMax)
    for complaint in complaints {
      let pointer = complaint.instancePointer
      let value = example.value(at: pointer)
      let isOpen = isTemplated && value?.string?.contains("{") ?? false
      guard !isOpen, !known.contains(where: { $0.isSeen(at: pointer) }),
        seen.insert(complaint.schemaPointer).inserted
      else { continue }
      var position = expected.place(of: "file")
      if case .json = served.body { position = (value ?? example).position }
      var breach = Difference(
        type: .exampleInvalid, subject: "\(complaint.schemaPointer)", message: complaint.message,
        position: position, pointers: [pointer])
      breach.document = schema.place(of: pointer)
      breaches.append(breach)
    }
  }
}

extension Difference {
  /// Whether it concerns a place, a part of it, or, in an array, the same place of another element.
  fileprivate func isSeen(at place: JSONPointer) -> Bool {
    (pointers + pointers.compactMap(\.parent)).contains { pointer in
      pointer.tokens.count == place.tokens.count
        && zip(pointer.tokens, place.tokens).allSatisfy { own, other in
          own == other || JSONPointer.index(of: own) != nil && JSONPointer.index(of: other) != nil
        }
    }
  }
}

extension DocumentedResponse.Content {
  /// Whether it has this type, or any.
  fileprivate func has(_ type: String?) -> Bool {
    let own = MediaType(writtenType)
    return own.name.contains("*") || own.name.isEmpty
      || own.name == MediaType(type ?? "application/json").name
  }

  /// Whether it may be the body of a case with this type.
  fileprivate func isOf(_ type: String?, isJSON: Bool) -> Bool {
    let own = MediaType(writtenType)
    if own.name.contains("*") || own.name.isEmpty { return true }
    if isJSON { return own.isJSON }
    return type.map { MediaType($0).name == own.name } ?? !own.isJSON
  }
}
