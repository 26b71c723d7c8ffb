import Synchronization
import UnderstudyContractModel

/// What a mode is set for.
package enum ModePlace: Hashable, Sendable {
  case server
  case upstream(String)
  case contract(String, of: String)

  /// The names of the upstream or the contract; none for the server.
  var names: (upstream: String?, contract: String?) {
    switch self {
    case .server: (nil, nil)
    case .upstream(let name): (name, nil)
    case .contract(let name, let upstream): (upstream, "\(upstream)/\(name)")
    }
  }
}

/// The modes that are set in a session.
struct Modes: Sendable {
  private var server: Mode?
  private var upstreams: [String: Mode] = [:]
  /// By upstream and contract.
  private var contracts: [String: [String: Mode]] = [:]

  var isEmpty: Bool { server == nil && upstreams.isEmpty && contracts.isEmpty }

  mutating func set(_ mode: Mode?, for place: ModePlace) {
    switch place {
    case .server: server = mode
    case .upstream(let name): upstreams[name] = mode
    case .contract(let name, let upstream):
      contracts[upstream, default: [:]][name] = mode
      if contracts[upstream]?.isEmpty ?? false { contracts[upstream] = nil }
    }
  }

  /// The most specific mode that is set and covers the place.
  func mode(of place: ModePlace) -> Mode? {
    switch place {
    case .server: server
    case .upstream(let name): upstreams[name] ?? server
    case .contract(let name, let upstream):
      contracts[upstream]?[name] ?? mode(of: .upstream(upstream))
    }
  }

  /// Whether a contract of the upstream has a mode of its own.
  func distinguishContracts(of upstreamName: String) -> Bool { contracts[upstreamName] != nil }

  /// Whether nothing of the upstream responds.
  func turnsOff(_ upstreamName: String) -> Bool {
    mode(of: .upstream(upstreamName)) == .off
      && (contracts[upstreamName] ?? [:]).values.allSatisfy { $0 == .off }
  }

  /// Whether requests may be passed on to a live API.
  var hasLive: Bool {
    server == .live || upstreams.values.contains(.live)
      || contracts.values.contains { $0.values.contains(.live) }
  }
}

/// The modes of a session while requests ask for them.
///
/// Any thread may use it. Requests take no lock while no mode is set.
final class SessionModes: Sendable {
  private let state = Mutex(Modes())
  /// Written under the lock of the state.
  private let hasModes = Atomic(false)

  var isEmpty: Bool { !hasModes.load(ordering: .acquiring) }

  var all: Modes { isEmpty ? Modes() : state.withLock { $0 } }

  func set(_ mode: Mode?, for place: ModePlace) { change { $0.set(mode, for: place) } }

  func removeAll() { change { $0 = Modes() } }

  private func change(_ body: (inout Modes) -> Void) {
    state.withLock { modes in
      body(&modes)
      hasModes.store(!modes.isEmpty, ordering: .releasing)
    }
  }
}
