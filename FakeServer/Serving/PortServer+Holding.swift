import UnderstudyContractModel

extension PortServer {
  /// Holds a response until it is released, its client leaves, or it was held as long as one may
  /// be.
  func keep(_ script: WireScript, of held: HeldResponse, _ mark: ResponseMark) -> Reply {
    let (responses, byteCount) = (core.waitingResponses, held.byteCount)
    let slot = JournalRing.Slot(index: mark.number)
    guard let entry = entry(at: slot) else {
      responses.leave(0, byteCount: byteCount)
      return .script(script, mark: mark)
    }
    let timeMax = core.configuration.limits.heldMax
    return .later(mark: mark) { [self] ticket in
      let response = WaitingResponse(
        request: entry, contract: held.candidate.contract, ticket: ticket, script: script,
        scriptOfCase: { name throws(ChoiceError) in
          try held.script(ofCase: name, after: entry.sequence)
        })
      guard held.hold.take(response) else {
        // The hold ended while the response was made, so it is released here.
        responses.leave(response.id, byteCount: byteCount)
        response.letGo()
        return nil
      }
      responses.add(response)
      if core.events.isCollecting { tellListeners(of: slot) }
      return Errand {
        do { try await Task.sleep(for: timeMax) } catch { return }
        response.letGo()
      } whenOver: {
        held.hold.forget(response.id)
        responses.leave(response.id, byteCount: byteCount)
      }
    }
  }
}
