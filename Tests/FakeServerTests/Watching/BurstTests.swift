import Testing

@testable import UnderstudyFakeServer

/// On times of the test's own.
@Suite struct BurstTests {
  private let millisecond: Int64 = 1_000_000

  @Test("nothing is due before something happens, nor after it is dealt with")
  func idle() {
    var burst = ChangeBurst()
    #expect(burst.due == nil)
    burst.note(at: 5)
    burst.end()
    #expect(burst.due == nil)
  }

  @Test("it is over when nothing has come for a while")
  func quiet() {
    var burst = ChangeBurst()
    burst.note(at: 0)
    #expect(burst.due == 30 * millisecond)
    burst.note(at: 20 * millisecond)
    #expect(burst.due == 50 * millisecond)
  }

  @Test("events that never stop do not put it off for ever")
  func endless() {
    var burst = ChangeBurst()
    for time in 0..<100 { burst.note(at: Int64(time) * 10 * millisecond) }
    #expect(burst.due == 300 * millisecond)
  }

  @Test("the pauses between tries double up to a limit, and begin anew after a success")
  func pauses() {
    var burst = ChangeBurst()
    var pauses: [Int64] = []
    for _ in 0..<9 {
      burst.tryAgain(at: 5)
      pauses.append((burst.due ?? 0) - 5)
      burst.end()
      #expect(burst.due == nil)
    }
    #expect(
      pauses.map { $0 / 1_000_000 } == [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
    burst.stopTrying()
    burst.tryAgain(at: 0)
    #expect(burst.due == ChangeBurst.pauseMin)
    // A change of files does not wait for the next try.
    burst.note(at: 0)
    #expect(burst.due == ChangeBurst.quiet)
  }
}
