package import UnderstudyClient
package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyDrafting

/// Sends the requests to be recorded to a live API.
package struct RecordingClient: Sendable {
  /// What a file of a contract may have.
  package static let bodyBytesMax = FileRoot.byteCountMax
  /// Larger bodies are requested no more than twice, since all of them are kept until they are
  /// recorded.
  private static let repeatedBytesMax = 4 << 20

  private let transport: any Transport
  private let samples: Int
  private let timeout: Duration

  package init(_ transport: any Transport, samples: Int, timeout: Duration) {
    self.transport = transport
    self.samples = samples
    self.timeout = timeout
  }

  /// Repeats a request several times in sequence, so that volatile parts are noticed. Stops when
  /// rate limited.
  package func ask(
    _ url: String, headers: [HeaderField]
  ) async throws(TransportError) -> [LiveResponse] {
    var request = ClientRequest(url: url, headers: ["User-Agent": Recording.userAgent])
    for field in headers { request.headers[field.name] = field.value }
    request.options.totalTimeout = timeout
    request.options.bodyBytesMax = Self.bodyBytesMax
    var responses: [LiveResponse] = []
    while responses.count < samples {
      let response = LiveResponse(try await transport.send(request)).sharingBody(
        with: responses.last)
      responses.append(response)
      if response.status == 429 { break }
      if response.body.count > Self.repeatedBytesMax, responses.count == 2 { break }
    }
    return responses
  }
}
