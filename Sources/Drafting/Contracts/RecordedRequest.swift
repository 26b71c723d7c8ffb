import UnderstudyContractModel
import UnderstudySecrets

/// One request, and all that it was answered in the order it came.
struct RecordedRequest {
  /// What a live API says when it is asked again and again is not all worth a case.
  private static let answerCountMax = 8

  /// Different answers to one request.
  struct Answer {
    let status: Int
    let body: RecordedBody
    /// As they came: their headers may differ, and what changes by itself in their bodies.
    fileprivate(set) var samples: [LiveAnswer]

    func isSame(as other: Answer) -> Bool {
      status == other.status && body.bytes == other.body.bytes
    }
  }

  let exchange: RecordedExchange
  /// The different ones, the first first.
  private(set) var answers: [Answer] = []
  /// Which of them it was each time.
  private(set) var sequence: [Int] = []
  /// Whether there were more than are kept.
  private(set) var isCut = false

  init(_ exchange: RecordedExchange, _ mask: SecretMask) {
    self.exchange = exchange
    add(exchange, mask)
  }

  /// What came of asking several times at once shows what changes by itself: bodies of one status are
  /// then samples of one answer.
  mutating func add(_ again: RecordedExchange, _ mask: SecretMask) {
    var own: [Int] = []
    for live in again.answers {
      let new = Answer(
        status: live.status, body: RecordedBody(of: live, mask: mask), samples: [live])
      let known =
        own.first { answers[$0].status == new.status }
        ?? answers.firstIndex { $0.isSame(as: new) }
      if let known {
        answers[known].samples.append(live)
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

  /// The answer it got first.
  var first: Answer { answers[0] }

  /// Whether that means something to its sender alone.
  var isConditional: Bool { exchange.isConditional(first.status) }

  /// What it must be answered when it is asked again, as far as that can be foreseen: a live API that
  /// was out of order or had enough for a moment is left out.
  var foreseen: [LiveAnswer] {
    let last = sequence.last
    return answers.enumerated().filter { index, answer in
      index == last || answer.status != 429 && answer.status < 500
    }.flatMap(\.element.samples)
  }
}
