import UnderstudyFakeServer
import UnderstudyInterchange

extension OwnAnswer {
  static func json(_ text: JSONText, status: Int = 200) -> OwnAnswer {
    OwnAnswer(status: status, contentType: "application/json", body: text.bytes)
  }

  static let emptyObject = OwnAnswer.json(.emptyObject)

  /// An error as WireMock's clients read it.
  static func error(
    _ status: Int, code: Int, _ title: String, detail: String? = nil, source: JSONText? = nil
  ) -> OwnAnswer {
    .json(
      .object([
        (
          "errors",
          .array([
            .object([
              ("code", .int(code)), ("source", source), ("title", .string(title)),
              ("detail", detail.map { .string($0) }),
            ])
          ])
        )
      ]), status: status)
  }

  /// What is wrong with the JSON in a request.
  static func wrong(_ pointer: String?, _ detail: String) -> OwnAnswer {
    error(
      422, code: 10, "Error parsing JSON", detail: detail,
      source: .object([("pointer", pointer.map { .string($0.isEmpty ? "/" : $0) })]))
  }
}

/// Why a request to the admin API gets another answer than it asks for.
struct AdminRefusal: Error {
  let answer: OwnAnswer

  static let unknown = AdminRefusal(answer: .empty(404))

  init(answer: OwnAnswer) { self.answer = answer }

  init(_ refusal: StubRefusal) { answer = .wrong(refusal.pointer, refusal.reason) }
}
