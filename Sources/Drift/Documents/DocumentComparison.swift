import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyInterchange
import UnderstudyJSON
import UnderstudySchema

/// Makes the answers that a document allows for a case, and compares them with it.
struct DocumentComparison {
  private static let answersMax = 12
  private static let complaintsMax = 100

  /// Of its response in the document, or of the operation.
  private(set) var place: Place
  private(set) var answers: [DocumentedCase.Answer] = []
  private(set) var breaches: [AnswerDifference] = []
  /// On a case without a response.
  private(set) var missing: Finding?
  private let probe: PlannedProbe
  private let expected: ExpectedAnswer
  private var content: DocumentedResponse.Content?

  init(_ probe: PlannedProbe, with operation: DocumentedOperation) throws(Failure) {
    self.probe = probe
    place = operation.place
    // No date of an answer is compared.
    expected = ExpectedAnswer(of: probe.played, in: probe.contract, now: BodySchema.moment)
    guard let played = probe.played.response else { return }
    guard let (response, status) = Self.response(for: probe, of: operation) else {
      if !operation.statuses.isEmpty { missing = missing(played.status, of: operation) }
      return
    }
    place = response.place
    try add(played, status, response)
    addBreaches(of: played)
  }

  /// In place of a success that is gone, another that no case has.
  private static func response(
    for probe: PlannedProbe, of operation: DocumentedOperation
  ) -> (DocumentedResponse, status: Int)? {
    let status = probe.played.status ?? 200
    if let response = operation.response(for: status) { return (response, status) }
    guard 200..<300 ~= status else { return nil }
    let known = Set(probe.contract.cases.compactMap(\.status))
    let other = operation.statuses.lazy.compactMap { Int($0.key) }
      .first { 200..<300 ~= $0 && !known.contains($0) }
    return other.flatMap { other in operation.response(for: other).map { ($0, other) } }
  }

  private func missing(_ status: Int, of operation: DocumentedOperation) -> Finding {
    let keys = operation.statuses.map(\.key)
    return Finding(
      probe.contract.hasConsumers ? .warning : .error, .status,
      "found no response \(status), but only \(keys.joined(separator: ", ")), for"
        + " \(operation.subject) (see \(operation.place))",
      at: Place(probe.contract.file, expected.place(of: "status")),
      fix: "remove the case, or add the response to \(operation.place.file), or accept it with a"
        + " reason")
  }

  // MARK: - Answers

  private mutating func add(
    _ played: Response, _ status: Int, _ response: DocumentedResponse
  ) throws(Failure) {
    let (headers, added) = try headers(of: played, response)
    func answer(_ body: [UInt8], _ type: String?) -> LiveAnswer {
      LiveAnswer(
        status: status,
        headers: (type.map { [HeaderField(name: "Content-Type", value: $0)] } ?? []) + headers,
        body: body, latency: .zero)
    }
    let type = played.sentHeaders.value(of: "content-type")
    let own = answer(played.bodyBytes, type)
    let hasBody =
      probe.contract.request.method != "HEAD" && ![204, 304].contains(status)
      && !played.bodyBytes.isEmpty
    guard hasBody else { return add([own], added) }
    let contents = try response.contents()
    guard let first = contents.first else { return add([answer([], nil)], added) }
    guard let content = contents.first(where: { $0.isOf(type, isJSON: played.json != nil) }) else {
      return add(
        [answer(Array(first.text.utf8), first.mediaType)], added + [unreadable(first, type)])
    }
    guard MediaType(content.mediaType).isJSON, let example = played.json else {
      return add([own], added)
    }
    self.content = content
    guard let rule = content.schema?.rule else {
      let examples = content.examples.map { answer($0.bytes, type ?? content.mediaType) }
      return add(examples.isEmpty ? [own] : examples, added)
    }
    let comparison = self
    let bodies = DocumentBodies(content.examples, of: rule, like: example) { body in
      comparison.differences(of: answer(body.bytes, type)).compactMap(\.path)
    }
    add(bodies.bodies.map { answer($0.bytes, type ?? content.mediaType) }, added)
  }

  /// The first, and each that shows a difference which those before do not.
  private mutating func add(_ candidates: [LiveAnswer], _ added: [AnswerDifference]) {
    var seen: Set<String> = []
    for candidate in candidates where answers.count < Self.answersMax {
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
      if isNew || answers.isEmpty {
        answers.append(DocumentedCase.Answer(answer: candidate, differences: differences))
      }
    }
  }

  private func differences(of answer: LiveAnswer) -> [AnswerDifference] {
    expected.differences(from: answer).filter(isShown)
  }

  private func unreadable(
    _ content: DocumentedResponse.Content, _ type: String?
  ) -> AnswerDifference {
    AnswerDifference(
      type: .bodyUnreadable, subject: "",
      message: "found Content-Type \(content.mediaType.shown), expected"
        + " \((type ?? "application/json").shown)",
      position: expected.place(of: "body"))
  }

  /// The headers of the case that the document has, or all if it lists none; and those it requires.
  private func headers(
    of played: Response, _ response: DocumentedResponse
  ) throws(Failure) -> (sent: [HeaderField], added: [AnswerDifference]) {
    let own = played.sentHeaders.filter { $0.key != "content-type" }
    guard let listed = try response.headers() else { return (own, []) }
    let names = Set(listed.map { HeaderName($0.name) })
    let known = Set(own.map(\.key))
    let added = listed.filter { $0.isRequired && !known.contains(HeaderName($0.name)) }
    return (
      own.filter { names.contains($0.key) },
      added.map { header in
        AnswerDifference(
          type: .headerAdded, subject: header.name.lowercased(),
          message: "found header \(header.name.shown), which the contract does not have",
          position: expected.place(of: "headers"), header: header.name)
      }
    )
  }

  // MARK: - Differences

  /// Whether a document can show it: no values, and nothing that the contract leaves open, too.
  private func isShown(_ difference: AnswerDifference) -> Bool {
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

  /// Whether both the contract's schema and the document's know a member and do not require it.
  private func mayBeMissing(_ difference: AnswerDifference) -> Bool {
    guard let path = difference.path, let name = path.last?.name,
      let rule = content?.schema?.rule
    else { return false }
    func knows(_ root: JSONValue?) -> Bool {
      let view = path.dropLast().reduce(SchemaView(root)) { $0.view(at: $1) }
      return view.knows(name)
    }
    return knows(probe.played.response?.schema?.source) && knows(rule.root)
  }

  /// What the document does not allow in the example, unless an answer has shown it.
  private mutating func addBreaches(of played: Response) {
    guard let schema = content?.schema, let example = played.json else { return }
    let isTemplated = played.templatedParts.contains(.body)
    let known = answers.flatMap(\.differences)
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
      if case .json = played.body { position = (value ?? example).position }
      var breach = AnswerDifference(
        type: .exampleInvalid, subject: "\(complaint.schemaPointer)", message: complaint.message,
        position: position, pointers: [pointer])
      breach.document = schema.place(of: pointer)
      breaches.append(breach)
    }
  }
}

extension AnswerDifference {
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
  /// Whether it may be the body of a case with this type.
  fileprivate func isOf(_ type: String?, isJSON: Bool) -> Bool {
    let own = MediaType(writtenType)
    if own.name.contains("*") || own.name.isEmpty { return true }
    if isJSON { return own.isJSON }
    return type.map { MediaType($0).name == own.name } ?? !own.isJSON
  }
}
