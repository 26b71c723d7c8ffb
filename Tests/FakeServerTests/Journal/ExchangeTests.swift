import Synchronization
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudySystem

@testable import UnderstudyFakeServer

@Suite struct ExchangeTests {
  private final class Told: Sendable {
    let times = Mutex<[String]>([])
    let words = Mutex<[String]>([])
  }

  @Test("a rejected client learns why, and is reported")
  func turnedAway() async throws {
    let told = Told()
    try await SmallServer.with {
      $0.limits.connectionCountMax = 1
      $0.listener = { exchanges in
        for case .server(let words, _) in exchanges.map(\.source) {
          told.words.withLock { $0.append(words) }
        }
      }
    } _: { (server) async throws in
      let first = try server.client()
      _ = try first.exchange("GET /shop/items")
      let (text, end) = try server.client().receiveAll()
      #expect(text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
      #expect(text.contains("\r\nContent-Type: application/problem+json\r\n"))
      #expect(text.contains("\r\nConnection: close\r\n"))
      #expect(
        text.hasSuffix(
          "\r\n\r\n{\"title\":\"Too many clients are connected\",\"status\":503,"
            + "\"detail\":\"the limit of 1 connections is reached\"}\n"))
      #expect(end == .closed)
      _ = try first.exchange("GET /shop/items")
    }
    #expect(
      told.words.withLock { $0 }
        == ["a client was turned away: the limit of 1 connections is reached"])
  }

  @Test("times have milliseconds, for malformed requests too")
  func time() async throws {
    let clock = LoopClock(
      monotonic: LoopClock.system.monotonic, wall: { Moment(microseconds: 1_700_000_000_007_900) })
    let pool = LoopPool(loopCountMax: 1, clock: clock)
    let told = Told()
    var configuration = ServerConfiguration()
    configuration.listener = { exchanges in
      told.times.withLock { $0 += exchanges.map(\.record.receivedAt.exactRFC3339) }
    }
    let server = try await FakeServer.start(
      ContractLibrary(reading: SmallServer.files), configuration: configuration, on: pool)
    try await BlockingThread.run {
      _ = try server.client().exchange("GET /shop/items")
      _ = try server.client().exchange("GET / /")
    }
    await server.close()
    pool.stop()
    #expect(
      told.times.withLock { $0 } == Array(repeating: "2023-11-14T22:13:20.007Z", count: 2))
  }
}
