import UnderstudyCore

@testable import UnderstudyFakeServer

/// What records for clients, without a live API and a disk.
struct RecordedFiles: ContractRecording {
  var ask: Relay.Ask {
    { relayed, then in
      then(
        RelayedResponse(
          status: 200, headers: [], body: Array("live \(relayed.request.path)".utf8)))
      return nil
    }
  }

  func baseURLs(of chosen: [(name: String, baseURL: WebURL?)]) throws(Failure) -> [String: WebURL] {
    var baseURLs: [String: WebURL] = [:]
    for (name, url) in chosen { baseURLs[name] = url }
    if chosen.isEmpty { baseURLs["shop"] = WebURL("https://api.shop.example") }
    guard !baseURLs.isEmpty else {
      throw Failure(message: "unknown upstream", fix: "give its URL")
    }
    return baseURLs
  }

  func record(_ exchanges: [RelayedExchange]) -> RecordingResult {
    RecordingResult(
      files: exchanges.map { "\($0.upstreamName)\($0.request.path).json" },
      unrecorded: exchanges.isEmpty ? [] : [Failure(message: "one is left out", fix: "try again")])
  }
}
