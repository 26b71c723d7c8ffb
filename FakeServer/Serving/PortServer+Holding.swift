import UnderstudyContractModel

/// A request whose answer is held, with all that any case of its contract needs to answer it.
///
/// A class, so that a request that nobody holds costs no more than a pointer.
final class HeldRequest: Sendable {
  let hold: Hold
  /// Its path is relative to the upstream's base URL.
  let request: Request
  let candidate: RequestIndex.Candidate
  /// The contracts when it came.
  private let library: PlayableLibrary
  private let session: Session
  private let context: PlayContext
  /// Whether the requesting page may read the answer.
  private let isOpen: Bool
  private let baseURL: @Sendable (String) -> String?
  private let playedCases: PlayedCases

  init(
    hold: Hold, request: Request, candidate: RequestIndex.Candidate, library: PlayableLibrary,
    incoming: IncomingRequest, isOpen: Bool, baseURL: @escaping @Sendable (String) -> String?,
    core: ServerCore
  ) {
    self.hold = hold
    self.request = request
    self.candidate = candidate
    self.library = library
    session = incoming.session
    context = incoming.context
    self.isOpen = isOpen
    self.baseURL = baseURL
    playedCases = core.playedCases
  }

  var byteCount: Int { request.body.count }

  /// The answer with this case, whatever was chosen before. It changes the state as the case says.
  /// `nil` when the case cannot be played.
  func script(ofCase name: String) throws(ChoiceError) -> WireScript? {
    let contract = candidate.contract
    let facts = RequestFacts(RequestParts(request), candidate, at: context.now, baseURL: baseURL)
    guard
      let choice = try session.choose(contract, .example(name), for: facts, isNew: false),
      let playable = library.playable(choice.index, ofContract: candidate.contractNumber)
    else { return nil }
    var context = context
    if isOpen {
      context.addedLines = CrossOrigin.addedLines(
        for: request, beside: contract.cases[choice.index].response?.headers ?? [])
    }
    var script = session.draw(for: playable) {
      playable.script(for: context, facts.answered(by: choice), using: &$0)
    }
    script.status = script.status ?? playable.status ?? 0
    script.caseNumber = playedCases.number(
      of: PlayedCase(contract: contract.id, caseName: playable.name))
    return script
  }
}

extension PortServer {
  /// Holds an answer until it is released, its client leaves, or it was held as long as one may be.
  func keep(_ script: WireScript, of held: HeldRequest, _ mark: AnswerMark) -> Reply {
    let (answers, byteCount) = (core.waitingAnswers, held.byteCount)
    let slot = JournalRing.Slot(index: mark.number)
    guard let entry = entry(at: slot) else {
      answers.leave(0, byteCount: byteCount)
      return .script(script, mark: mark)
    }
    let timeMax = core.configuration.limits.heldMax
    return .later(mark: mark) { [self] ticket in
      let answer = WaitingAnswer(
        request: entry, contract: held.candidate.contract, ticket: ticket, script: script,
        scriptOfCase: held.script(ofCase:))
      guard held.hold.take(answer) else {
        // The hold ended while the answer was made, so it is released here.
        answers.leave(answer.id, byteCount: byteCount)
        answer.letGo()
        return nil
      }
      answers.add(answer)
      if core.events.isCollecting { tellListeners(of: slot) }
      return Errand {
        do { try await Task.sleep(for: timeMax) } catch { return }
        answer.letGo()
      } whenOver: {
        held.hold.forget(answer.id)
        answers.leave(answer.id, byteCount: byteCount)
      }
    }
  }
}
