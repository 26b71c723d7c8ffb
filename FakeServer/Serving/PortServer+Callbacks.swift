import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP

extension PortServer {
  /// Notes that callbacks follow the response of a slot in the request log.
  func follow(
    _ sequence: UInt64, at slot: Int, with attempts: [CallbackAttempt], served: ServedCase,
    _ session: String
  ) {
    guard !attempts.isEmpty else { return }
    core.callbacks.add(attempts, to: sequence, session: session, served: served)
    followed[slot] = sequence
  }

  /// Notes those of the case with which a held response is released, if it is another one; none
  /// follow where the connection is reset instead.
  func follow(_ script: WireScript, at slot: JournalRing.Slot) {
    guard script.caseNumber != nil || script.status == 0,
      let sequence = followed[slot.index] ?? journal.record(at: slot)?.sequence
    else { return }
    if script.caseNumber == nil { core.callbacks.remove(sequence) }
    let hasCallbacks = !core.callbacks.attempts(of: sequence).isEmpty
    followed[slot.index] = hasCallbacks ? sequence : nil
    journal.update(slot) { $0.hasCallbacks = hasCallbacks }
  }

  /// Sends what follows a response that is over.
  func responseEnded(_ end: ResponseEvent.End, at slot: Int) {
    guard !followed.isEmpty, let sequence = followed.removeValue(forKey: slot) else { return }
    if case .cancelled = end {
      core.callbacks.cancel(after: sequence)
    } else {
      core.sendCallbacks(after: sequence)
    }
  }

  /// Why no callback may follow a request: any page could make a browser send one, and so could
  /// other machines that reach the server.
  func callbackRefusal(_ facts: RequestFacts, _ arrival: Arrival) -> Failure? {
    guard arrival.tunnel == nil else { return nil }
    let names = ["host", "origin", "sec-fetch-site", AccessGate.tokenName.text]
    let request = Request(
      "POST", "/",
      headers: names.flatMap { name in
        facts.headerValues(name).map { HeaderField(name: name, value: $0) }
      })
    let origin = origin(arrival)
    do throws(AccessGate.Refusal) {
      try gateToLiveAPIs(from: origin, core.configuration.relay).check(request)
      return nil
    } catch {
      let problem = Problem.notRelayed(error, origin: origin)
      return Failure(message: problem.detail, fix: problem.fix)
    }
  }
}

extension ServableCase {
  /// Values are drawn before those of the response, which has the same where they are the same
  /// throughout.
  func callbacks(
    _ choice: inout CaseChoice, _ facts: RequestFacts, _ session: Session, refusal: Failure?
  ) -> [CallbackAttempt] {
    guard !callbackRecipes.isEmpty else { return [] }
    let responded = facts.responded(by: choice)
    let (attempts, values) = session.draw(
      for: ServedCase(contract: contractID, caseName: name)
    ) { generator in
      var values = responded.drawn
      let attempts = callbackRecipes.map { recipe in
        var attempt = recipe.attempt(after: responded, &values, using: &generator)
        if let refusal { attempt.end(.refused, refusal) }
        return attempt
      }
      return (attempts, values)
    }
    choice.drawn = values
    return attempts
  }
}
