import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySecrets

/// Writes the contract of one endpoint, or adds to the existing one.
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
      return RecordedContract(name: stem, of: group, fate: .impossible, plan, files: [])
    }
    let name = makeName()
    let result = plan.cases(of: group, hasDefault: true, for: target)
    let cases = result.cases
    var writer = JSONWriter()
    var bodies: [RecordedFile] = []
    writer.object { object in
      object.schemaLine(of: "contract", in: target.folder)
      object.member("summary", summary)
      object.key("request")
      object.object { writeRequest(model, to: &$0) }
      object.key("cases")
      object.object { object in
        for recorded in cases { bodies += write(recorded, of: name, to: &object) }
        writeDerived(from: cases.first, to: &object)
      }
      guard !result.scripts.isEmpty else { return }
      object.key("scripts")
      object.object { scripts in
        for (name, cases) in result.scripts { scripts.member(name, cases) }
      }
    }
    let file = RecordedFile(
      path: "\(target.upstreamFolder)/\(name).json", bytes: writer.laidOutFile, isNew: true)
    return RecordedContract(
      name: name, of: group, fate: .new, plan, result, files: bodies + [file])
  }

  private var summary: String {
    let path = group.requests.first?.exchange.path ?? "/"
    let operation = group.operation.map { ", operation \($0.name)" } ?? ""
    return "Recorded from \(group.method) \(path)\(operation)"
  }

  /// Sent values become examples, so any other value is served, too.
  private func writeRequest(_ model: RecordedExchange, to object: inout JSONWriter) {
    object.member("method", group.method)
    object.member("path", group.template.pathText)
    let own = RecordedTraits(of: model, by: group.template, group.mask)
    let keys =
      parameterKeys + group.secretNames.map { "query.\($0)" }
      + group.headerNames.map { "header.\($0)" }
    if !keys.isEmpty {
      object.key("parameters")
      object.object { parameters in
        for key in keys {
          parameters.key(key)
          var example: [String]?
          if case .values(let values) = own.trait(key) { example = values }
          parameters.parameter(isOptional: !key.hasPrefix("path."), example: example)
        }
      }
    }
    if !model.body.isEmpty { writeBody(model, to: &object) }
  }

  private func writeBody(_ model: RecordedExchange, to object: inout JSONWriter) {
    guard model.form == nil,
      let example = try? JSONDocument(
        parsing: group.mask.masked(model.body, of: "application/json", number: "0"))
    else { return }
    object.key("body")
    object.object { body in
      if let operation = group.operation {
        body.key("contains")
        body.object { $0.member(GraphQLOperation.nameKey, operation.name) }
      }
      body.key("example")
      body.value(example.root)
    }
  }

  /// Writes a case, and returns the file of its body if it has one.
  private func write(
    _ recorded: RecordedCase, of contract: String, to object: inout JSONWriter
  ) -> [RecordedFile] {
    object.key(recorded.name)
    guard case .file(let bytes, let suffix, _) = recorded.body else {
      recorded.write(to: &object, bodyFile: "")
      return []
    }
    let name = shelf.bodyFile("\(contract)-\(recorded.name)", suffix: suffix, holding: bytes)
    recorded.write(to: &object, bodyFile: name)
    return [RecordedFile(path: "\(target.upstreamFolder)/\(name)", bytes: bytes, isNew: true)]
  }

  /// Writes cases that cannot be recorded, derived from the default case.
  private func writeDerived(from model: RecordedCase?, to object: inout JSONWriter) {
    guard let model else { return }
    let derived = DerivedCases.members(
      of: model.name, body: model.body.json?.root.kind, byteCount: model.body.bytes.count)
    for (key, value) in derived {
      guard let value = value?.root else { continue }
      object.key(key)
      object.value(value)
    }
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
    var files: [RecordedFile] = []
    if !result.cases.isEmpty { files = try added(result.cases, to: contract) }
    return RecordedContract(
      name: contract.name, of: group, path: template.pathText,
      fate: result.cases.isEmpty ? .known : .extended, plan, result, files: files)
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
  ) throws(Failure) -> [RecordedFile] {
    var bodies: [RecordedFile] = []
    do {
      var document = try JSONDocument(parsing: try target.root.read(contract.file))
      for recorded in cases {
        var writer = JSONWriter()
        writer.object { bodies += write(recorded, of: contract.name, to: &$0) }
        let written = try JSONDocument(parsing: writer.bytes).root
        guard let value = written[recorded.name] else { continue }
        document = try document.setting(
          JSONPointer(["cases", recorded.name]), to: value.laidOut(width: 96))
      }
      let waiver = JSONPointer(["waive", "no-404-case"])
      if cases.contains(where: { $0.status == 404 }), document.root.value(at: waiver) != nil {
        let isOnly = document.root["waive"]?.count == 1
        document = try document.removing(isOnly ? JSONPointer(["waive"]) : waiver)
      }
      return bodies + [RecordedFile(path: contract.file, bytes: document.bytes, isNew: false)]
    } catch {
      throw Failure(
        message: "cannot add to \(contract.file): \(error)", fix: "fix the file by hand")
    }
  }
}

extension JSONWriter {
  fileprivate mutating func parameter(isOptional: Bool, example: [String]?) {
    object { parameter in
      if isOptional {
        parameter.key("optional")
        parameter.bool(true)
      }
      guard let example else { return }
      parameter.key("example")
      parameter.strings(example, isArray: false)
    }
  }
}
