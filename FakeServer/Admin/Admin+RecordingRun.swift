import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

// What clients of a session ask live APIs, as contracts.
extension Admin {
  func recordingState() -> OwnResponse { .members { write(recording: &$0) } }

  func write(recording object: inout JSONWriter) {
    let recordsAnyway = core.configuration.relay != nil
    let status = recordsAnyway ? .recording : core.recordings.status(of: session.name)
    object.member("status", status.rawValue)
    object.key("mayStart")
    object.bool(!recordsAnyway && core.configuration.recording != nil)
  }

  private func recorder() throws(Problem) -> any ContractRecording {
    guard core.configuration.relay == nil else { throw .recordsAnyway }
    guard let recording = core.configuration.recording else { throw .mayNotRecord }
    return recording
  }

  func startRecording(_ request: Request, _ then: @escaping Then) throws(Problem) {
    let recorder = try recorder()
    var chosen: [(name: String, baseURL: WebURL?)] = []
    var takesAll = false
    if !request.body.isEmpty {
      let body = try AdminBody(request)
      try body.expectKeys(["upstreams", "all"])
      if let value = body["all"] {
        guard let flag = value.bool else { throw .unexpected(value, expected: "true or false") }
        takesAll = flag
      }
      if body["upstreams"] != nil { chosen = try Self.upstreams(try body.object("upstreams")) }
    }
    EventLoop.inBackground { [self, chosen, takesAll] in
      do throws(Failure) {
        let baseURLs = try recorder.baseURLs(of: chosen)
        for name in baseURLs.keys.sorted() {
          if let url = baseURLs[name] { try core.checkRecordable(url) }
        }
        let relay = Relay(baseURLs: baseURLs, takesAll: takesAll, ask: recorder.ask)
        guard core.startRecording(relay, for: session) else {
          return then(Problem.recordsAlready.response)
        }
        then(
          .members { object in
            object.member("status", RecordingStatus.recording.rawValue)
            object.key("upstreams")
            object.object { upstreams in
              for (name, url) in baseURLs.sorted(by: { $0.key < $1.key }) {
                upstreams.member(name, url.text)
              }
            }
          })
      } catch {
        then(Problem.notRecordable(error).response)
      }
    }
  }

  /// None means all.
  private static func upstreams(
    _ value: JSONValue
  ) throws(Problem) -> [(name: String, baseURL: WebURL?)] {
    guard value.count > 0 else {
      throw .unexpected(value, expected: "an upstream, or no \"upstreams\" for all")
    }
    var chosen: [(name: String, baseURL: WebURL?)] = []
    for member in value.members {
      let isName =
        !member.key.isEmpty && !member.key.hasPrefix("-")
        && member.key.utf8.allSatisfy { $0.isDigit || $0 == .hyphen || 0x61...0x7A ~= $0 }
      guard isName else {
        throw .badRequest(
          "found upstream \(member.key.quotedAndCut), expected lower-case letters, digits and -",
          at: member.keyPosition)
      }
      guard !member.value.isNull else {
        chosen.append((member.key, nil))
        continue
      }
      guard let text = member.value.string, let url = WebURL(base: text) else {
        throw .unexpected(
          member.value,
          expected: "the http or https URL of a live API without a query, or null for the one of"
            + " upstream.json")
      }
      chosen.append((member.key, url))
    }
    return chosen
  }

  func stopRecording(_ then: @escaping Then) throws(Problem) {
    let recorder = try recorder()
    guard let since = core.stopRecording(for: session) else { throw .recordsNothing }
    write(core.exchanges.found(of: session.name, after: since), recorder, then)
  }

  func takeSnapshot(_ then: @escaping Then) throws(Problem) {
    write(core.exchanges.found(of: session.name, after: 0), try recorder(), then)
  }

  private func write(
    _ kept: KeptExchanges, _ recorder: any ContractRecording, _ then: @escaping Then
  ) {
    EventLoop.inBackground {
      let result = recorder.record(kept.all)
      let lost = kept.isWhole ? [] : [Failure(message: KeptExchanges.limit)]
      then(
        .members { object in
          object.member("requests", kept.all.count)
          object.member("files", result.files)
          object.key("unrecorded")
          object.array { array in
            for failure in lost + result.unrecorded {
              array.object { one in
                one.member("message", failure.message)
                one.member("fix", failure.fix)
              }
            }
          }
        })
    }
  }
}

extension Problem {
  fileprivate static let mayNotRecord = Self(
    status: 403, title: "The server may not write files",
    detail: "only a server that was started with --allow-save records for its clients",
    fix: "understudy serve --allow-save")

  fileprivate static let recordsAnyway = Self(
    status: 409, title: "The server records all the time",
    detail: "it was started to record, and writes contracts as requests arrive",
    fix: "start it with --allow-save in place of --record")

  fileprivate static let recordsAlready = Self(
    status: 409, title: "The session is recording already",
    detail: "another recording is under way", fix: "POST /__understudy/recording/stop ends it")

  fileprivate static let recordsNothing = Self(
    status: 409, title: "The session is not recording", detail: "there is no recording to stop",
    fix: "POST /__understudy/recording/start begins one")

  fileprivate static func notRecordable(_ failure: Failure) -> Self {
    Self(
      status: 422, title: "The upstreams cannot be recorded", detail: failure.message,
      fix: failure.fix)
  }
}
