import ContractModel
import JSON

/// Writes the contract of one endpoint, or adds to the one that is there.
struct RecordedDraft {
  let group: RecordedGroup
  let target: RecordingTarget
  let mask: SecretMask
  let shelf: RecordingShelf

  /// What a new contract is called: `users-id`, `post-users`.
  var stem: String {
    (group.method == "GET" ? "" : "\(group.method.slug)-") + group.template.slug
  }

  // MARK: - A new one

  func contract(named name: String) -> RecordedContract {
    let observations = group.observations
    let cases = group.cases(
      observations, asking: group.differingKeys(mask), hasDefault: true, baseURL: target.baseURL,
      mask)
    var writer = JSONWriter()
    var bodies: [RecordedFile] = []
    writer.object { object in
      object.schemaLine(of: "contract", in: target.folder)
      object.member("summary", summary)
      object.key("request")
      object.object { writeRequest(observations.first, to: &$0) }
      object.key("cases")
      object.object { object in
        for recorded in cases { bodies += write(recorded, of: name, to: &object) }
        writeDerived(from: cases.first, to: &object)
      }
    }
    let file = RecordedFile(
      path: "\(target.upstreamFolder)/\(name).json", bytes: writer.laidOutFile, isNew: true)
    return RecordedContract(
      name: name, group: group, path: group.template.pathText, fate: .new, cases: cases,
      indistinctCount: observations.count - cases.count, files: bodies + [file], mask: mask)
  }

  private var summary: String {
    let path = group.exchanges.first?.path ?? "/"
    return "Recorded from \(group.method) \(path)"
  }

  /// Any other value is answered, too: what was sent is an example.
  private func writeRequest(_ model: RecordedGroup.Observation?, to object: inout JSONWriter) {
    object.member("method", group.method)
    object.member("path", group.template.pathText)
    let examples = model.map { group.parameters(of: $0.exchange, mask) } ?? []
    let keys = group.keys(mask)
    let headers = model?.exchange.headers ?? []
    let secrets = group.secretNames(mask).map { "query.\($0)" }
    if !keys.isEmpty || !headers.isEmpty || !secrets.isEmpty {
      object.key("parameters")
      object.object { parameters in
        for key in keys {
          parameters.key(key)
          let example = examples.first { $0.key == key }?.value
          parameters.parameter(isOptional: !key.hasPrefix("path."), example: example)
        }
        for key in secrets {
          parameters.key(key)
          parameters.parameter(isOptional: true, example: nil)
        }
        for header in headers {
          parameters.key("header.\(header.name)")
          let isSafe = mask.masked(header.value) == header.value
          parameters.parameter(isOptional: true, example: isSafe ? header.value : nil)
        }
      }
    }
    guard let sent = model?.exchange.body,
      let example = try? JSONDocument(
        parsing: mask.masked(sent, of: "application/json", number: "0"))
    else { return }
    object.key("body")
    object.object { body in
      body.key("example")
      body.value(example.root)
    }
  }

  /// Writes a case, and answers with the file its body is in if it has one.
  private func write(
    _ recorded: RecordedCase, of contract: String, to object: inout JSONWriter
  ) -> [RecordedFile] {
    object.key(recorded.name)
    guard case .file(let bytes, let suffix) = recorded.body else {
      recorded.write(to: &object, bodyFile: "")
      return []
    }
    let name = shelf.bodyFile("\(contract)-\(recorded.name)", suffix: suffix, holding: bytes)
    recorded.write(to: &object, bodyFile: name)
    return [RecordedFile(path: "\(target.upstreamFolder)/\(name)", bytes: bytes, isNew: true)]
  }

  /// What no live API can be asked for, from the default case.
  private func writeDerived(from model: RecordedCase?, to object: inout JSONWriter) {
    guard let model else { return }
    if let body = model.body.json?.root, body.kind == .object || body.kind == .array {
      object.key("cut-short")
      object.object { cut in
        cut.member("like", model.name)
        cut.key("malform")
        cut.object { $0.member("truncateAt", body.compact.count / 2) }
      }
    }
    object.key("slow")
    object.object { slow in
      slow.member("like", model.name)
      slow.key("delay")
      slow.object { $0.member("fixed", "2s") }
    }
    object.key("reset")
    object.object { $0.member("fault", Fault.connectionResetByPeer.rawValue) }
  }

  // MARK: - One that is there

  /// Adds a case for each status that the contract does not have; its text stays as it is.
  func extending(_ contract: Contract) throws(RecordingError) -> RecordedContract {
    let path = contract.request.paths.first { $0.segments.hasShape(of: group.template) }
    let template = path?.segments ?? group.template
    let statuses = Set(contract.cases.compactMap(\.status))
    let new = group.observations.filter { !statuses.contains($0.status) }
    let keys = template.compactMap {
      if case .parameter(let name) = $0 { "path.\(name)" } else { nil }
    }
    let queryKeys = group.keys(mask).filter { !$0.hasPrefix("path.") }
    var cases = group.cases(
      new, asking: keys + queryKeys + [RecordedCase.bodyKey], hasDefault: false, naming: template,
      taken: Set(contract.cases.map(\.name)), baseURL: target.baseURL, mask)
    // One case for each status is enough beside those that people wrote.
    var seen: Set<Int> = []
    cases.removeAll { !seen.insert($0.status).inserted }
    var files: [RecordedFile] = []
    if !cases.isEmpty { files = try added(cases, to: contract) }
    return RecordedContract(
      name: contract.name, group: group, path: template.pathText,
      fate: cases.isEmpty ? .known : .extended, cases: cases, files: files, mask: mask)
  }

  private func added(
    _ cases: [RecordedCase], to contract: Contract
  ) throws(RecordingError) -> [RecordedFile] {
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
      throw RecordingError(
        message: "cannot add to \(contract.file): \(error)", fix: "mend the file by hand")
    }
  }
}

extension JSONWriter {
  fileprivate mutating func parameter(isOptional: Bool, example: String?) {
    object { parameter in
      if isOptional {
        parameter.key("optional")
        parameter.bool(true)
      }
      if let example { parameter.member("example", example) }
    }
  }
}
