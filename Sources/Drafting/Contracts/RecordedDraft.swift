import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySecrets

/// Drafts the contract of one endpoint, or adds to the existing one.
///
/// The folder makes a contract from the requests to one endpoint. Read `RecordedGroup`, which
/// collects them as `RecordedRequest`s; `RecordedTraits`, the parts that tell requests apart;
/// `RecordedPlan`, which decides which requests get a case and under which conditions; then this
/// file. `RecordedCase`, with its `RecordedBody` and `RecordedHeaders`, is a case to be written.
/// `RecordedContract` is the result, with all that was left out and why.
///
/// Text becomes part of a contract only through the group's mask. A condition on a secret asks for
/// its presence, never for its value. A request that no condition can tell apart from another with
/// other responses gets no case; its loss is kept with the reason.
struct RecordedDraft {
  let group: RecordedGroup
  let target: RecordingTarget
  let shelf: FileNamer

  /// The name of a new contract: `users-id`, `post-users`, or that of the operation.
  var stem: String {
    if let operation = group.operation, !operation.slug.isEmpty { return operation.slug }
    return (group.method == "GET" ? "" : "\(group.method.slug)-") + group.template.slug
  }

  // MARK: - A new one

  /// - Returns: a contract without cases when none can be made.
  func contract(named makeName: () -> String) -> RecordedContract {
    let plan = RecordedPlan(group)
    guard let model = plan.chosen.first.map({ group.requests[$0.request].exchange }) else {
      return RecordedContract(name: stem, of: group, fate: .impossible, plan)
    }
    let name = makeName()
    let result = plan.cases(of: group, hasDefault: true, for: target)
    let (cases, files) = drafts(of: result.cases, in: name)
    var draft = ContractDraft(
      named: name,
      [
        "$schema": SchemaLine.address(of: "contract", in: target.folder),
        "summary": .string(summary), "request": request(model),
      ], cases: cases)
    if let body = result.cases.first?.body {
      draft.addDerivedCases(body: body.json?.root.kind, byteCount: body.bytes.count)
    }
    if !result.scripts.isEmpty {
      draft.tail["scripts"] = .object(result.scripts.map { ($0.name, .strings($0.cases)) })
    }
    return RecordedContract(
      name: name, of: group, fate: .new, plan, result,
      RecordedContract.Content(.draft(draft), of: name, in: target, bodies: files))
  }

  private var summary: String {
    let path = group.requests.first?.exchange.path ?? "/"
    let operation = group.operation.map { ", operation \($0.name)" } ?? ""
    return "Recorded from \(group.method) \(path)\(operation)"
  }

  /// Sent values become examples, so any other value is served, too.
  private func request(_ model: RecordedExchange) -> JSONText {
    let own = RecordedTraits(of: model, by: group.template, group.mask)
    let keys =
      parameterKeys + group.secretNames.map { "query.\($0)" }
      + group.headerNames.map { "header.\($0)" }
    let parameters = keys.map { key -> (key: String, value: JSONText?) in
      var example: JSONText?
      if case .values(let values) = own.trait(key) { example = .oneOrMore(values) }
      return (key, ["optional": key.hasPrefix("path.") ? nil : true, "example": example])
    }
    return [
      "method": .string(group.method), "path": .string(group.template.pathText),
      "parameters": keys.isEmpty ? nil : .object(parameters), "body": body(model),
    ]
  }

  private func body(_ model: RecordedExchange) -> JSONText? {
    guard !model.body.isEmpty, model.form == nil,
      let example = JSONDocument(
        valid: group.mask.masked(model.body, of: "application/json", number: "0"))
    else { return nil }
    return [
      "contains": group.operation.map { [GraphQLOperation.nameKey: .string($0.name)] },
      "example": .value(example.root),
    ]
  }

  /// The cases, and the files of their bodies.
  private func drafts(
    of cases: [RecordedCase], in contract: String
  ) -> (cases: [CaseDraft], files: [(path: String, bytes: [UInt8])]) {
    var files: [(path: String, bytes: [UInt8])] = []
    let drafts = cases.map { recorded in
      guard case .file(let bytes, let suffix, _) = recorded.body else { return recorded.draft() }
      let path = shelf.bodyFile("\(contract)-\(recorded.name)", suffix: suffix, holding: bytes)
      files.append((path, bytes))
      return recorded.draft(bodyFile: path)
    }
    return (drafts, files)
  }

  // MARK: - An existing one

  /// Adds a case for each status that the contract lacks; existing text stays unchanged.
  func extending(_ contract: Contract) throws(Failure) -> RecordedContract {
    let path = contract.request.paths.first {
      $0.tail == nil && $0.segments.hasShape(of: group.template)
    }
    let template = path?.segments ?? group.template
    let keys = template.compactMap {
      if case .parameter(let name) = $0 { "path.\(name)" } else { nil }
    }
    let queryKeys = parameterKeys.filter { $0.hasPrefix("query.") }
    let hasBodies = group.requests.contains { !$0.exchange.body.isEmpty }
    let bodyKeys = group.traits.flatMap(\.own).map(\.key).filter(FormTraits.isKey)
    let plan = RecordedPlan(
      group, asking: keys + queryKeys + (hasBodies ? bodyKeys.withoutRepeats : []),
      naming: template)
    var result = plan.cases(
      of: group, hasDefault: false, taken: Set(contract.cases.map(\.name)), for: target)
    // One case for each status is enough beside those written by hand.
    var seen = Set(contract.cases.compactMap(\.status))
    result.cases.removeAll { !seen.insert($0.status).inserted }
    let content = try result.cases.isEmpty ? nil : added(result.cases, to: contract)
    return RecordedContract(
      name: contract.name, of: group, path: template.pathText,
      fate: result.cases.isEmpty ? .known : .extended, plan, result, content)
  }

  /// `path.id` and `query.page`, in order of appearance.
  private var parameterKeys: [String] {
    var keys: [String] = []
    for (key, _) in group.traits.flatMap(\.own)
    where !FormTraits.isKey(key) && !keys.contains(key) {
      keys.append(key)
    }
    return keys
  }

  private func added(
    _ cases: [RecordedCase], to contract: Contract
  ) throws(Failure) -> RecordedContract.Content {
    let (cases, bodies) = drafts(of: cases, in: contract.name)
    do {
      var document = try JSONDocument(parsing: try target.root.read(contract.file))
      for added in cases {
        document = try document.setting(
          JSONPointer(["cases", added.name]), to: added.members.text.laidOut(width: 96))
      }
      let waiver = JSONPointer(["waive", "no-404-case"])
      if cases.contains(where: { $0.status == 404 }), document.root.value(at: waiver) != nil {
        let isOnly = document.root["waive"]?.count == 1
        document = try document.removing(isOnly ? JSONPointer(["waive"]) : waiver)
      }
      return RecordedContract.Content(
        .edited(document), of: contract.name, in: target, bodies: bodies)
    } catch {
      throw Failure(
        message: "cannot add to \(contract.file): \(error)", fix: "fix the file by hand")
    }
  }
}
