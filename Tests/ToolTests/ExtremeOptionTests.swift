import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

@Suite struct ExtremeOptionTests {
  @Test("an option takes a number within its range, and refuses any other")
  func numbers() {
    for number in ExtremeNumbers.texts {
      #expect(Count(argument: number).map { 1...1_000_000 ~= $0.value } ?? true)
      #expect(ThreadCount(argument: number).map { 1...128 ~= $0.value } ?? true)
      #expect(Factor(argument: number).map { 0...1000 ~= $0.value && $0.argument != "" } ?? true)
      #expect(PortNumber(argument: number).map { $0.value == 0 || $0.argument == number } ?? true)
      #expect(Seed(argument: number).map { $0.value == 0 || $0.argument == number } ?? true)
      for unit in ["", "K", "M"] {
        #expect(ByteCount(argument: number + unit).map { 1...1 << 30 ~= $0.value } ?? true)
      }
      for unit in ["", "ms", "s", "m", "h", "d"] {
        #expect(Wait(argument: number + unit).map { $0.duration.nanoseconds >= 0 } ?? true)
        #expect(Age(argument: number + unit).map { $0.duration > .zero } ?? true)
      }
    }
  }
}
