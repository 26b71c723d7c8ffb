import Synchronization

/// The case that responded to a request.
package struct ServedCase: Hashable, Sendable, CustomStringConvertible {
  /// `dog-ceo/random-images`
  package let contract: String
  package let caseName: String

  /// `dog-ceo/random-images#ok`
  package var description: String { "\(contract)#\(caseName)" }

  package init(contract: String, caseName: String) {
    self.contract = contract
    self.caseName = caseName
  }
}

/// The cases that a server has served, by small numbers.
package final class ServedCases: Sendable {
  private struct State {
    var numbers: [ServedCase: Int32] = [:]
    var cases: [ServedCase] = []
  }

  private let state = Mutex(State())

  func number(of served: ServedCase) -> Int32 {
    state.withLock { state in
      if let number = state.numbers[served] { return number }
      let number = Int32(state.cases.count)
      state.numbers[served] = number
      state.cases.append(served)
      return number
    }
  }

  package subscript(number: Int) -> ServedCase { state.withLock { $0.cases[number] } }

  func contains(where isMeant: (ServedCase) -> Bool) -> Bool {
    state.withLock { $0.cases.contains(where: isMeant) }
  }
}
