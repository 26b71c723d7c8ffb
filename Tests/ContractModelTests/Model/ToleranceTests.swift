import Testing
import UnderstudyJSON

@testable import UnderstudyContractModel

@Suite struct ToleranceTests {
  @Test(
    "a star stands for any index of an array, and only for one",
    arguments: [
      ([], [], true), ([], ["a"], false), (["a"], ["a"], true), (["a"], ["b"], false),
      (["a"], ["a", "b"], false), (["a", "b"], ["a"], false), (["a", "*"], ["a", "0"], true),
      (["a", "*"], ["a", "17"], true), (["a", "*"], ["a", "b"], false),
      (["a", "*"], ["a", "01"], false), (["a", "*"], ["a", "*"], true),
      (["a", "*", "b"], ["a", "0", "b"], true), (["a", "*", "b"], ["a", "0", "c"], false),
      (["a"], ["0"], false),
    ] as [([String], [String], Bool)])
  func covers(tokens: [String], pointer: [String], isCovered: Bool) {
    let tolerance = Tolerance(tokens: tokens, mutations: [.null])
    #expect(tolerance.covers(JSONPointer(pointer)) == isCovered)
  }
}
