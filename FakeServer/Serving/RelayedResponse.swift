package import UnderstudyContractModel

/// The response for the client.
package struct RelayedResponse: Sendable {
  package let status: Int
  /// Without headers about the connection and the body's length, and without the date.
  package let headers: [HeaderField]
  package let body: [UInt8]
  /// The length the upstream declared, for responses without a body.
  package let contentLength: Int?
  /// Why the server itself responds, without secrets; `nil` for a response of the upstream.
  package let problem: String?

  package init(
    status: Int, headers: [HeaderField], body: [UInt8], contentLength: Int? = nil,
    problem: String? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.contentLength = contentLength
    self.problem = problem
  }

  /// The server writes its own CORS headers, since its origin differs from the live API's.
  func script(for context: ServingContext, to request: Request) -> WireScript {
    var (context, headers) = (context, headers)
    if !context.addedLines.isEmpty {
      headers.removeAll { $0.name.lowercased().hasPrefix("access-control-") }
      context.addedLines = CrossOrigin.addedLines(for: request, beside: headers)
    }
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    let mayHaveBody = status != 204 && status != 304
    var response = OwnResponse(status: status, headerLines: lines, body: mayHaveBody ? body : [])
    if context.isHead || status == 304 {
      response.framing = contentLength.map(ResponseFraming.length) ?? ResponseFraming.none
    }
    var script = response.script(for: context)
    script.status = status
    script.problem = problem
    return script
  }
}
