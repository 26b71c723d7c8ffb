import Testing

@testable import UnderstudySystem

@Suite struct ShortageTests {
  @Test("only what passes is noticed, and only by the work it befell")
  func noticed() {
    Shortage.note(.tooManyOpenFiles, "before")
    let (result, inner) = Shortage.noticing {
      Shortage.note(.notFound, "no such file")
      let (_, nested) = Shortage.noticing { Shortage.note(.tooManyOpenFiles, "nested") }
      #expect(nested == "nested")
      return 7
    }
    #expect(result == .success(7))
    #expect(inner == nil)
  }

  @Test("the threads that help some work notice for it")
  func threads() {
    let (_, shortage) = Shortage.noticing {
      AllProcessors.map(Array(0..<100)) { number in
        if number % 2 == 1 { Shortage.note(.tooManyOpenFiles, "item \(number)") }
      }
    }
    #expect(shortage?.hasPrefix("item ") == true)
    let (_, other) = Shortage.noticing { AllProcessors.map(Array(0..<100)) { $0 } }
    #expect(other == nil)
  }
}
