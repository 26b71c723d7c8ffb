import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem

/// A network for one run of a command, in which the hosts of upstreams lead to our server, and nothing
/// leads out.
///
/// `HermeticFiles` are what the command sees in place of the system's files, `NameServer` responds
/// to its questions for names by a `NameTable`, and the server's loops serve the sockets that listen in
/// the network.
final class HermeticNetwork {
  /// `nil` once the command has them.
  private var files: HermeticFiles?
  private let names: NameTable
  private let ports: Set<UInt16>
  private var nameServer: NameServer?
  private var network: String?

  /// - Parameters:
  ///   - places: those that lead to the server, as hosts with or without ports; ports 80 and 443 do
  ///     anyway.
  ///   - client: files by which it is trusted.
  ///   - words: the command.
  init(
    leading places: [String], trusting client: ClientFiles, for words: [String],
    _ environment: (String) -> String?
  ) throws(Failure) {
    let declared = places.map { NetworkHost(WebURL.host(of: $0[...])) }
      .filter { $0.address == nil && !$0.isLoopback }.map(\.text)
    let named = places.compactMap { UInt16($0[WebURL.host(of: $0[...]).endIndex...].dropFirst()) }
    ports = Set([80, 443] + named)
    let own = (try? FileRoot.anywhere.read("/proc/sys/kernel/hostname")) ?? []
    names = NameTable(
      declared: Set(declared),
      own: String(decoding: own.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self).lowercased())
    files = try HermeticFiles(
      trusting: client.bundleFile, javaStore: client.javaStore, names,
      for: words.first ?? "", environment)
  }

  /// Fails where the system forbids it.
  static func check() throws(EnclosureError) {
    var plan = EnclosurePlan()
    plan.ports = [EnclosurePlan.Port(80)]
    // It is never begun, so what it would run does not matter.
    let process = try EnclosedProcess([""], environment: [], plan)
    for case let socket? in process.sockets { Socket.close(socket) }
  }

  /// Starts the command; the server serves its network from then on.
  func start(
    _ words: [String], environment: [String], printsToErrors: Bool, isApart: Bool,
    serving server: FakeServer
  ) throws(Failure) -> ChildProcess {
    let ports = purposes(besides: server.address.port)
    var plan = EnclosurePlan()
    plan.mounts = files?.mounts ?? []
    plan.ports = ports.map(\.port)
    var process: EnclosedProcess
    do throws(EnclosureError) {
      process = try EnclosedProcess(
        words, environment: environment.filter { !Self.isProxy($0) }, plan,
        printsToErrors: printsToErrors, isApart: isApart)
    } catch {
      throw Failure(error)
    }
    files = nil
    network = process.network
    do throws(SystemError) {
      let made = zip(process.sockets, ports).compactMap { socket, port in
        socket.map { (descriptor: $0, purpose: port.purpose) }
      }
      let questions = made.filter { $0.purpose == .names }.map(\.descriptor)
      let served = made.compactMap { socket in
        socket.purpose.port.map { (descriptor: socket.descriptor, port: $0) }
      }
      try Blocking.run { await server.listen(on: served) }
      nameServer = try NameServer(names, datagrams: questions[0], connections: questions[1])
      return try process.begin()
    } catch {
      throw .cannotRun(words.first ?? "", error)
    }
  }

  /// Ends what the command has left in its network; returns the names that it asked for and no
  /// upstream declares.
  func end() -> [String] {
    if let network { ProcessTree.killAll(inNetwork: network) }
    return nameServer?.stop() ?? []
  }

  private enum Purpose {
    case own, hosts, names

    var port: FakeServer.OtherPort? {
      switch self {
      case .own: .own
      case .hosts: .hosts
      case .names: nil
      }
    }
  }

  /// The ports of the network: of names, of the server itself, and of the hosts.
  private func purposes(besides own: UInt16) -> [(port: EnclosurePlan.Port, purpose: Purpose)] {
    [
      (EnclosurePlan.Port(53, isDatagram: true, isLoopback: true), .names),
      (EnclosurePlan.Port(53, isLoopback: true), .names),
      (EnclosurePlan.Port(own, isLoopback: true), .own),
    ]
      + ports.subtracting([own, 53]).sorted().flatMap { number in
        [false, true].map { (EnclosurePlan.Port(number, isIPv6: $0), .hosts) }
      }
  }

  /// Whether a variable, written `NAME=value`, names a proxy, which the command could not reach.
  private static func isProxy(_ variable: String) -> Bool {
    let name = variable.prefix { $0 != "=" }.lowercased()
    return ["all_proxy", "ftp_proxy", "http_proxy", "https_proxy"].contains(name)
  }
}
