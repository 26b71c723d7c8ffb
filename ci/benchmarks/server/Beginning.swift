import Glibc
import UnderstudyContractModel
import UnderstudyFakeServer

/// The time from the start of a server in this process to its first response.
struct Beginning {
  let library: ContractLibrary

  /// The median round.
  func seconds(rounds: Int) async throws -> Double {
    var all: [Duration] = []
    for _ in 0..<rounds {
      let began = ContinuousClock.now
      let server = try await FakeServer.start(library)
      let client = ask(server.address.port)
      all.append(.now - began)
      close(client)
      await server.close()
    }
    all.sort()
    return all[rounds / 2] / .seconds(1)
  }

  /// Waits for the response's first bytes, and returns their socket.
  private func ask(_ port: UInt16) -> Int32 {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    var request = "GET /shop/items/0 HTTP/1.1\r\nHost: x\r\n\r\n"
    var response = [UInt8](repeating: 0, count: 8_192)
    let hasResponse = request.withUTF8 { request in
      send(client, request.baseAddress, request.count, 0) == request.count
    }
    guard isConnected, hasResponse, recv(client, &response, response.count, 0) > 0 else {
      print("server-benchmark: no response on port \(port)")
      exit(1)
    }
    return client
  }
}
