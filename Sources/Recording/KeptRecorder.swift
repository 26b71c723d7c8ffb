import Synchronization
import UnderstudyClient
import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyDrafting
package import UnderstudyFakeServer
import UnderstudyFindings

/// Records contracts for the clients of a server's admin API: from what the server has forwarded and
/// kept, as `ServeRecorder` does while requests arrive.
package final class KeptRecorder: ContractRecording {
  private let folder: String
  private let forwarder = LiveForwarder(isLedAway: true)
  private let differs: ResponseComparison
  /// Held while contracts are read and written.
  private let writing = Mutex(())

  package init(into folder: String, differs: @escaping ResponseComparison) {
    self.folder = folder
    self.differs = differs
  }

  package var ask: Relay.Ask { forwarder.ask }

  package func baseURLs(
    of chosen: [(name: String, baseURL: WebURL?)]
  ) throws(Failure) -> [String: WebURL] {
    try CurlTransport.checkLibrary()
    let library = try RecordingTarget.library(in: folder)
    let baseURLs = try ServeRecorder.baseURLs(of: chosen, library, folder, by: .member)
    for (name, baseURL) in baseURLs {
      try RecordingTarget(
        folder: folder, upstreamName: name, baseURL: baseURL,
        upstream: library?.upstreams.first { $0.name == name }
      ).checkSound()
    }
    return baseURLs
  }

  package func record(_ exchanges: [RelayedExchange]) -> RecordingResult {
    writing.withLock { _ in
      do {
        let baseURLs = Dictionary(
          exchanges.map { ($0.upstreamName, $0.baseURL) }, uniquingKeysWith: { $1 })
        var recorder = try ServeRecorder(
          baseURLs, in: folder, takesAll: false, differs: differs)
        let outcome = recorder.record(exchanges)
        return RecordingResult(
          files: outcome.files,
          unrecorded: outcome.errors
            + outcome.findings.map {
              Failure(message: "\($0.file): \($0.message)", fix: $0.fix)
            })
      } catch {
        return RecordingResult(files: [], unrecorded: [Failure(message: "\(error)")])
      }
    }
  }
}
