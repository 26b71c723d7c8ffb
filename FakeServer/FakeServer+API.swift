package import UnderstudyContractModel
package import UnderstudySecrets
import UnderstudySystem

// What other APIs of the server do with it.
extension FakeServer {
  /// Where programs on this machine reach it.
  package var origin: Origin { core.localOrigin }

  /// How secrets are masked in what it shows.
  package var mask: SecretMask { core.mask }

  /// Stops the server, if whoever started it allows that.
  package var shutdown: (@Sendable () -> Void)? { core.configuration.shutdownRequested }

  /// Does on a thread of its own what would keep clients waiting.
  package func work(_ job: @escaping @Sendable () -> Void) { EventLoop.inBackground(job) }

  /// Why a request of a session is not served, or by which contract it is.
  package func explain(_ request: Request, session: String) -> Explanation {
    core.layer(of: core.session(named: session)).explain(request)
  }

  /// Deletes the requests of a session from the request log, or those with these numbers.
  package func forgetRequests(_ numbers: Set<UInt64>? = nil, session: String) async {
    await withCheckedContinuation { continuation in
      core.clearJournal(session: session, numbers) { continuation.resume() }
    }
  }

  /// The values of an upstream's state, by name.
  package func state(of upstreamName: String, session: String) -> [String: String] {
    core.session(named: session).stateValues[upstreamName] ?? [:]
  }

  /// Sets names of an upstream's state; `nil` forgets one. Fails where there would be too many.
  package func setState(
    _ values: [String: String?], of upstreamName: String, session: String
  ) -> Bool {
    (try? core.session(named: session).change(values, of: upstreamName)) != nil
  }
}
