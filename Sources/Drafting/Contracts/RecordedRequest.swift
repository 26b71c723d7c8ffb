import UnderstudyContractModel
import UnderstudySecrets

/// One request, and all its responses in order.
struct RecordedRequest {
  /// The limit for responses to a repeated request; further ones are not worth a case.
  private static let responseCountMax = 8

  /// One distinct response to a request.
  struct Response {
    let status: Int
    let body: RecordedBody
    /// As received: headers and volatile parts of the body may differ.
    fileprivate(set) var samples: [LiveResponse]
    /// The bodies of the samples.
    fileprivate(set) var bodies: [RecordedBody]

    func isSame(as other: Response) -> Bool {
      status == other.status && body.bytes == other.body.bytes
    }
  }

  let exchange: RecordedExchange
  /// The distinct responses, in order of first appearance.
  private(set) var responses: [Response] = []
  /// The index of the response to each repetition.
  private(set) var sequence: [Int] = []
  /// Whether the limit was exceeded.
  private(set) var isCut = false

  init(_ exchange: RecordedExchange, _ mask: SecretMask) {
    self.exchange = exchange
    add(exchange, mask)
  }

  /// Repeated requests made together show which parts change by themselves: bodies with the same
  /// status are then samples of one response.
  mutating func add(_ again: RecordedExchange, _ mask: SecretMask) {
    var own: [Int] = []
    for live in again.responses {
      let body = body(of: live, mask)
      let new = Response(status: live.status, body: body, samples: [live], bodies: [body])
      let known =
        own.first { responses[$0].status == new.status }
        ?? responses.firstIndex { $0.isSame(as: new) }
      if let known {
        responses[known].samples.append(live)
        responses[known].bodies.append(body)
      } else if responses.count < Self.responseCountMax {
        responses.append(new)
      } else {
        isCut = true
        continue
      }
      let index = known ?? responses.count - 1
      if own.last != index { sequence.append(index) }
      own.append(index)
    }
  }

  /// The body of an equal earlier response, or its own.
  private func body(of live: LiveResponse, _ mask: SecretMask) -> RecordedBody {
    for response in responses where response.status == live.status {
      for (sample, body) in zip(response.samples, response.bodies)
      where sample.body == live.body
        && sample.header("content-type") == live.header("content-type")
      {
        return body
      }
    }
    return RecordedBody(of: live, mask: mask)
  }

  /// Whether both got the same responses in the same order.
  func respondsAlike(_ other: RecordedRequest) -> Bool {
    sequence == other.sequence && responses.count == other.responses.count
      && zip(responses, other.responses).allSatisfy { $0.isSame(as: $1) }
  }

  /// The first response.
  var first: Response { responses[0] }

  /// Whether the first response depends on what the client already has.
  var isConditional: Bool { exchange.isConditional(first.status) }

  /// The responses that a repeated request must get, as far as they are predictable. Responses of a
  /// failing or rate-limiting live API are left out.
  var foreseen: [LiveResponse] {
    let last = sequence.last
    return responses.enumerated().filter { index, response in
      index == last || response.status != 429 && response.status < 500
    }.flatMap(\.element.samples)
  }
}
