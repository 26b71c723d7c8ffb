import Testing
import UnderstudyTestSupport

@testable import UnderstudyClient

/// Handles go from senders to the driver and back while everything happens that takes them away.
@Suite(.timeLimit(.minutes(5))) struct CurlStressTests {
  private static let cases = #"""
    "ok": { "status": 200, "body": [1, 2, 3] },
    "reset": { "fault": "CONNECTION_RESET_BY_PEER" },
    "reset-in-body": { "like": "ok", "fault": "CONNECTION_RESET_IN_BODY" },
    "before-head": { "like": "ok", "stall": "beforeHead" },
    "in-body": { "like": "ok", "stall": { "atByte": 3 } }
    """#
  private static let names = ["ok", "ok", "ok", "reset", "reset-in-body", "before-head", "in-body"]
  private static let callCount = 800
  private static let callCountAtATime = 48

  private enum Ending: Hashable {
    case responded, cancelled, timedOut, reset
    case other(TransportError.Kind)

    init(_ kind: TransportError.Kind) {
      switch kind {
      case .cancelled: self = .cancelled
      case .timedOut: self = .timedOut
      case .reset: self = .reset
      default: self = .other(kind)
      }
    }
  }

  /// What one call asks for, and what comes in between.
  private struct Call {
    let request: ClientRequest
    /// How often others are let run before it is cancelled.
    let patience: Int?

    init(of fake: Fake, _ dice: inout Dice) {
      let name = dice.pick(names)
      // What stalls must end.
      let isHurried = name == "before-head" || name == "in-body" || dice.below(4) == 0
      let milliseconds = 1 + dice.below(30)
      let stalls = dice.below(2) == 0
      request = fake.request(dice.pick([.get, .post]), serving: name) { options in
        guard isHurried else { return }
        if stalls {
          options.stallTimeout = .milliseconds(milliseconds)
        } else {
          options.totalTimeout = .milliseconds(milliseconds)
        }
      }
      patience = dice.below(3) == 0 ? dice.below(200) : nil
    }

    func ending(by transport: CurlTransport) async -> Ending {
      let task = Task { () async -> Ending in
        do throws(TransportError) {
          _ = try await transport.send(request)
          return .responded
        } catch {
          return Ending(error.kind)
        }
      }
      if let patience {
        for _ in 0..<patience { await Task.yield() }
        task.cancel()
      }
      return await task.value
    }
  }

  @Test(
    "each call ends once, whatever ends it, and no handle is kept",
    arguments: 1...4 as ClosedRange<UInt64>)
  func calls(seed: UInt64) async throws {
    try await Fake.run(Self.cases, methods: ["GET", "POST"]) { fake in
      var dice = Dice(seed: seed)
      // The thread keeps it, and every handle, used or idle.
      weak var time: LoopTime?
      var endings: [Ending: Int] = [:]
      do {
        var configuration = CurlConfiguration()
        configuration.ignoresProxies = true
        let transport = CurlTransport(configuration)
        time = try transport.driver.get().time
        let closing = Self.callCount / 2 + dice.below(Self.callCount / 2)
        await withTaskGroup(of: Ending?.self) { group in
          for number in 0..<Self.callCount {
            if number >= Self.callCountAtATime, let ending = await group.next() ?? nil {
              endings[ending, default: 0] += 1
            }
            if number == closing {
              group.addTask {
                await transport.close()
                return nil
              }
            }
            let call = Call(of: fake, &dice)
            group.addTask { await call.ending(by: transport) }
          }
          for await case let ending? in group { endings[ending, default: 0] += 1 }
        }
      }
      #expect(endings.values.reduce(0, +) == Self.callCount)
      let expected: Set<Ending> = [.responded, .cancelled, .timedOut, .reset]
      #expect(Set(endings.keys) == expected, "\(endings)")
      // Until the time is over, if a handle is kept.
      while time != nil { await Task.yield() }
    }
  }
}
