import UnderstudyContractModel

/// One response that waits to be released.
package struct WaitingResponse: Sendable, Identifiable {
  package let request: JournalEntry
  let contract: Contract
  let ticket: ResponseTicket
  /// The response that was chosen when the request came.
  let script: WireScript
  /// The response with another case, by its name; `nil` for one that cannot be served.
  let scriptOfCase: @Sendable (String) throws(ChoiceError) -> WireScript?

  /// The request's number, which no other request of the server has.
  package var id: UInt64 { request.sequence }

  /// Releases the response, once; the rest of the case's delay is still waited for. `false` when
  /// the client has left, or the server is closed or was reset.
  @discardableResult
  package func release() async -> Bool {
    await ticket.release(script)
  }

  /// Releases it without waiting for the result.
  func letGo(then: @escaping ResponseTicket.Then = { _ in }) { ticket.release(script, then: then) }
}
