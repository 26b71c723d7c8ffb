import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema
import UnderstudySecrets

/// The edits of a contract's file that make one case match a response: its schema with the smallest
/// edits, and its example, which becomes the response.
///
/// Examples of other cases that are `like` this one follow.
struct ContractPatch {
  var document: JSONDocument
  private let contract: Contract
  let expectation: ExpectedResponse
  let response: Response
  let live: LiveResponse
  let isOwn: Bool
  private let isOver: () -> Bool

  /// - Parameters:
  ///   - response: with its secrets masked.
  ///   - differences: of its status, its headers and its body.
  ///   - isOwn: whether what the case has from those that it is `like` is written into the case itself,
  ///     also if none of them is live.
  ///   - takesBody: whether its body is taken even if none is of it.
  init(
    of contract: Contract, case name: String, to live: LiveResponse, _ differences: [Difference],
    isOwn: Bool, takesBody: Bool = false, now: Moment, isOver: @escaping () -> Bool
  ) throws(Refusal) {
    guard let served = contract.case(named: name), let response = served.response else {
      throw Refusal("\(contract.id) has no case \"\(name)\" with a response")
    }
    self.contract = contract
    self.response = response
    self.live = live
    self.isOwn = isOwn
    self.isOver = isOver
    expectation = ExpectedResponse(of: served, in: contract, now: now)
    document = contract.source.document
    if isOver() { throw .late }
    for difference in differences where difference.isOfHead {
      if let reason = takeHead(difference) { throw Refusal(reason, of: difference) }
    }
    let ofBody = differences.filter { !$0.isOfHead }
    if takesBody || !ofBody.isEmpty { try takeBody(ofBody) }
  }

  // MARK: - Body

  private mutating func takeBody(_ differences: [Difference]) throws(Refusal) {
    for difference in differences {
      if let reason = difference.type.refusal { throw Refusal(reason, of: difference) }
    }
    switch response.body {
    case .text: try takeText()
    case .json(let body): try takeJSON(body, differences)
    case .file: throw Refusal("its body is in its own file: record it again")
    case .bytes, .events, .none: throw Refusal(Refusal.unseen)
    }
  }

  private mutating func takeText() throws(Refusal) {
    guard let text = String(validating: live.body, as: UTF8.self) else {
      throw Refusal(Refusal.unseen)
    }
    guard !text.contains(SecretMask.mark) else { throw Refusal(Refusal.secret) }
    let place = expectation.place(forEditing: isOwn) { $0["text"] != nil }
    try edit { document throws(JSONEditError) in
      try document.setting(place.pointer.appending("text"), to: text.quoted)
    }
  }

  private mutating func takeJSON(
    _ example: JSONValue, _ differences: [Difference]
  ) throws(Refusal) {
    guard let found = JSONDocument(valid: live.body)?.root else {
      throw Refusal(Refusal.unseen)
    }
    for difference in differences where difference.type != .schemaFieldAdded {
      // A mask has neither the value nor the type of what it hides.
      if let value = difference.pointers.first.flatMap(found.value(at:)), value.kind == .string,
        value.holdsMask
      {
        throw Refusal(Refusal.secret, of: difference)
      }
    }
    let schema = response.schema?.source.pointer
    let isTemplated = response.templatedParts.contains(.body)
    var edit = BodyEdit(
      document: document, found: found, body: example.pointer, schema: schema,
      isTemplated: isTemplated, isIntermittent: differences.contains { $0.frequency != nil },
      sharedBodies: sharedBodies(of: schema), now: expectation.now, isOver: isOver)
    try edit.run()
    document = edit.document
    let text = try ResponseText.document(
      of: found, insteadOf: example, isTemplated: isTemplated
    ).root
    if !example.isEqual(to: text) {
      let place = expectation.place(forEditing: isOwn) { $0["body"] != nil }
      try self.edit { document throws(JSONEditError) in
        try document.changing(place.pointer.appending("body"), to: text)
      }
    }
    try follow(example, text, schema)
  }

  private func sharedBodies(of schema: JSONPointer?) -> [BodyEdit.SharedBody] {
    guard let schema else { return [] }
    return contract.cases.compactMap { other in
      guard other.name != expectation.liveCase.name,
        case .json(let example)? = other.response?.body,
        other.response?.schema?.source.pointer == schema
      else { return nil }
      return BodyEdit.SharedBody(pointer: example.pointer, isLive: other.isLive)
    }
  }

  /// Changes the bodies of other cases alike, if nothing else tells how they have changed.
  private mutating func follow(
    _ old: JSONValue, _ new: JSONValue, _ schema: JSONPointer?
  ) throws(Refusal) {
    let view = SchemaView(schema.flatMap(document.root.value(at:)))
    let oldShape = Shape(SchemaView(response.schema?.source), of: old, isTemplated: false)
    let newShape = Shape(view, of: new, isTemplated: false)
    let place = expectation.place(forEditing: isOwn) { $0["body"] != nil }.pointer
    // What other live cases have, their own responses tell.
    var done = Set(
      contract.cases.filter(\.isLive).compactMap { other -> JSONPointer? in
        guard case .json(let body)? = other.response?.body else { return nil }
        return body.pointer
      } + [place.appending("body")])
    for other in contract.cases where !other.isLive {
      guard case .json(let body)? = other.response?.body, let status = other.status,
        status / 100 == live.status / 100, done.insert(body.pointer).inserted
      else { continue }
      if isLike(other, place) {
        let text = FollowingText(of: body, from: oldShape, to: newShape).bytes
        guard let changed = JSONDocument(valid: text) else { continue }
        try edit { document throws(JSONEditError) in
          try document.changing(body.pointer, to: changed.root)
        }
      }
      if let schema, other.response?.schema?.source.pointer == schema {
        conform(body.pointer, to: schema, newShape)
      }
    }
  }

  /// Whether a case is `like` the one at a place.
  private func isLike(_ other: Case, _ place: JSONPointer) -> Bool {
    ExpectedResponse(of: other, in: contract, now: expectation.now).sources.dropFirst().contains {
      $0.pointer == place
    }
  }

  /// Puts values of the response where a body breaks the schema as it is now.
  private mutating func conform(_ body: JSONPointer, to schema: JSONPointer, _ shape: Shape) {
    for _ in 0..<10 {
      guard let example = document.root.value(at: body),
        let compiled = document.root.value(at: schema).flatMap({
          BodySchema.compiled($0, now: BodySchema.moment)
        })
      else { return }
      var hasChanged = false
      for complaint in compiled.complaints(about: example, max: BodySchema.complaintsMax) {
        let tokens = complaint.instancePointer.tokens.dropFirst(body.tokens.count)
        var (value, place): (JSONValue?, Shape?) = (example, shape)
        for token in tokens {
          place = value.flatMap { place?.shape(at: token, of: $0.kind) }
          value = value?.value(at: [token])
        }
        guard let new = place?.first, let value, !value.isEqual(to: new), !new.holdsUnknown,
          let edited = try? document.changing(complaint.instancePointer, to: new)
        else { continue }
        document = edited
        hasChanged = true
      }
      if !hasChanged { return }
    }
  }

  private mutating func edit(
    _ change: (JSONDocument) throws(JSONEditError) -> JSONDocument
  ) throws(Refusal) {
    do throws(JSONEditError) {
      document = try change(document)
    } catch {
      throw Refusal("\(error)")
    }
  }
}

extension Refusal {
  init(_ reason: String, of difference: Difference) {
    self.init(reason, at: difference.pointers.first, difference)
  }
}

extension FindingType {
  /// Why a change of this type is no edit of a contract's example or schema; its owner decides, and
  /// other changes of the same response do not depend on it.
  var decision: String? {
    switch self {
    case .redirect: "the contract's owner must decide on the request"
    case .performance: "its owner must decide how slow it may be"
    default: nil
    }
  }

  /// Why such a body cannot be applied.
  fileprivate var refusal: String? {
    switch self {
    case .bodyUnreadable: "such a body cannot be applied"
    case .arrayEmptied:
      "an empty array does not show its elements: request one that has some"
    default: nil
    }
  }
}
