import Testing

@testable import UnderstudyConsumers

@Suite("Alarms")
struct AlarmTests {
  @Test("ring in the order of their times, whichever was set first")
  func order() async {
    let alarms = Timeouts()
    let (rings, ring) = AsyncStream<Int>.makeStream()
    for number in [3, 1, 2] {
      _ = alarms.set(after: .milliseconds(10 * number)) { ring.yield(number) }
    }
    #expect(await rings.prefix(3).reduce(into: []) { $0.append($1) } == [1, 2, 3])
  }

  @Test("do not ring once they are cancelled")
  func cancelled() async {
    let alarms = Timeouts()
    let (rings, ring) = AsyncStream<String>.makeStream()
    let cancelled = alarms.set(after: .milliseconds(1)) { ring.yield("cancelled") }
    alarms.cancel(cancelled)
    _ = alarms.set(after: .milliseconds(5)) { ring.yield("kept") }
    #expect(await rings.first { _ in true } == "kept")
  }
}
