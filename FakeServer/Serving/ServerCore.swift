import Synchronization
import UnderstudyContractModel
import UnderstudyCore
import UnderstudySecrets
import UnderstudySystem

/// The state shared by all loops of a server: contracts, sessions and configuration.
///
/// Any thread may use it.
final class ServerCore: Sendable {
  /// A listener, by its loop and its number there.
  struct ListenerID: Sendable {
    let loop: EventLoop
    let number: Int
  }

  let configuration: ServerConfiguration
  let api: any ServerAPI.Type
  private let playableLibrary: Mutex<PlayableLibrary>
  private let libraryChangeCount = Atomic<Int>(0)
  private let sessions: Mutex<SessionTable>
  let mainSession: Session
  /// The addresses of upstreams with their own port.
  private let ownAddresses: [String: SocketAddress]
  private let sequence = PaddedCounter()
  private let outcomes = Atomic<UInt64>(0)
  private let knownPlaces = Mutex<[ListenerID]>([])
  /// The journals of loops that the server has left.
  let leftJournal = Mutex<[JournalRing.Copy]>([])
  let playedCases = PlayedCases()
  let mask: SecretMask
  let arrivals = ChangeSignal()
  let bodyRoom: BodyRoom

  init(
    _ library: ContractLibrary, _ configuration: ServerConfiguration, api: any ServerAPI.Type,
    ownAddresses: [String: SocketAddress] = [:]
  ) {
    self.configuration = configuration
    self.api = api
    self.ownAddresses = ownAddresses
    sessions = Mutex(
      SessionTable(
        countMax: configuration.limits.sessionCountMax, seed: configuration.seed))
    playableLibrary = Mutex(.shared(library, rewritesLinks: configuration.rewritesLinks))
    mainSession = Session(name: "", seed: configuration.seed)
    bodyRoom = BodyRoom(byteCount: configuration.limits.bodiesByteCountMax)
    mask = SecretMask(names: configuration.redactedNames + [AccessGate.tokenName.text])
  }

  var library: PlayableLibrary { playableLibrary.withLock { $0 } }

  /// Changes when the library is replaced.
  var libraryNumber: Int { libraryChangeCount.load(ordering: .acquiring) }

  /// Answers new requests from these contracts; requests in progress keep theirs.
  func replaceLibrary(with library: ContractLibrary) {
    let new = PlayableLibrary.shared(library, rewritesLinks: configuration.rewritesLinks)
    playableLibrary.withLock { $0 = new }
    libraryChangeCount.wrappingAdd(1, ordering: .releasing)
  }

  func hasOwnPort(_ upstreamName: String) -> Bool { ownAddresses[upstreamName] != nil }

  /// The base URL of an upstream for clients that reach the server at `authority`.
  func baseURL(of upstream: Upstream, at authority: String, session: String) -> String {
    let prefix = session.isEmpty ? "" : "/~\(PercentEncoding.encode(session))"
    guard let own = ownAddresses[upstream.name] else {
      return "http://\(authority)\(prefix)/\(upstream.name)\(upstream.basePath)"
    }
    return "http://\(own.reached(by: authority))\(prefix)\(upstream.basePath)"
  }

  /// The session of this name, created on first use.
  func session(named name: String) -> Session {
    if name.isEmpty { return mainSession }
    let (session, forgotten) = sessions.withLock {
      $0.session(named: name, after: lastSequence)
    }
    for answer in forgotten?.reset() ?? [] { answer.letGo() }
    return session
  }

  /// The names of all sessions except the main one, sorted.
  var sessionNames: [String] { sessions.withLock { $0.names.sorted() } }

  /// All sessions, including the main one.
  var allSessions: [Session] { sessions.withLock { $0.all } + [mainSession] }

  func removeSession(named name: String) {
    sessions.withLock { $0.remove(name) }
  }

  func resetSessions() {
    for session in sessions.withLock({ $0.removeAll() }) { session.reset() }
    mainSession.reset()
  }

  /// The server's listeners, on each of its loops.
  var places: [ListenerID] {
    get { knownPlaces.withLock { $0 } }
    set { knownPlaces.withLock { $0 = newValue } }
  }

  func nextSequence() -> UInt64 {
    sequence.count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
  }

  /// The number of the last request.
  var lastSequence: UInt64 { sequence.count.load(ordering: .sequentiallyConsistent) }

  /// Grows whenever the status or outcome of an earlier request becomes known.
  var outcomeCount: UInt64 { outcomes.load(ordering: .sequentiallyConsistent) }

  func outcomeBecameKnown() {
    outcomes.wrappingAdd(1, ordering: .sequentiallyConsistent)
    arrivals.ring()
  }
}

/// Controls a server over HTTP, created for each request. It is built on the core, which receives
/// it at the start.
protocol ServerAPI: Sendable {
  /// Whether a path, without its session, is the API's, even if a contract has it.
  static func owns(_ path: String) -> Bool

  init(core: ServerCore, sessionName: String)

  /// Calls back on any thread. Returns the errand of a request that waits for something.
  func answer(
    _ request: Request, through gate: AccessGate, then: @escaping @Sendable (OwnAnswer) -> Void
  ) -> Errand?
}

/// A number that all threads change often, alone in its cache lines.
private struct PaddedCounter: ~Copyable {
  private let before = InlineArray<16, UInt64>(repeating: 0)
  let count = Atomic<UInt64>(0)
  private let after = InlineArray<16, UInt64>(repeating: 0)
}
