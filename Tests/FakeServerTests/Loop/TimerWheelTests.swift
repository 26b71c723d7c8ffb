import Testing

@testable import UnderstudyFakeServer

@Suite struct TimerWheelTests {
  /// Days of milliseconds beyond what the wheel reaches at once.
  private static let reach: Int64 = 1 << 32

  /// The same deadlines in a list, looked through from end to end.
  private struct Model {
    var deadlines: [Int: Int64] = [:]

    mutating func popDue(at tick: Int64) -> (tick: Int64, timers: Set<Int>)? {
      guard let first = deadlines.values.min(), first <= tick else { return nil }
      let timers = Set(deadlines.filter { $0.value == first }.keys)
      for timer in timers { deadlines[timer] = nil }
      return (first, timers)
    }
  }

  private struct Dice {
    var generator: ValueGenerator

    mutating func roll(_ range: ClosedRange<Int64>) -> Int64 {
      let bytes = generator.noise(count: 9)
      let number = bytes.dropFirst().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      return range.lowerBound + Int64(number % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// Near and far alike: as many below 256 as beyond 49 days.
    mutating func distance() -> Int64 {
      let scale: Int64 = 1 << (roll(1...36) as Int64)
      return roll(-3...scale)
    }
  }

  @Test(
    "fires what a sorted list would, at the very tick", arguments: 1...40 as ClosedRange<UInt64>)
  func property(seed: UInt64) {
    var dice = Dice(generator: ValueGenerator(seed: seed))
    let start = dice.roll(0...1 << 40)
    var wheel = TimerWheel(now: start)
    var model = Model()
    for _ in 0..<600 {
      let timer = Int(dice.roll(0...99))
      switch dice.roll(0...9) {
      case 0...4:
        let deadline = wheel.now + dice.distance()
        wheel.set(timer, at: deadline)
        model.deadlines[timer] = max(deadline, wheel.now + 1)
      case 5...6:
        wheel.cancel(timer)
        model.deadlines[timer] = nil
      default: advance(&wheel, &model, to: wheel.now + max(0, dice.distance()))
      }
      #expect(wheel.count == model.deadlines.count)
      #expect(wheel.isSet(timer) == (model.deadlines[timer] != nil))
      if let next = wheel.nextTick {
        #expect(next > wheel.now)
        #expect(next <= model.deadlines.values.min() ?? 0)
      } else {
        #expect(model.deadlines.isEmpty)
      }
    }
    advance(&wheel, &model, to: wheel.now + 1 << 38)
    #expect(wheel.count == 0)
  }

  private func advance(_ wheel: inout TimerWheel, _ model: inout Model, to tick: Int64) {
    while let (due, timers) = model.popDue(at: tick) {
      var fired: Set<Int> = []
      while fired.count < timers.count, let timer = wheel.popDue(at: tick) {
        #expect(wheel.now == due)
        fired.insert(timer)
      }
      #expect(fired == timers)
    }
    #expect(wheel.popDue(at: tick) == nil)
    #expect(wheel.now == tick)
  }

  @Test(
    "a timer set for ever so long wakes its loop a few times, not once a turn of the wheel",
    arguments: [1, 255, 256, 65_535, 65_536, 1 << 24, reach - 1, reach, reach * 3 + 17])
  func wakes(distance: Int64) {
    for start: Int64 in [0, 1, 255, 256, 65_535, 1 << 24 - 1, Self.reach - 1] {
      var wheel = TimerWheel(now: start)
      wheel.set(0, at: start + distance)
      var wakeCount = 0
      var fired: Int?
      while fired == nil, let tick = wheel.nextTick {
        fired = wheel.popDue(at: tick)
        wakeCount += 1
      }
      #expect(fired == 0)
      #expect(wheel.now == start + distance)
      #expect(wakeCount <= 4 + Int(distance / Self.reach))
    }
  }

  @Test("a deadline in the past is due at the next tick")
  func past() {
    var wheel = TimerWheel(now: 1_000)
    wheel.set(3, at: 5)
    #expect(wheel.nextTick == 1_001)
    #expect(wheel.popDue(at: 1_000) == nil)
    #expect(wheel.popDue(at: 1_001) == 3)
    #expect(wheel.nextTick == nil)
  }

  @Test("a timer may be set again when it fires, and others cancelled")
  func changeWhileFiring() {
    var wheel = TimerWheel(now: 0)
    for timer in 0..<3 { wheel.set(timer, at: 10) }
    let first = wheel.popDue(at: 20)
    wheel.set(first ?? 0, at: 12)
    let second = wheel.popDue(at: 20)
    let third = 3 - (first ?? 0) - (second ?? 0)
    wheel.cancel(third)
    #expect(wheel.popDue(at: 20) == first)
    #expect(wheel.now == 12)
    #expect(wheel.popDue(at: 20) == nil)
  }

  @Test("timers that were never set, or have fired, can be cancelled")
  func cancelNothing() {
    var wheel = TimerWheel(now: 0)
    wheel.cancel(7)
    wheel.set(2, at: 5)
    wheel.cancel(2)
    wheel.cancel(2)
    #expect(wheel.count == 0)
    #expect(wheel.popDue(at: 100) == nil)
  }
}
