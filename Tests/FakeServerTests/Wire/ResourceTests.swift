import Foundation
import Testing

@testable import UnderstudyFakeServer

/// What is taken from the machine, and given back. The tests that count what a whole process has
/// run in a process of their own.
struct ResourceTests {
  static let cases =
    #""ok": { "status": 200, "text": "0123456789" }, "big": { "like": "ok", "file": "big" }"#
  static let request = "GET /api/api/x HTTP/1.1\r\nHost: x\r\n\r\n"

  static var descriptorCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  @Test("connections that were busy and are idle hold no buffers")
  func idle() async throws {
    try await WireServer.run(cases: Self.cases, bigByteCount: 4 << 20) { server in
      let client = try server.client()
      client.send("GET /api/api/x HTTP/1.1\r\nHost: x\r\nPrefer: example=big\r\n\r\n")
      #expect(await server.connections { $0.contains { $0.output.capacity > 0 } })
      var byteCount = 0
      while byteCount < 4 << 20 { byteCount += client.receiveBytes().bytes.count }
      for byte in Self.request.utf8 {
        client.send([byte])
        await server.settle()
      }
      #expect(client.receive("0123456789").hasSuffix("0123456789"))
      #expect(
        await server.connections {
          $0.allSatisfy {
            $0.input.capacity + $0.output.capacity == 0 && $0.request == nil && $0.pending == nil
          }
        })
    }
  }

  @Test("servers that were started and closed leave no descriptor behind")
  func descriptors() async {
    await #expect(processExitsWith: .success) {
      func serveOnce() async throws {
        try await WireServer.run(cases: ResourceTests.cases) { server in
          let clients = try (0..<10).map { _ in try server.client() }
          for client in clients { client.send(ResourceTests.request) }
          for client in clients { #expect(client.receive("0123456789").hasSuffix("0123456789")) }
        }
      }
      try await serveOnce()
      let before = ResourceTests.descriptorCount
      for _ in 0..<20 { try await serveOnce() }
      #expect(ResourceTests.descriptorCount == before)
    }
  }

  @Test("without descriptors the loop ignores new clients, and serves them later")
  func exhausted() async {
    await #expect(processExitsWith: .success) {
      try await WireServer.run(cases: ResourceTests.cases, isTimeStopped: true) { server in
        let old = try server.client()
        #expect(await server.connections { $0.count == 1 })
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = 200
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var fillers: [Int32] = []
        while case let filler = dup(0), filler >= 0 { fillers.append(filler) }
        close(fillers.removeLast())
        let new = try server.client()
        var isPausing = false
        while !isPausing {
          isPausing = await server.loop.ask { $0.acceptsAgainAt != nil } ?? true
        }
        old.send(ResourceTests.request)
        #expect(old.receive("0123456789").hasSuffix("0123456789"))
        await server.advance(by: .milliseconds(49))
        #expect(await server.connectionCount == 1)
        for filler in fillers { close(filler) }
        await server.advance(by: .milliseconds(2))
        new.send(ResourceTests.request)
        #expect(new.receive("0123456789").hasSuffix("0123456789"))
      }
    }
  }
}
