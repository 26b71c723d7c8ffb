import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

extension Admin {
  /// Holds the responses of a contract from now on.
  func hold(_ contract: Contract) -> OwnResponse {
    _ = session.hold(contract.id)
    core.events.add(.hold(contract: contract.id, isHeld: true), session: session.name)
    return describe(contract)
  }

  /// Releases the held responses of a contract and holds no more.
  func endHold(_ contract: Contract, _ then: @escaping Then) {
    let held = session.hold(for: contract.id)?.stop() ?? []
    core.events.add(.hold(contract: contract.id, isHeld: false), session: session.name)
    let released = ResponseCollector<Void>(count: held.count) { _ in then(describe(contract)) }
    for response in held { response.letGo { _ in released.add(()) } }
  }

  func held() -> OwnResponse {
    .members { object in
      object.list("held", core.waitingResponses.all(session: scope)) { writer, response in
        writer.object { response.request.masked(by: core.mask).writeHeld(to: &$0) }
      }
    }
  }

  /// Releases one response, as it would have been or with the case in the body.
  func release(
    _ values: [String], _ request: Request, _ then: @escaping Then
  ) throws(Problem) {
    let response = try waitingResponse(values)
    guard !request.body.isEmpty else { return release(response, response.script, then) }
    let body = try AdminBody(request)
    try body.expectKeys(["case"])
    let name = try body.string("case")
    try check([name], of: response.contract)
    let script: WireScript?
    do throws(ChoiceError) {
      script = try response.scriptOfCase(name)
    } catch {
      throw .unchosen(error)
    }
    guard let script else { throw .unservable(response.contract, name) }
    release(response, script, then)
  }

  /// Resets the connection of a held response.
  func drop(_ values: [String], _ then: @escaping Then) throws(Problem) {
    var script = WireScript(delayConfigured: .zero, end: .reset)
    script.status = 0
    release(try waitingResponse(values), script, then)
  }

  private func release(_ response: WaitingResponse, _ script: WireScript, _ then: @escaping Then) {
    response.ticket.release(script) { isTaken in
      // Another client may have been faster, or the response's own may have left.
      then(isTaken ? .noContent : missing("\(response.id)").response)
    }
  }

  private func waitingResponse(_ values: [String]) throws(Problem) -> WaitingResponse {
    let id = values.first ?? ""
    guard
      let response = core.waitingResponses.all(session: scope).first(where: { "\($0.id)" == id })
    else { throw missing(id) }
    return response
  }

  private func missing(_ id: String) -> Problem {
    .missing(
      "held response", id, among: core.waitingResponses.all(session: scope).map { "\($0.id)" })
  }
}
