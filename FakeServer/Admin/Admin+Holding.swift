import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

extension Admin {
  /// Holds the answers of a contract from now on.
  func hold(_ contract: Contract) -> OwnAnswer {
    _ = session.hold(contract.id)
    core.events.add(.hold(contract: contract.id, isHeld: true), session: session.name)
    return describe(contract)
  }

  /// Releases the held answers of a contract and holds no more.
  func endHold(_ contract: Contract, _ then: @escaping Then) {
    let held = session.hold(for: contract.id)?.stop() ?? []
    core.events.add(.hold(contract: contract.id, isHeld: false), session: session.name)
    let released = AnswerCollector<Void>(count: held.count) { _ in then(describe(contract)) }
    for answer in held { answer.letGo { _ in released.add(()) } }
  }

  func held() -> OwnAnswer {
    .members { object in
      object.list("held", core.waitingAnswers.all(session: scope)) { writer, answer in
        writer.object { answer.request.masked(by: core.mask).writeHeld(to: &$0) }
      }
    }
  }

  /// Releases one answer, as it would have been or with the case in the body.
  func release(
    _ values: [String], _ request: Request, _ then: @escaping Then
  ) throws(Problem) {
    let answer = try waitingAnswer(values)
    guard !request.body.isEmpty else { return release(answer, answer.script, then) }
    let body = try AdminBody(request)
    try body.expectKeys(["case"])
    let name = try body.string("case")
    try check([name], of: answer.contract)
    let script: WireScript?
    do throws(ChoiceError) {
      script = try answer.scriptOfCase(name)
    } catch {
      throw .unchosen(error)
    }
    guard let script else { throw .unplayable(answer.contract, name) }
    release(answer, script, then)
  }

  /// Resets the connection of a held answer.
  func drop(_ values: [String], _ then: @escaping Then) throws(Problem) {
    var script = WireScript(delayAsked: .zero, end: .reset)
    script.status = 0
    release(try waitingAnswer(values), script, then)
  }

  private func release(_ answer: WaitingAnswer, _ script: WireScript, _ then: @escaping Then) {
    answer.ticket.release(script) { isTaken in
      // Another client may have been faster, or the answer's own may have left.
      then(isTaken ? .noContent : missing("\(answer.id)").answer)
    }
  }

  private func waitingAnswer(_ values: [String]) throws(Problem) -> WaitingAnswer {
    let id = values.first ?? ""
    guard let answer = core.waitingAnswers.all(session: scope).first(where: { "\($0.id)" == id })
    else { throw missing(id) }
    return answer
  }

  private func missing(_ id: String) -> Problem {
    .missing("held answer", id, among: core.waitingAnswers.all(session: scope).map { "\($0.id)" })
  }
}
