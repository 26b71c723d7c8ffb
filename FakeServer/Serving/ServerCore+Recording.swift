import UnderstudyCore
import UnderstudySystem

// What clients of a session ask other servers, and what is kept of it.
extension ServerCore {
  /// Whether what is forwarded may be recorded later, and is kept for that.
  var keepsExchanges: Bool {
    configuration.recording != nil || configuration.live != nil && apis.count > 1
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
  func relay(for session: Session) -> Relay? {
    recordings.relay(of: session.name) ?? configuration.relay
  }

  func startRecording(_ relay: Relay, for session: Session) -> Bool {
    guard recordings.start(relay, of: session.name, since: lastSequence) else { return false }
    recordingChanged(of: session)
    return true
  }

  func stopRecording(for session: Session) -> UInt64? {
    guard let since = recordings.stop(session.name) else { return nil }
    recordingChanged(of: session)
    return since
  }

  private func recordingChanged(of session: Session) {
    if session === mainSession { announceChange() }
    events.add(.recording(recordings.status(of: session.name)), session: session.name)
  }

  /// Refuses addresses to which no client may lead this server, and its own.
  func checkRecordable(_ target: WebURL) throws(Failure) {
    let host = NetworkHost(target.host)
    let address = IPAddress(anyForm: host.text)
    if let address, address.isClosedToRedirects {
      throw Failure(
        message: address.refusalOfRedirect, fix: "name the host of the API that is to be recorded")
    }
    guard !isOwn(host, address, port: target.portNumber) else {
      throw Failure(
        message: "\(target.text) is this server itself",
        fix: "name the API that is to be recorded, not its fake")
    }
  }

  private func isOwn(_ host: NetworkHost, _ other: IPAddress?, port: Int) -> Bool {
    guard ([address] + ownAddresses.values).contains(where: { Int($0.port) == port }) else {
      return false
    }
    guard let other else { return host.isLoopback || host.text == address.host }
    return other.isLoopback
      || Socket.localHosts.contains { local in
        NetworkHost(local.prefix { $0 != "%" }).address == other
      }
  }
}
