import UnderstudyContractModel
import UnderstudySystem

/// An address a server listens on, with a socket for each of its loops.
struct ListeningPort {
  let address: SocketAddress
  /// The upstream of the address; `nil` where all are reached by their names.
  let upstreamName: String?
  /// Whether only that upstream is here.
  let isOwn: Bool
  let descriptors: ArraySlice<Int32>

  /// The shared address, and one for each upstream if each has its own port: the ports after the
  /// shared one, in order of name, or any ports if the kernel chooses.
  static func open(
    for library: ContractLibrary, _ configuration: ServerConfiguration
  ) throws(SystemError) -> [ListeningPort] {
    let names = configuration.givesPorts ? library.upstreams.map { Optional($0.name) } : []
    var opened: [Int32] = []
    do throws(SystemError) {
      var ports: [ListeningPort] = []
      for (offset, name) in ([configuration.rootUpstream] + names).enumerated() {
        ports.append(try ListeningPort(name, offset: offset, configuration, &opened))
      }
      return ports
    } catch {
      for descriptor in opened { Socket.close(descriptor) }
      throw error
    }
  }

  private init(
    _ upstreamName: String?, offset: Int, _ configuration: ServerConfiguration,
    _ opened: inout [Int32]
  ) throws(SystemError) {
    let (host, firstPort) = (configuration.address.host, Int(configuration.address.port))
    guard let port = UInt16(exactly: firstPort == 0 ? 0 : firstPort + offset) else {
      throw SystemError(.outOfRange, attempt: "listen on port \(firstPort + offset)")
    }
    let count = max(1, configuration.threadCount)
    var address = SocketAddress(host: host, port: port)
    isOwn = offset > 0
    // A port that the kernel chose is given up while its upstream is off, unless it is asked for by
    // its number.
    var reserved: Int32?
    defer { if let reserved { Socket.close(reserved) } }
    if isOwn, port == 0 {
      let socket = try Socket.reserve(address, sharesPort: count > 1)
      reserved = socket.descriptor
      address = SocketAddress(host: host, port: socket.port)
    } else if count > 1, port != 0 {
      // Such sockets also share a port with another server's, so first check alone that it is free.
      Socket.close(try Socket.listen(on: address).descriptor)
    }
    for _ in 0..<count {
      let socket = try Socket.listen(on: address, sharesPort: count > 1)
      opened.append(socket.descriptor)
      address = SocketAddress(host: host, port: socket.port)
    }
    (self.address, self.upstreamName, descriptors) = (address, upstreamName, opened.suffix(count))
  }
}
