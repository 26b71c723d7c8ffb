import Testing
import UnderstudySystem

@Suite("Sockets")
struct SocketTests {
  private func connect(to port: UInt16) throws {
    _ = try ClientSocket(to: "127.0.0.1", port: Int(port), until: .now + .seconds(60))
  }

  @Test(
    "a listener refuses clients for a while, and keeps its port", arguments: SystemCalls.all,
    [false, true])
  func refusal(calls: SystemCalls, sharesPort: Bool) throws {
    // A port that the kernel chooses is kept only as long as somebody has it.
    let reserved = try Socket.reserve(
      SocketAddress(host: "127.0.0.1", port: 0), sharesPort: sharesPort)
    defer { Socket.close(reserved.descriptor) }
    let address = SocketAddress(host: "127.0.0.1", port: reserved.port)
    let listener = try Socket.listen(on: address, sharesPort: sharesPort)
    defer { Socket.close(listener.descriptor) }
    for _ in 0..<2 {
      try connect(to: listener.port)
      Socket.refuseClients(listener.descriptor, calls)
      #expect(throws: SystemError(.connectionRefused, attempt: "connect")) {
        try connect(to: listener.port)
      }
      #expect(Socket.listenAgain(listener.descriptor))
    }
    try connect(to: listener.port)
    _ = Readiness.wait(for: [listener.descriptor])
    guard case .client(let client) = Socket.accept(listener.descriptor, calls) else {
      Issue.record("no client")
      return
    }
    Socket.close(client)
  }

  @Test("this machine has addresses")
  func localHosts() {
    #expect(Socket.localHosts.contains("127.0.0.1"))
  }
}
