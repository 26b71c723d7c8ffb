import Synchronization
import UnderstudyContractModel
import UnderstudySecrets

/// How a server is to behave.
package struct ServerConfiguration: Sendable {
  package var address = SocketAddress(host: "127.0.0.1", port: 0)
  package var threadCount = 1
  package var limits = ServerLimits()
  /// Factor by which every delay is multiplied.
  package var timeScale = 1.0
  /// For everything that is drawn.
  package var seed: UInt64 = 0
  /// Whether answers tell the contract and the case they come from.
  package var namesCases = true
  /// Whether browsers on any page may read the answers.
  package var allowsCORS = false
  /// Whose pages may read the answers, and send requests that are relayed: as browsers write it.
  package var allowedOrigins: Set<String> = []
  /// Whether links to live APIs in answers lead to the fake instead.
  package var rewritesLinks = false
  /// Whether each upstream has a port of its own besides the one they share.
  package var givesPorts = false
  /// What the admin API asks for as `Authorization: Bearer …` or `Understudy-Token`, nothing if it is
  /// `nil`; must be there to listen to more than this machine, where the relay asks for it, too.
  package var adminToken: String?
  /// Headers and query parameters the journal does not show, beside those that carry credentials
  /// anyway.
  package var redactedNames: [String] = []
  /// Who answers what no contract does, or all of it.
  package var relay: Relay?
  /// Called when the admin API is asked to end the server, which is its owner's to do.
  package var shutdownRequested: (@Sendable () -> Void)?
  /// Told of every request that is over, in batches, on a thread that must not be kept.
  package var listener: (@Sendable ([Exchange]) -> Void)?

  package init() {}
}

/// What all loops of one server share: its contracts, sessions and ways.
///
/// Any thread may use it.
final class ServerCore: Sendable {
  let configuration: ServerConfiguration
  private let playableLibrary: Mutex<PlayableLibrary>
  private let libraryChangeCount = Atomic<Int>(0)
  private let sessions: Mutex<SessionTable>
  let mainSession: Session
  /// Those of the upstreams that have a port of their own.
  private let ownAddresses: [String: SocketAddress]
  private let sequence = LonelyCounter()
  private let seated = Mutex<[Place]>([])
  /// What the journal held on the loops that the server has left.
  let leftJournal = Mutex<[JournalReader.Raw]>([])
  private let given = Atomic<UInt64>(0)
  let mask: SecretMask
  let arrivals = Bell()
  let bodyRoom: BodyRoom

  init(
    _ library: ContractLibrary, _ configuration: ServerConfiguration,
    ownAddresses: [String: SocketAddress] = [:]
  ) {
    self.configuration = configuration
    self.ownAddresses = ownAddresses
    sessions = Mutex(SessionTable(countMax: configuration.limits.sessionCountMax))
    playableLibrary = Mutex(.shared(library, rewritesLinks: configuration.rewritesLinks))
    mainSession = Session(name: "")
    bodyRoom = BodyRoom(byteCount: configuration.limits.bodiesByteCountMax)
    mask = SecretMask(names: configuration.redactedNames + [AccessGate.tokenName])
  }

  var library: PlayableLibrary {
    get { playableLibrary.withLock { $0 } }
    set {
      playableLibrary.withLock { $0 = newValue }
      libraryChangeCount.wrappingAdd(1, ordering: .releasing)
    }
  }

  /// Another number means that there is another library.
  var libraryNumber: Int { libraryChangeCount.load(ordering: .acquiring) }

  /// Lets requests from now on be answered by these contracts; those under way keep theirs.
  func replaceLibrary(with library: ContractLibrary) {
    self.library = .shared(library, rewritesLinks: configuration.rewritesLinks)
  }

  func hasOwnPort(_ upstreamName: String) -> Bool { ownAddresses[upstreamName] != nil }

  /// The address of an upstream for clients of a server that is reached at `authority`.
  func baseURL(of upstream: Upstream, at authority: String, session: String) -> String {
    let prefix = session.isEmpty ? "" : "/~\(PercentEncoding.encode(session))"
    guard let own = ownAddresses[upstream.name] else {
      return "http://\(authority)\(prefix)/\(upstream.name)\(upstream.basePath)"
    }
    return "http://\(own.reached(by: authority))\(prefix)\(upstream.basePath)"
  }

  /// The session of this name, made when it is first asked for.
  func session(named name: String) -> Session {
    if name.isEmpty { return mainSession }
    let (session, forgotten) = sessions.withLock {
      $0.session(named: name, after: lastSequence)
    }
    for answer in forgotten?.reset() ?? [] { answer.letGo() }
    return session
  }

  /// Those that are remembered, the main one aside, sorted.
  var sessionNames: [String] { sessions.withLock { $0.names.sorted() } }

  /// The main one and all others.
  var allSessions: [Session] { sessions.withLock { $0.all } + [mainSession] }

  func removeSession(named name: String) {
    sessions.withLock { $0.remove(name) }
  }

  func resetSessions() {
    for session in sessions.withLock({ $0.removeAll() }) { session.reset() }
    mainSession.reset()
  }

  /// Where the server is to be found, on each of its loops.
  var places: [Place] {
    get { seated.withLock { $0 } }
    set { seated.withLock { $0 = newValue } }
  }

  func nextSequence() -> UInt64 {
    sequence.count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
  }

  /// The number of the last request.
  var lastSequence: UInt64 { sequence.count.load(ordering: .sequentiallyConsistent) }

  /// The number of the last request that a test was given.
  var lastGiven: UInt64 { given.load(ordering: .acquiring) }

  /// Fails when this request, or a later one, was given already.
  func give(_ sequence: UInt64) -> Bool {
    given.max(sequence, ordering: .acquiringAndReleasing).oldValue < sequence
  }

  /// Waits until there is a request after the one with this number, or the server is closed.
  func waitForArrival(after sequence: UInt64) async {
    await arrivals.wait { [self] in lastSequence > sequence }
  }
}

/// A number that all threads change all the time, with no other in the cache lines they then pass to
/// and fro.
private struct LonelyCounter: ~Copyable {
  private let before = InlineArray<16, UInt64>(repeating: 0)
  let count = Atomic<UInt64>(0)
  private let after = InlineArray<16, UInt64>(repeating: 0)
}
