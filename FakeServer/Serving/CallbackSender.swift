package import UnderstudyContractModel
package import UnderstudyCore

/// Sends the callbacks of a server.
package protocol CallbackSender: Sendable {
  /// Returns the status of the response. The task is cancelled when nobody needs it any more.
  func send(
    _ method: String, _ url: WebURL, _ headers: [HeaderField], _ body: [UInt8]
  ) async throws(Failure) -> Int
}
