import Foundation
import Synchronization
import UnderstudyContractModel
import UnderstudyCore
import UnderstudySystem

@testable import UnderstudyFakeServer

/// A server on a loop of its own, whose clock stands still unless it is told to go on, and a look
/// at what the loop has.
final class WireServer: Sendable {
  static let shipped = Result {
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return try ContractLibrary.load([root.appending(path: "Contracts").path])
  }

  let upstream: FakeServer
  let loop: EventLoop
  private let pool: LoopPool
  private let clock: StoppedClock?

  var port: UInt16 { upstream.address.port }

  private init(
    _ library: ContractLibrary, _ configuration: ServerConfiguration, isTimeStopped: Bool
  ) async throws {
    clock = isTimeStopped ? StoppedClock() : nil
    pool = LoopPool(loopCountMax: 1, clock: clock?.clock ?? .system)
    loop = try pool.loops(count: 1)[0]
    upstream = try await FakeServer.start(library, configuration: configuration, on: pool)
  }

  /// Serves the shipped contracts, or one contract `GET /x` of `api` with these cases.
  static func run(
    cases: String? = nil, bigByteCount: Int = 0, isTimeStopped: Bool = false,
    _ configure: (inout ServerConfiguration) -> Void = { _ in },
    test: (WireServer) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configure(&configuration)
    let library =
      try cases.map { try Self.library(cases: $0, bigByteCount: bigByteCount) } ?? shipped.get()
    let server = try await WireServer(library, configuration, isTimeStopped: isTimeStopped)
    let result: Result<Void, any Error>
    do {
      result = .success(try await BlockingThread.run { try await test(server) })
    } catch {
      result = .failure(error)
    }
    await server.upstream.close()
    server.pool.stop()
    try result.get()
  }

  private struct Contents: Hashable {
    let cases: String
    let bigByteCount: Int
  }

  private static let libraries = Mutex<[Contents: ContractLibrary]>([:])

  /// Tests that serve the same share it, for megabytes take their time to be read.
  private static func library(cases: String, bigByteCount: Int) throws -> ContractLibrary {
    let contents = Contents(cases: cases, bigByteCount: bigByteCount)
    return try libraries.withLock { libraries in
      if let library = libraries[contents] { return library }
      let library = try Stage.library(cases: cases, bigByteCount: bigByteCount)
      libraries[contents] = library
      return library
    }
  }

  func client() throws -> WireClient { try WireClient(port: port) }

  /// Lets time go by for the server.
  func advance(by duration: Duration) async {
    clock?.advance(by: duration)
    await settle()
  }

  /// Lets the loop do all that it can do now.
  func settle() async {
    for _ in 0..<4 { _ = await loop.ask { _ in } }
  }

  /// Waits until what is true of the loop's connections, in the order of their slots, is as wanted;
  /// gives up after more turns than anything takes.
  func connections(
    _ isAsWanted: @escaping @Sendable ([Connection]) -> Bool
  ) async -> Bool {
    for _ in 0..<200_000 {
      let isSo = await loop.ask { loop in
        isAsWanted(loop.connections.slots.map { loop.connections[$0].pointee })
      }
      if isSo ?? false { return true }
      await Task.yield()
    }
    return false
  }

  var connectionCount: Int {
    get async { await loop.ask { $0.connections.count } ?? 0 }
  }
}

/// A clock that shows what it is set to.
private final class StoppedClock: Sendable {
  private let time = Atomic<Int64>(1_000_000_000_000)

  var clock: LoopClock {
    LoopClock(
      monotonic: { self.time.load(ordering: .relaxed) }, wall: { Moment(unixSeconds: 784_111_777) })
  }

  func advance(by duration: Duration) {
    time.wrappingAdd(duration.nanoseconds, ordering: .relaxed)
  }
}
