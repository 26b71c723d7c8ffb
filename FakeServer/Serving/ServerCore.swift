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

  package init() {}
}

/// What all loops of one server share: its contracts, sessions and ways.
///
/// Any thread may use it.
final class ServerCore: Sendable {
  let configuration: ServerConfiguration
  private let playableLibrary: Mutex<PlayableLibrary>
  private let libraryChangeCount = Atomic<Int>(0)
  private let sessions = Mutex<[String: Session]>([:])
  let mainSession: Session
  private let generator: Mutex<PlayGenerator>
  private let sequence = Atomic<UInt64>(0)

  init(_ library: PlayableLibrary, _ configuration: ServerConfiguration) {
    self.configuration = configuration
    playableLibrary = Mutex(library)
    mainSession = Session(name: "")
    generator = Mutex(PlayGenerator(seed: configuration.seed))
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
