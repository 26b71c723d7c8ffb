package import UnderstudyCore

// Recording what the clients of a session ask other servers.
extension FakeServer {
  package func recordingStatus(session: String) -> RecordingStatus {
    core.recordings.status(of: session)
  }

  /// Forwards what clients of a session ask to another server, in whose place this one stands, even
  /// where contracts respond to it. Returns false if the session is recording already.
  package func startRecording(
    of target: WebURL, as upstreamName: String, session: String
  ) throws(Failure) -> Bool {
    try core.checkRecordable(target)
    guard let ask = core.configuration.live else {
      throw Failure(
        message: "this server cannot reach other servers",
        fix: "start it with understudy wiremock")
    }
    let relay = Relay(
      baseURLs: [upstreamName: target.origin], takesAll: true,
      ask: { relayed, then in ask(relayed.below(target), then) })
    return core.startRecording(relay, for: core.session(named: session))
  }

  /// What was forwarded since the recording began; `nil` if the session is not recording.
  package func stopRecording(session: String) -> KeptExchanges? {
    let session = core.session(named: session)
    return core.stopRecording(for: session).map {
      core.exchanges.found(of: session.name, after: $0)
    }
  }

  /// What was forwarded for the clients of a session, as far as the request log has it.
  package func exchanges(session: String) -> KeptExchanges {
    core.exchanges.found(of: session, after: 0)
  }
}
