import Testing
import UnderstudyTestSupport

@testable import UnderstudyContractModel

@Suite struct NumberSetTests {
  @Test("is what a set of the standard library is, whatever comes and goes")
  func model() {
    var dice = Dice(seed: 7)
    var sets = [(NumberSet(), Set<Int>()), (NumberSet(), Set<Int>())]
    for _ in 0..<2_000 {
      let (which, number) = (dice.below(2), dice.below(200))
      if dice.below(3) == 0 {
        sets[which].0.remove(number)
        sets[which].1.remove(number)
      } else {
        sets[which].0.insert(number)
        sets[which].1.insert(number)
      }
      let union = (sets[0].0.union(sets[1].0), sets[0].1.union(sets[1].1))
      for (own, model) in sets + [union] {
        #expect(own.count == model.count)
        #expect(own.isEmpty == model.isEmpty)
        #expect((0..<260).filter(own.contains) == model.sorted())
      }
    }
  }
}
