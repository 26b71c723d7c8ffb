import UnderstudySystem

extension FakeServer {
  /// What a socket stands for that others have made.
  package enum OtherPort: Sendable {
    /// The server's own address.
    case own
    /// The live APIs: the `Host` of a request alone says whose.
    case hosts
  }

  /// Serves the clients of sockets that listen elsewhere, as in the network of a command. It closes
  /// them with its own.
  package func listen(on sockets: [(descriptor: Int32, port: OtherPort)]) async {
    for (descriptor, port) in sockets {
      guard let loop = core.listeners.randomElement()?.loop,
        let number = await loop.ask({ [core] loop in
          let server = PortServer(
            authority: "\(core.address.local)", standsForHosts: port == .hosts, core: core)
          return loop.listen(server.listener(descriptor))
        })
      else {
        Socket.close(descriptor)
        continue
      }
      core.add(ServerCore.ListenerID(loop: loop, number: number))
    }
  }
}
