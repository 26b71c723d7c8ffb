#if canImport(Darwin)
  import Darwin
#else
  import Glibc
  import UnderstudyCLinux
#endif

/// A command in namespaces of its own: its network ends at this process, which gets the sockets
/// that listen in it.
///
/// It is a child from the start, and becomes the command once `begin` is called: until then, its
/// owner prepares what the sockets serve. Without that it ends unused. Read `EnclosurePlan` first,
/// which says what it has; `EnclosureError` says why a system forbids one.
package struct EnclosedProcess: ~Copyable {
  /// As in the plan; `nil` for those of IPv6 where the machine has none. Whoever gets them closes
  /// them.
  package let sockets: [Int32?]
  /// Its network, to find what the command leaves in it.
  package let network: String?
  private let number: Int32
  private let channel: Int32
  private var isBegun = false
  private let isApart: Bool
  private let program: String

  /// - Parameters:
  ///   - printsToErrors: its output goes to our standard error.
  ///   - isApart: it reads nothing, and processes that it starts are ended with it.
  package init(
    _ words: [String], environment: [String], _ plan: EnclosurePlan, printsToErrors: Bool = false,
    isApart: Bool = false
  ) throws(EnclosureError) {
    #if canImport(Darwin)
      throw EnclosureError(.system, Errno(rawValue: ENOTSUP))
    #else
      do throws(Errno) {
        try Errno.check(words + environment + plan.mounts.flatMap { [$0.source, $0.target] })
      } catch {
        throw EnclosureError(.process, error)
      }
      var ends: [Int32] = [-1, -1]
      let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
      guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
        throw EnclosureError(.process, .last)
      }
      let started = Self.fork(
        words, environment, plan, printsToErrors: printsToErrors, isApart: isApart, ends)
      let code = Errno.last
      systemClose(ends[1])
      guard started > 0 else {
        systemClose(ends[0])
        throw EnclosureError(.process, code)
      }
      let made: [Int32?]
      do throws(EnclosureError) {
        made = try Self.sockets(from: ends[0], plan)
      } catch {
        systemClose(ends[0])
        while waitpid(started, nil, 0) < 0, Errno.last == .interrupted {}
        throw error
      }
      (number, channel, sockets) = (started, ends[0], made)
      self.isApart = isApart
      program = words.first ?? ""
      network = ProcessTree.network(of: started)
    #endif
  }

  deinit {
    systemClose(channel)
    if isBegun { return }
    while waitpid(number, nil, 0) < 0, Errno.last == .interrupted {}
  }

  /// Lets it become the command.
  package mutating func begin() throws(SystemError) -> ChildProcess {
    let attempt = "run \(program)"
    #if canImport(Darwin)
      throw SystemError(Errno(rawValue: ENOTSUP), attempt: attempt)
    #else
      _ = systemWrite(channel, [1] as [UInt8], 1)
      var report = clinux_report()
      var descriptor: Int32 = -1
      // The command's start closes the channel.
      if clinux_receive_report(channel, &report, &descriptor) > 0 {
        throw SystemError(Errno(rawValue: report.error), attempt: attempt)
      }
      isBegun = true
      return try ChildProcess(started: number, isApart: isApart)
    #endif
  }

  #if !canImport(Darwin)
    private static func fork(
      _ words: [String], _ environment: [String], _ plan: EnclosurePlan, printsToErrors: Bool,
      isApart: Bool, _ ends: [Int32]
    ) -> Int32 {
      let paths = plan.mounts.map { (strdup($0.source), strdup($0.target)) }
      let arguments = words.map { strdup($0) } + [nil]
      let variables = environment.map { strdup($0) } + [nil]
      let maps = [geteuid(), getegid()].map { strdup("\($0) \($0) 1\n") }
      defer {
        for text in arguments + variables + maps + paths.flatMap({ [$0, $1] }) { free(text) }
      }
      let mounts = paths.map { clinux_mount(source: $0, target: $1) }
      let ports = plan.ports.map { port in
        clinux_port(
          is_ipv6: port.isIPv6 ? 1 : 0, is_datagram: port.isDatagram ? 1 : 0,
          is_loopback: port.isLoopback ? 1 : 0, number: port.number)
      }
      // SAFETY: the child gets a copy of this memory, and needs it no longer than it is valid here.
      return mounts.withUnsafeBufferPointer { mounts in
        ports.withUnsafeBufferPointer { ports in
          arguments.withUnsafeBufferPointer { arguments in
            variables.withUnsafeBufferPointer { variables in
              var plan = clinux_enclosure(
                mounts: mounts.baseAddress, mount_count: mounts.count, ports: ports.baseAddress,
                port_count: ports.count, user_map: maps[0], group_map: maps[1],
                words: arguments.baseAddress, environment: variables.baseAddress,
                is_apart: isApart ? 1 : 0, prints_to_errors: printsToErrors ? 1 : 0,
                is_root: geteuid() == 0 ? 1 : 0)
              return clinux_fork_enclosed(&plan, ends[1], ends[0])
            }
          }
        }
      }
    }

    private static func sockets(
      from channel: Int32, _ plan: EnclosurePlan
    ) throws(EnclosureError) -> [Int32?] {
      var sockets = [Int32?](repeating: nil, count: plan.ports.count)
      while true {
        var report = clinux_report()
        var descriptor: Int32 = -1
        let count = clinux_receive_report(channel, &report, &descriptor)
        let step = clinux_step(rawValue: UInt32(report.step))
        if count > 0, step == CLINUX_SOCKET, descriptor >= 0 {
          Socket.prepare(descriptor, sharesPort: false)
          sockets[Int(report.index)] = descriptor
          continue
        }
        if count > 0, step == CLINUX_READY { return sockets }
        for socket in sockets.compactMap(\.self) { systemClose(socket) }
        guard count > 0 else { throw EnclosureError(.process, Errno(rawValue: ECHILD)) }
        // A socket came, and this process has no room for it.
        if step == CLINUX_SOCKET { throw EnclosureError(.process, .tooManyOpenFiles) }
        let code = Errno(rawValue: report.error)
        throw switch step {
        case CLINUX_MOUNT:
          EnclosureError(.mount(plan.mounts[Int(report.index)].target), code)
        case CLINUX_LISTEN: EnclosureError(.listen(plan.ports[Int(report.index)].number), code)
        case CLINUX_NETWORK: EnclosureError(.network, code)
        default: EnclosureError(.namespaces, code)
        }
      }
    }
  #endif
}

/// What a command finds in its namespaces.
package struct EnclosurePlan: Sendable {
  /// A file or folder that is seen in place of another, which exists.
  package struct Mount: Sendable {
    let source: String
    let target: String

    package init(_ source: String, over target: String) {
      (self.source, self.target) = (source, target)
    }
  }

  /// A socket that listens, on all addresses or on loopback's of IPv4. Every address leads to it:
  /// the network has no other machine.
  package struct Port: Hashable, Sendable {
    package let number: UInt16
    package let isIPv6: Bool
    package let isDatagram: Bool
    package let isLoopback: Bool

    package init(
      _ number: UInt16, isIPv6: Bool = false, isDatagram: Bool = false, isLoopback: Bool = false
    ) {
      self.number = number
      (self.isIPv6, self.isDatagram, self.isLoopback) = (isIPv6, isDatagram, isLoopback)
    }
  }

  package var mounts: [Mount] = []
  package var ports: [Port] = []

  package init() {}
}
