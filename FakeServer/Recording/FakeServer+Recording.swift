package import UnderstudyCore
import UnderstudySystem

// Recording what the clients of a session ask other servers.
extension FakeServer {
  package func recordingStatus(session: String) -> RecordingStatus {
    core.session(named: session).recording.status
  }

  /// Forwards what clients of a session ask to another server, in whose place this one stands, even
  /// where contracts respond to it. Returns false if the session is recording already.
  package func startRecording(
    of target: WebURL, as upstreamName: String, session: String
  ) throws(Failure) -> Bool {
    try core.checkRecordable(target)
    let ask = core.configuration.live
    let relay = Relay(
      baseURLs: [upstreamName: target.origin], takesAll: true,
      ask: { relayed, then in ask?(relayed.below(target), then) })
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

extension ServerCore {
  /// Whether what is forwarded may be recorded later, and is kept for that.
  var keepsExchanges: Bool {
    configuration.live != nil && apis.count > 1
  }

  /// Keeps what was forwarded, to be recorded.
  func keep(
    _ response: RelayedResponse, to relayed: RelayedRequest, as sequence: UInt64, session: String
  ) {
    guard keepsExchanges, response.problem == nil else { return }
    exchanges.keep(
      RelayedExchange(
        sequence: sequence, upstreamName: relayed.upstreamName, baseURL: relayed.baseURL,
        request: relayed.request, response: response),
      session: session)
  }

  /// Where the requests of a session are forwarded.
  func relay(for session: Session) -> Relay? { session.recording.relay ?? configuration.relay }

  func startRecording(_ relay: Relay, for session: Session) -> Bool {
    guard session.recording.start(relay, since: lastSequence) else { return false }
    recordingChanged(of: session)
    return true
  }

  func stopRecording(for session: Session) -> UInt64? {
    guard let since = session.recording.stop() else { return nil }
    recordingChanged(of: session)
    return since
  }

  private func recordingChanged(of session: Session) {
    if session === mainSession { announceChange() }
  }

  /// Refuses addresses to which no client may lead this server, and its own.
  func checkRecordable(_ target: WebURL) throws(Failure) {
    guard configuration.live != nil else {
      throw Failure(
        message: "this server cannot reach other servers",
        fix: "only understudy serve and understudy wiremock record")
    }
    let host = NetworkHost(target.host)
    if let address = host.address, address.isClosedToRedirects {
      throw Failure(
        message: address.refusalOfRedirect, fix: "name the host of the API that is to be recorded")
    }
    guard !isOwn(host, port: target.portNumber) else {
      throw Failure(
        message: "\(target.text) is this server itself",
        fix: "name the API that is to be recorded, not its fake")
    }
  }

  private func isOwn(_ host: NetworkHost, port: Int) -> Bool {
    guard ([address] + ownAddresses.values).contains(where: { Int($0.port) == port }) else {
      return false
    }
    return host.isLoopback || host.text == address.host
      || Socket.localHosts.contains { NetworkHost($0).address == host.address }
  }
}
