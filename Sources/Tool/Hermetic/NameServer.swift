import Synchronization
import UnderstudySystem

/// Responds to a command that asks for names, and notes those that no upstream declares.
final class NameServer: Sendable {
  private let sockets: NameSockets
  private let foreign: ForeignNames

  private final class ForeignNames: Sendable {
    /// A limit for misbehaving clients.
    private static let countMax = 50
    private let names = Mutex<[String]>([])

    var all: [String] { names.withLock { $0 } }

    func add(_ name: String) {
      names.withLock { names in
        if names.count < Self.countMax, !names.contains(name) { names.append(name) }
      }
    }
  }

  /// - Parameters:
  ///   - datagrams: a socket, like the other one its own from now on.
  init(_ table: NameTable, datagrams: Int32, connections: Int32) throws(SystemError) {
    let foreign = ForeignNames()
    self.foreign = foreign
    sockets = try NameSockets(datagrams: datagrams, connections: connections) { bytes in
      guard let query = NameQuery(bytes) else { return nil }
      let (response, isForeign) = table.response(to: query)
      if isForeign { foreign.add(query.name) }
      return query.message(of: response)
    }
  }

  /// Returns the names that no upstream declares, in the order asked.
  func stop() -> [String] {
    sockets.stop()
    return foreign.all
  }
}
