import UnderstudyContractModel

/// A callback of a case, compiled once.
struct CallbackRecipe: Sendable {
  private let callback: Callback
  private let url: ByteTemplate
  private let headers: [(name: String, value: ByteTemplate)]
  private let body: ByteTemplate

  init(_ callback: Callback, upstreamName: String) {
    func template(
      _ bytes: [UInt8], _ syntax: ByteTemplate.Syntax, _ part: Response.TemplatedPart? = nil
    ) -> ByteTemplate {
      if let part, !callback.templatedParts.contains(part) {
        return ByteTemplate(bytes, syntax, rewriting: nil)
      }
      return ByteTemplate(templateIn: bytes, syntax, upstreamName: upstreamName, rewriting: nil)
    }
    self.callback = callback
    url = template(Array(callback.url.utf8), .text)
    headers = callback.headers.map {
      ($0.name, template(Array($0.value.utf8), .headerValue, .headers))
    }
    body = template(callback.bodyBytes, callback.isJSON ? .json : .text, .body)
  }

  /// The request that follows the response to this one, in the order of delay, URL, headers and
  /// body.
  func attempt(
    after request: RequestFacts, _ values: inout ByteTemplate.ResponseValues,
    using generator: inout ValueGenerator
  ) -> CallbackAttempt {
    let delay = generator.duration(of: callback.delay)
    func bytes(_ template: ByteTemplate) -> [UInt8] {
      template.filled(from: request, at: request.now, &values, using: &generator)
    }
    func text(_ template: ByteTemplate) -> String {
      String(decoding: bytes(template), as: UTF8.self)
    }
    return CallbackAttempt(
      name: callback.name, method: callback.method, url: text(url),
      headers: headers.map { HeaderField(name: $0.name, value: text($0.value)) },
      body: bytes(body), delay: delay, expectedStatus: callback.expectedStatus)
  }
}
