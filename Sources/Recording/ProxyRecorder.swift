import Synchronization
package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyDrafting
package import UnderstudyFakeServer
import UnderstudySecrets
package import UnderstudySystem

/// Passes on what clients of a proxy ask the live APIs, and keeps what comes back until it is made
/// into contracts: each host that is asked becomes an upstream.
package final class ProxyRecorder: Sendable {
  private struct State {
    /// By name.
    var targets: [String: RecordingTarget] = [:]
    var numbers = UniqueNames()
    var refusedHosts: Set<String> = []
  }

  /// All that was asked in one run.
  package struct Responses: Sendable {
    package fileprivate(set) var byTarget:
      [(target: RecordingTarget, exchanges: [RecordedExchange])] = []
    /// Whether nothing was passed on.
    package fileprivate(set) var isEmpty = true
    /// Hosts that were not asked, since they are not named.
    package fileprivate(set) var refusedHosts: [String] = []
    /// Why something is missing, in words.
    package fileprivate(set) var unrecorded: [String] = []
    /// What must not be written.
    fileprivate let secrets: [String]
  }

  /// A limit for misbehaving clients.
  private static let refusedCountMax = 50

  private let folder: String
  private let library: ContractLibrary?
  private let onlyHosts: Set<String>
  private let refusesOthers: Bool
  private let relay: LiveRelay
  private let state = Mutex(State())

  /// - Parameter onlyHosts: with or without a port, the hosts that are recorded; all where none is
  ///   named.
  /// - Parameter refusesOthers: whether no other host is asked, but for those of upstreams.
  package init(
    into folder: String, _ library: ContractLibrary?, onlyHosts: [String], refusesOthers: Bool
  ) throws(SystemError) {
    self.folder = folder
    self.library = library
    self.onlyHosts = Set(onlyHosts)
    self.refusesOthers = refusesOthers
    relay = try LiveRelay(isLedAway: true)
  }

  /// For a server without contracts.
  package var proxy: ForwardProxy { ForwardProxy { self.target(of: $0)?.upstreamName } }

  package var configuration: Relay {
    Relay(
      baseURLs: [:], later: { name in self.state.withLock { $0.targets[name]?.baseURL } },
      takesAll: true,
      ask: { [self] relayed, then in
        Errand { then(await self.relay.respond(relayed, keeps: self.keeps(relayed.baseURL))) }
      })
  }

  private func keeps(_ base: WebURL) -> Bool { onlyHosts.isEmpty || isNamed(base) }

  private func isNamed(_ url: WebURL) -> Bool {
    onlyHosts.contains(url.host) || onlyHosts.contains(url.place)
  }

  /// Where a URL is recorded; `nil` for one that is not asked.
  private func target(of url: WebURL) -> RecordingTarget? {
    state.withLock { state in
      let upstreams = library?.upstreams ?? []
      let upstream = upstreams.around(url)
      guard !refusesOthers || upstream != nil || isNamed(url) else {
        if state.refusedHosts.count < Self.refusedCountMax {
          state.refusedHosts.insert(url.authority)
        }
        return nil
      }
      let base = upstream?.baseURL ?? url.origin
      if let known = state.targets.values.first(where: { $0.baseURL == base }) { return known }
      let taken = Set(state.targets.keys).union(upstreams.map(\.name))
      let name =
        upstream?.name
        ?? UpstreamGuess.freeName(for: base, &state.numbers) { !taken.contains($0) }
      let target = RecordingTarget(
        folder: folder, upstreamName: name, baseURL: base, upstream: upstream)
      state.targets[name] = target
      return target
    }
  }

  /// What has come back since the last call.
  package func take() -> Responses {
    let batch = relay.take()
    var responses = Responses(
      unrecorded: batch.unrecorded, secrets: batch.calls.flatMap(\.secrets))
    let (targets, refusedHosts) = state.withLock { ($0.targets, $0.refusedHosts) }
    responses.refusedHosts = refusedHosts.sorted()
    responses.isEmpty = targets.isEmpty
    for (name, target) in targets.sorted(by: { $0.key < $1.key }) {
      let exchanges = batch.calls.filter { $0.upstreamName == name }.map(\.exchange)
      if !exchanges.isEmpty { responses.byTarget.append((target, exchanges)) }
    }
    return responses
  }
}

extension ProxyRecorder.Responses {
  /// The contracts for one of the upstreams.
  package func recording(
    of exchanges: [RecordedExchange], for target: RecordingTarget, paths: [PathTemplate],
    replacesContracts: Bool, differs: ResponseComparison
  ) throws(Failure) -> Recording {
    try Recording(
      of: exchanges, for: target, paths: paths, mask: SecretMask(secrets: [], seen: secrets),
      guessesSlugs: true, replaces: { _ in replacesContracts }, differs: differs)
  }
}
