import UnderstudyContractModel
import UnderstudySecrets

/// One request, and all its answers in order.
struct RecordedRequest {
  /// The limit for answers to a repeated request; further ones are not worth a case.
  private static let answerCountMax = 8

  /// One distinct answer to a request.
  struct Answer {
    let status: Int
    let body: RecordedBody
    /// As received: headers and volatile parts of the body may differ.
    fileprivate(set) var samples: [LiveAnswer]
    /// Of the samples.
    fileprivate(set) var bodies: [RecordedBody]

    func isSame(as other: Answer) -> Bool {
      status == other.status && body.bytes == other.body.bytes
    }
  }

  let exchange: RecordedExchange
  /// The distinct answers, in order of first appearance.
  private(set) var answers: [Answer] = []
  /// The index of the answer to each repetition.
  private(set) var sequence: [Int] = []
  /// Whether the limit was exceeded.
  private(set) var isCut = false

  init(_ exchange: RecordedExchange, _ mask: SecretMask) {
    self.exchange = exchange
    add(exchange, mask)
  }

  /// Repeated requests made together show which parts change by themselves: bodies with the same
  /// status are then samples of one answer.
  mutating func add(_ again: RecordedExchange, _ mask: SecretMask) {
    var own: [Int] = []
    for live in again.answers {
      let body = body(of: live, mask)
      let new = Answer(status: live.status, body: body, samples: [live], bodies: [body])
      let known =
        own.first { answers[$0].status == new.status }
        ?? answers.firstIndex { $0.isSame(as: new) }
      if let known {
        answers[known].samples.append(live)
        answers[known].bodies.append(body)
      } else if answers.count < Self.answerCountMax {
        answers.append(new)
      } else {
        isCut = true
        continue
      }
      let index = known ?? answers.count - 1
      if own.last != index { sequence.append(index) }
      own.append(index)
    }
  }

  /// That of an equal answer, or its own.
  private func body(of live: LiveAnswer, _ mask: SecretMask) -> RecordedBody {
    for answer in answers where answer.status == live.status {
      for (sample, body) in zip(answer.samples, answer.bodies)
      where sample.body == live.body
        && sample.header("content-type") == live.header("content-type")
      {
        return body
      }
    }
    return RecordedBody(of: live, mask: mask)
  }

  /// Whether both got the same answers in the same order.
  func answersAlike(_ other: RecordedRequest) -> Bool {
    sequence == other.sequence && answers.count == other.answers.count
      && zip(answers, other.answers).allSatisfy { $0.isSame(as: $1) }
  }

  /// The first answer.
  var first: Answer { answers[0] }

  /// Whether the first answer depends on what the client already has.
  var isConditional: Bool { exchange.isConditional(first.status) }

  /// The answers that a repeated request must get, as far as they are predictable. Answers of a
  /// failing or rate-limiting live API are left out.
  var foreseen: [LiveAnswer] {
    let last = sequence.last
    return answers.enumerated().filter { index, answer in
      index == last || answer.status != 429 && answer.status < 500
    }.flatMap(\.element.samples)
  }
}
