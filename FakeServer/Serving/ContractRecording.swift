package import UnderstudyCore

/// Records what a server forwards, for clients that start and stop it, on threads that may wait.
package protocol ContractRecording: Sendable {
  /// Forwards a request whose upstream a client has named.
  var ask: Relay.Ask { get }

  /// The base URLs of the upstreams to record, by their names: the chosen ones, or all that have a
  /// live API.
  func baseURLs(
    of chosen: [(name: String, baseURL: WebURL?)]
  ) throws(Failure) -> [String: WebURL]

  /// Writes contracts.
  func record(_ exchanges: [RelayedExchange]) -> RecordingResult
}

/// What became of requests that were to be recorded.
package struct RecordingResult: Sendable {
  /// The files that were written.
  package let files: [String]
  /// Why something is not recorded, in words.
  package let unrecorded: [Failure]

  package init(files: [String], unrecorded: [Failure]) {
    (self.files, self.unrecorded) = (files, unrecorded)
  }
}
