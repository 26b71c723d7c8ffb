import Synchronization

/// The case that answered a request.
package struct PlayedCase: Hashable, Sendable, CustomStringConvertible {
  /// `dog-ceo/random-images`
  package let contract: String
  package let caseName: String

  /// `dog-ceo/random-images#ok`
  package var description: String { "\(contract)#\(caseName)" }
}

/// The cases that a server has played, by small numbers.
package final class PlayedCases: Sendable {
  private struct State {
    var numbers: [PlayedCase: Int32] = [:]
    var cases: [PlayedCase] = []
  }

  private let state = Mutex(State())

  func number(of played: PlayedCase) -> Int32 {
    state.withLock { state in
      if let number = state.numbers[played] { return number }
      let number = Int32(state.cases.count)
      state.numbers[played] = number
      state.cases.append(played)
      return number
    }
  }

  package subscript(number: Int) -> PlayedCase { state.withLock { $0.cases[number] } }
}
