import ContractModel
import Synchronization

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
  /// Whether links to live APIs in answers lead to the fake instead.
  package var rewritesLinks = false
  /// Whether each upstream has a port of its own besides the one they share.
  package var givesPorts = false
  /// What the admin API wants to see; must be there to listen to more than this machine.
  package var adminToken: String?
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
  private let sessions = Mutex<[String: Session]>([:])
  let mainSession: Session
  /// Host and port of each upstream that has a port of its own.
  private let authorities: [String: String]
  private let generator: Mutex<PlayGenerator>
  private let sequence = Atomic<UInt64>(0)

  init(
    _ library: ContractLibrary, _ configuration: ServerConfiguration,
    authorities: [String: String] = [:]
  ) {
    self.configuration = configuration
    self.authorities = authorities
    playableLibrary = Mutex(
      PlayableLibrary(library, rewritesLinks: configuration.rewritesLinks))
    mainSession = Session(name: "")
    generator = Mutex(PlayGenerator(seed: configuration.seed))
  }

  var library: PlayableLibrary {
    get { playableLibrary.withLock { $0 } }
    set { playableLibrary.withLock { $0 = newValue } }
  }

  /// Lets requests from now on be answered by these contracts; those under way keep theirs.
  func replaceLibrary(with library: ContractLibrary) {
    self.library = PlayableLibrary(library, rewritesLinks: configuration.rewritesLinks)
  }

  /// The address of an upstream for clients of a server that is reached at `authority`.
  func baseURL(of upstream: Upstream, at authority: String, session: String) -> String {
    let prefix = session.isEmpty ? "" : "/~\(session)"
    if let own = authorities[upstream.name] { return "http://\(own)\(prefix)\(upstream.basePath)" }
    return "http://\(authority)\(prefix)/\(upstream.name)\(upstream.basePath)"
  }

  /// The session of this name, made when it is first asked for.
  func session(named name: String) -> Session {
    if name.isEmpty { return mainSession }
    return sessions.withLock { sessions in
      if let session = sessions[name] { return session }
      let session = Session(name: name)
      sessions[name] = session
      return session
    }
  }

  func withGenerator<Value: Sendable>(_ draw: (inout PlayGenerator) -> Value) -> Value {
    generator.withLock { draw(&$0) }
  }

  func nextSequence() -> UInt64 {
    sequence.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
