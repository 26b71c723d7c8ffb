import Synchronization
package import UnderstudyContractModel
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
    /// `nil` for a socket that somebody else has made.
    var port: UInt16?
    /// The upstream whose port it is; `nil` for the shared one.
    var upstreamName: String?
    /// The session whose cases break its handshakes, in place of the main one's.
    var ownSession: Session?
  }

  let configuration: ServerConfiguration
  /// Where it listens.
  let address: SocketAddress
  /// Where programs on this machine reach it.
  let localOrigin: Origin
  /// The first is the server's own.
  let apis: [any ServerAPI]
  private let contracts: Mutex<Contracts>
  private let contractChangeCount = Atomic<Int>(0)
  private let sessions: Mutex<SessionTable>
  let mainSession: Session
  private let starting: StartingState
  /// The addresses of upstreams with their own port.
  let ownAddresses: [String: SocketAddress]
  private let sequence = PaddedCounter()
  private let outcomes = Atomic<UInt64>(0)
  private let knownListeners = Mutex<[ListenerID]>([])
  /// The request logs of loops that the server has left.
  let leftJournal = Mutex<[JournalRing.Copy]>([])
  let servedCases = ServedCases()
  let mask: SecretMask
  let arrivals = ChangeSignal()
  let bodyRoom: BodyRoom
  let waitingResponses: WaitingResponses
  let callbacks: CallbackLog
  let events: EventFeed
  let exchanges = RelayedExchanges()
  let recordings = SessionRecordings()

  init(
    _ library: ContractLibrary, _ configuration: ServerConfiguration, api: any ServerAPI,
    address: SocketAddress? = nil, ownAddresses: [String: SocketAddress] = [:]
  ) {
    self.configuration = configuration
    self.address = address ?? configuration.address
    localOrigin = Origin(
      isSecure: configuration.certificates != nil && configuration.announcesTLS,
      authority: "\(self.address.local)")
    apis = [api] + configuration.apis
    self.ownAddresses = ownAddresses
    let mask = SecretMask(names: configuration.redactedNames + [AccessGate.tokenName.text])
    let events = EventFeed(configuration.limits.events, mask, configuration.limits.message)
    (self.mask, self.events) = (mask, events)
    starting = StartingState(library.upstreams)
    sessions = Mutex(
      SessionTable(
        countMax: configuration.limits.sessionCountMax, seed: configuration.seed,
        starting: starting, events: events))
    contracts = Mutex(
      Contracts(
        files: Layer(.shared(library, rewritesLinks: configuration.rewritesLinks))))
    mainSession = Session(
      name: "", starting: starting, seed: configuration.seed, events: events)
    bodyRoom = BodyRoom(byteCount: configuration.limits.bodiesByteCountMax)
    waitingResponses = WaitingResponses(
      countMax: configuration.limits.heldCountMax,
      byteCountMax: configuration.limits.heldByteCountMax)
    callbacks = CallbackLog(
      openCountMax: configuration.limits.callbackCountMax,
      byteCountMax: configuration.limits.journalByteCountMax)
  }

  /// The contracts that respond to clients without a session.
  private struct Contracts {
    var files: Layer
    /// The contracts made at run time, above the files; `nil` until a request needs them.
    var top: Layer?
  }

  /// The contracts that respond to clients without a session.
  var layer: Layer {
    contracts.withLock { contracts in
      if let top = contracts.top { return top }
      let top = mainSession.stubs.layer(above: contracts.files)
      contracts.top = top
      return top
    }
  }

  /// The contracts that respond to clients of a session.
  func layer(of session: Session) -> Layer {
    session === mainSession ? layer : session.stubs.layer(above: layer)
  }

  /// The contracts of this name, the one that responds to clients of the session first, without
  /// indexing what was made at run time.
  func contracts(named name: String, of upstreamName: String, for session: Session) -> [Contract] {
    let made = [session, mainSession].map { $0.stubs.contract(named: name, of: upstreamName) }
    let files = contracts.withLock { $0.files }.library.index.upstream(named: upstreamName)
    return (made + [files?.contract(named: name)]).compactMap(\.self)
  }

  /// The upstreams of a session, without indexing what was made at run time.
  func upstreamNames(of session: Session) -> [String] {
    let files = contracts.withLock { $0.files }.upstreamNames
    return session.stubs.upstreamNames.union(mainSession.stubs.upstreamNames).union(files).sorted()
  }

  /// Where callbacks of an upstream may lead, as its file says.
  func callbackHosts(of upstreamName: String) -> CallbackHosts {
    contracts.withLock { $0.files }.library.index.upstream(named: upstreamName)?.callbackHosts
      ?? CallbackHosts()
  }

  /// Changes when contracts or modes for clients without a session do.
  var contractNumber: Int { contractChangeCount.load(ordering: .acquiring) }

  /// Responds to new requests from these contracts; requests in progress keep theirs.
  ///
  /// - Parameter readAt: when reading them began, in monotonic nanoseconds.
  func replaceLibrary(with library: ContractLibrary, readAt: Int64 = .max) {
    let files = Layer(.shared(library, rewritesLinks: configuration.rewritesLinks))
    for session in allSessions { session.stubs.removeSaved(in: files, readAt: readAt) }
    starting.replace(with: library.upstreams)
    contracts.withLock { $0 = Contracts(files: files) }
    announceChange()
  }

  /// Lets all ports notice a change of contracts or modes.
  func announceChange() { contractChangeCount.wrappingAdd(1, ordering: .releasing) }

  /// Called when the contracts made at run time for a session have changed.
  func stubsChanged(of session: Session) {
    guard session === mainSession else { return }
    contracts.withLock { $0.top = nil }
    announceChange()
  }

  func hasOwnPort(_ upstreamName: String) -> Bool { ownAddresses[upstreamName] != nil }

  /// The base URL of an upstream for clients that reach the server at `origin`.
  func baseURL(of upstream: Upstream, at origin: Origin, session: String) -> String {
    let prefix = session.isEmpty ? "" : "/~\(PercentEncoding.encode(session))"
    guard let own = ownAddresses[upstream.name] else {
      return Self.joined(
        origin.scheme, origin.authority, prefix, "/", upstream.name, upstream.basePath)
    }
    return Self.joined(
      origin.scheme, own.reached(by: origin.authority), prefix, upstream.basePath)
  }

  /// Templates have URLs in most responses; an interpolation, which knows no size, costs five times
  /// as much.
  private static func joined(_ parts: String...) -> String {
    var text = ""
    text.reserveCapacity(parts.reduce(0) { $0 + $1.utf8.count })
    for part in parts { text += part }
    return text
  }

  /// The session of this name, created on first use.
  func session(named name: String) -> Session {
    if name.isEmpty { return mainSession }
    let (session, forgotten) = sessions.withLock {
      $0.session(named: name, after: lastSequence)
    }
    if let forgotten {
      for response in forgotten.reset() { response.letGo() }
      callbacks.remove { $1 == forgotten.name }
      hasEnded(named: forgotten.name)
      begin(session: forgotten.name)
    }
    return session
  }

  /// Called when the admin API has let somebody control a session.
  func noteControl(ofSession name: String) {
    if name.isEmpty { return }
    // It may be its first use.
    _ = session(named: name)
    sessions.withLock { $0.noteControl(of: name) }
  }

  /// Tells the APIs that a session is in its initial state.
  func begin(session: String) {
    if recordings.stop(session) != nil, session.isEmpty { announceChange() }
    guard apis.count > 1 else { return }
    for api in apis { api.begin(ServerSession(name: session, core: self)) }
  }

  /// The session of this name, if it is in use.
  func knownSession(named name: String) -> Session? {
    name.isEmpty ? mainSession : sessions.withLock { $0[name] }
  }

  /// The names of all sessions except the main one, sorted.
  var sessionNames: [String] { sessions.withLock { $0.names.sorted() } }

  /// All sessions, including the main one.
  var allSessions: [Session] { sessions.withLock { $0.all } + [mainSession] }

  func removeSession(named name: String) {
    sessions.withLock { $0.remove(name) }
  }

  func resetSessions() {
    for session in sessions.withLock({ $0.removeAll() }) {
      session.reset()
      begin(session: session.name)
    }
    mainSession.reset()
    stubsChanged(of: mainSession)
    begin(session: "")
  }

  /// The server's listeners, on each of its loops.
  var listeners: [ListenerID] { knownListeners.withLock { $0 } }

  func add(_ listener: ListenerID) { knownListeners.withLock { $0.append(listener) } }

  func remove(_ listener: ListenerID) {
    knownListeners.withLock {
      $0.removeAll { $0.number == listener.number && $0.loop === listener.loop }
    }
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

/// Controls a server over HTTP.
package protocol ServerAPI: Sendable {
  /// Begins the paths that are the API's, even if a contract has them: `/__understudy`.
  var prefix: String { get }

  /// Calls back on any thread. Returns the errand of a request that waits for something.
  func respond(_ call: ServerCall, then: @escaping @Sendable (OwnResponse) -> Void) -> Errand?

  /// Called when a session is in its initial state: the main one, whose name is empty, at the
  /// start, and each after a reset.
  func begin(_ session: ServerSession)
}

extension ServerAPI {
  package func begin(_ session: ServerSession) {}

  /// Whether a path, without its session, is the API's.
  func owns(_ path: String) -> Bool {
    path.hasPrefix(prefix) && (path.count == prefix.count || path.hasPrefix("\(prefix)/"))
  }
}

/// A request to an API of a server.
package struct ServerCall: Sendable {
  package let request: Request
  package let session: ServerSession
  package let gate: AccessGate
}

/// A session of a server, as its APIs see it.
package struct ServerSession: Sendable {
  /// Empty for the main one.
  package let name: String
  let core: ServerCore

  /// Called when an API has let somebody control it.
  package func noteControl() { core.noteControl(ofSession: name) }
}

/// A number that all threads change often, alone in its cache lines.
private struct PaddedCounter: ~Copyable {
  private let before = SIMD16<UInt64>()
  let count = Atomic<UInt64>(0)
  private let after = SIMD16<UInt64>()
}
