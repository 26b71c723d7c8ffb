import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyJSON
import UnderstudySecrets

// Stubs made of what other servers have responded.
extension AdminWork {
  func recordingStatus() -> OwnResponse {
    let status =
      switch server.recordingStatus(session: session) {
      case .neverStarted: "NeverStarted"
      case .recording: "Recording"
      case .stopped: "Stopped"
      }
    return .json(["status": .string(status)])
  }

  /// Stands in the place of another server until the recording is stopped.
  func startRecording() throws(AdminRefusal) -> OwnResponse {
    let spec = try RecordSpec(try body())
    guard let target = spec.target else {
      throw .other(
        .error(
          422, code: 10, "targetBaseUrl is required",
          detail: "add the URL of the API that is to be recorded: \"targetBaseUrl\": \"https://…\"",
          source: ["pointer": "/targetBaseUrl"]))
    }
    if spec.isPersistent == true { _ = try folder() }
    let isNew: Bool
    do throws(Failure) {
      isNew = try api.startRecording(spec, of: target, on: server, session: session)
    } catch {
      throw .wrong("/targetBaseUrl", "\(error.message); \(error.fix ?? "")")
    }
    guard isNew || api.recordSpec(of: session)?.text == spec.text else {
      throw .other(
        .error(
          409, code: 30, "Already recording",
          detail: "another recording is under way; POST /__admin/recordings/stop ends it"))
    }
    return .emptyObject
  }

  func stopRecording() throws(AdminRefusal) -> OwnResponse {
    guard let (spec, kept) = api.stopRecording(on: server, session: session) else {
      throw .other(
        .error(
          400, code: 30, "Not currently recording.",
          detail: "start a recording first, with POST /__admin/recordings/start"))
    }
    let events = kept.all.filter { exchange in
      (spec.numbers?.contains(exchange.sequence) ?? true)
        && (spec.pattern?.matches(exchange.request) ?? true)
    }
    return try record(
      events.map { RecordedEvent($0) }, spec, notes: kept.isWhole ? [] : [KeptExchanges.limit])
  }

  /// Makes stubs of the requests in the request log that were forwarded, or of all.
  func takeSnapshot() async throws(AdminRefusal) -> OwnResponse {
    let spec = try RecordSpec(
      request.body.isEmpty ? JSONText.emptyObject.root ?? .null : try body())
    if spec.isPersistent == true { _ = try folder() }
    let kept = server.exchanges(session: session).all
    var events = kept.map { RecordedEvent($0) }
    var notes: [String] = []
    if spec.allowsNonProxied {
      let numbers = Set(kept.map(\.sequence))
      let entries = await server.journal(JournalQuery { $0.session = session })
      for entry in entries where !numbers.contains(entry.sequence) && entry.status != nil {
        if entry.body.count < entry.bodyByteCount {
          notes.append(
            "\(entry.method) \(server.mask.masked(target: entry.path)) is not recorded: the request"
              + " log has only the beginning of its body")
        } else {
          events.append(event(entry).recorded)
        }
      }
      events.sort { $0.number < $1.number }
    }
    return try record(
      events.filter { event in
        (spec.numbers?.contains(event.number) ?? true)
          && (spec.pattern?.matches(event.request) ?? true)
      }, spec, notes: notes)
  }

  /// Serves a stub for each request from now on, and writes it to the folder unless that is not
  /// wanted.
  private func record(
    _ events: [RecordedEvent], _ spec: RecordSpec, notes: [String]
  ) throws(AdminRefusal) -> OwnResponse {
    let mask = server.mask.adding(seen: events.flatMap(\.secrets))
    let isPersistent = spec.isPersistent ?? (api.options.folder != nil)
    var notes = notes
    var stubs: [RecordedStub] = []
    for event in events {
      if let refusal = event.refusal(mask) {
        notes.append([refusal.message, refusal.fix].compactMap(\.self).joined(separator: "; "))
        continue
      }
      let stub = RecordedStub(event, spec, mask)
      if stub.takesAnyBody {
        notes.append("\(event.title(mask)) had a secret in its body, so its stub takes any body")
      }
      stubs.append(stub)
    }
    stubs = RecordedStub.ordered(stubs, hasScenarios: spec.hasScenarios)
    let made = try api.withFolder { () throws(AdminRefusal) -> [StubTable.Stub] in
      let results = change { table in
        stubs.map { stub -> (RecordedStub, Result<StubTable.Stub, AdminRefusal>) in
          if let file = stub.file { table.addFile(file.name, file.bytes) }
          return (
            stub,
            Result { () throws(AdminRefusal) in
              try table.put(stub.text(isPersistent: isPersistent).root ?? .null)
            }
          )
        }
      }
      var made: [StubTable.Stub] = []
      for (stub, result) in results {
        switch result {
        case .success(let served):
          if isPersistent {
            if let file = stub.file { try write(file.bytes, to: file.name) }
            try save(served)
          }
          made.append(served)
        case .failure(let refusal):
          notes.append("\(stub.event.title(mask)) is not recorded: \(refusal.reason)")
        }
      }
      return made
    }
    return .json(
      .object([
        ("ids", spec.returnsIDs ? .strings(made.map(\.id)) : nil),
        ("mappings", spec.returnsIDs ? nil : .array(made.map(\.json))),
        ("notes", notes.isEmpty ? nil : .strings(notes)),
      ]))
  }
}

extension AdminRefusal {
  /// In words, for a stub that a client did not write.
  fileprivate var reason: String {
    switch self {
    case .wrong(_, let reason): reason
    case .unknown, .other: "the stub cannot be served"
    }
  }
}

extension ServeEvent {
  /// The response is the one of the stub.
  fileprivate var recorded: RecordedEvent {
    let response = json.root?["response"] ?? .null
    let headers = (response["headers"] ?? .null).members.flatMap { member in
      let values = member.value.string.map { [$0] } ?? member.value.elements.compactMap(\.string)
      return values.map { HeaderField(name: member.key, value: $0) }
    }
    return RecordedEvent(
      entry, status: entry.status ?? 404, headers: headers,
      body: response["bodyAsBase64"]?.string.flatMap(Base64.decode) ?? [])
  }
}
