import Foundation
import Testing
import UnderstudyContractModel

@testable import UnderstudyFakeServer

@Suite struct ResponseGeneratorTests {
  @Test("numbers are those SplitMix64 is known by")
  func knownNumbers() {
    var generator = ValueGenerator(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in generator.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test("whole numbers fill their range, ends included")
  func wholeNumbers() {
    var generator = ValueGenerator(seed: 1)
    let drawn = (0..<600).map { _ in generator.wholeNumber(in: 1...6) }
    #expect(Set(drawn) == [1, 2, 3, 4, 5, 6])
    #expect(generator.wholeNumber(in: 7...7) == 7)
    _ = generator.wholeNumber(in: .min ... .max)
    #expect((-2...2).contains(generator.wholeNumber(in: -2...2)))
  }

  @Test("a UUID is one of version 4, and no two are alike")
  func uuid() {
    var generator = ValueGenerator(seed: 3)
    let all = (0..<100).map { _ in generator.uuid() }
    let shape = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(all.allSatisfy { $0.wholeMatch(of: shape) != nil })
    #expect(Set(all).count == 100)
  }

  @Test("no delay, or a fixed one, draws nothing")
  func fixed() {
    var generator = ValueGenerator(seed: 1)
    var other = generator
    #expect(generator.duration(of: nil) == .zero)
    #expect(generator.duration(of: .fixed(.milliseconds(250))) == .milliseconds(250))
    #expect(generator.next() == other.next())
  }

  @Test("a uniform delay stays in its range and uses all of it")
  func uniform() {
    var generator = ValueGenerator(seed: 1)
    let range = Duration.seconds(1) ... .seconds(3)
    let drawn = (0..<1000).map { _ in generator.duration(of: .uniform(range)) }
    #expect(drawn.allSatisfy(range.contains))
    #expect(drawn.contains { $0 < .milliseconds(1050) })
    #expect(drawn.contains { $0 > .milliseconds(2950) })
    #expect(generator.duration(of: .uniform(.seconds(1) ... .seconds(1))) == .seconds(1))
  }

  @Test("a lognormal delay has its median in the middle and is cut at its maximum")
  func lognormal() {
    var generator = ValueGenerator(seed: 1)
    let delay = Delay.lognormal(median: .milliseconds(200), sigma: 0.4, max: .milliseconds(400))
    let drawn = (0..<2001).map { _ in generator.duration(of: delay) }.sorted()
    #expect((.milliseconds(190) ... .milliseconds(210)).contains(drawn[1000]))
    #expect(drawn.last == .milliseconds(400))
    // One in 24 is beyond twice the median at this sigma.
    #expect((40...130).contains(drawn.count { $0 == .milliseconds(400) }))
    #expect(drawn[0] > .milliseconds(30))
  }

  @Test("a tail beyond all numbers is cut too")
  func longTail() {
    var generator = ValueGenerator(seed: 1)
    let delay = Delay.lognormal(median: .seconds(3600), sigma: 10, max: .seconds(7200))
    let drawn = (0..<1000).map { _ in generator.duration(of: delay) }
    #expect(drawn.allSatisfy { $0 >= .zero && $0 <= .seconds(7200) })
    #expect(drawn.contains(.seconds(7200)))
  }

  @Test("the same seed gives the same delays, values and bytes")
  func seeds() throws {
    let text = #"""
      "status": 200, "text": "{uuid} {random.1-1000000} {counter}", "template": ["body"],
      "delay": { "lognormal": { "median": "200ms", "sigma": 0.4, "max": "5s" } },
      "pace": { "chunks": 3, "over": "1s" }
      """#
    var stage = try Stage(text)
    var seen: Set<String> = []
    for seed in 0..<50 as Range<UInt64> {
      stage.seed = seed
      let delay = stage.script().delayConfigured
      #expect(stage.script().delayConfigured == delay)
      #expect(stage.transcript() == stage.transcript())
      seen.insert("\(delay) \(stage.bodyText())")
    }
    #expect(seen.count == 50)
  }
}
