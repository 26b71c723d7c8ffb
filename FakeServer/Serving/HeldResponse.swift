import UnderstudyContractModel
import UnderstudyCore

/// A response that is held, with the request and all that any case of its contract needs to respond
/// to it.
///
/// A class, so that a request that nobody holds costs no more than a pointer.
final class HeldResponse: Sendable {
  let hold: Hold
  /// Its path is relative to the upstream's base URL.
  let request: Request
  let candidate: RequestIndex.Candidate
  /// The contracts when it came.
  private let library: ServableLibrary
  private let session: Session
  private let context: ServingContext
  /// Whether the requesting page may read the response.
  private let isOpen: Bool
  private let baseURL: @Sendable (String) -> String?
  private let servedCases: ServedCases
  private let callbackLog: CallbackLog
  /// Why no callback may follow the response.
  private let callbackRefusal: Failure?

  init(
    hold: Hold, request: Request, candidate: RequestIndex.Candidate, library: ServableLibrary,
    incoming: IncomingRequest, isOpen: Bool, baseURL: @escaping @Sendable (String) -> String?,
    callbackRefusal: Failure?, core: ServerCore
  ) {
    self.hold = hold
    self.request = request
    self.candidate = candidate
    self.library = library
    session = incoming.session
    context = incoming.context
    self.isOpen = isOpen
    self.baseURL = baseURL
    servedCases = core.servedCases
    callbackLog = core.callbacks
    self.callbackRefusal = callbackRefusal
  }

  var byteCount: Int { request.body.count }

  /// The response with this case, whatever was chosen before. It changes the state as the case
  /// says. `nil` when the case cannot be served.
  ///
  /// - Parameter sequence: the number of the request.
  func script(
    ofCase name: String, after sequence: UInt64
  ) throws(ChoiceError) -> WireScript? {
    let contract = candidate.contract
    let facts = RequestFacts(
      RequestParts(request, at: context.now.moment), candidate, at: context.now, baseURL: baseURL)
    guard
      var choice = try session.choose(contract, .example(name), for: facts, isNew: false),
      let servable = library.servable(choice.index, ofContract: candidate.contractNumber)
    else { return nil }
    var context = context
    if isOpen {
      context.addedLines = CrossOrigin.addedLines(
        for: request, beside: contract.cases[choice.index].response?.headers ?? [])
    }
    let callbacks = servable.callbacks(&choice, facts, session, refusal: callbackRefusal)
    var script = session.draw(for: servable) { [choice] in
      servable.script(for: context, facts.responded(by: choice), using: &$0)
    }
    callbackLog.replace(
      sequence, with: callbacks, session: session.name,
      served: ServedCase(contract: contract.id, caseName: servable.name))
    script.status = script.status ?? servable.status ?? 0
    script.caseNumber = servedCases.number(
      of: ServedCase(contract: contract.id, caseName: servable.name))
    return script
  }
}
