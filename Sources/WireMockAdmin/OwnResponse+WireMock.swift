import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyJSON

extension OwnResponse {
  static func json(_ text: JSONText, status: Int = 200) -> OwnResponse {
    OwnResponse(status: status, contentType: "application/json", body: text.bytes)
  }

  static let emptyObject = OwnResponse.json(.emptyObject)

  /// An error as WireMock's clients read it.
  static func error(
    _ status: Int, code: Int, _ title: String, detail: String? = nil, source: JSONText? = nil
  ) -> OwnResponse {
    .json(
      [
        "errors": [
          [
            "code": .int(code), "source": source, "title": .string(title),
            "detail": detail.map { .string($0) },
          ]
        ]
      ], status: status)
  }
}

/// Why a request to the admin API is refused.
enum AdminRefusal: Error {
  /// What was asked for does not exist.
  case unknown
  /// The JSON in the request is wrong at this place; `nil` if it cannot be read at all.
  case wrong(_ pointer: String?, _ reason: String)
  case other(OwnResponse)

  init(_ refusal: StubRefusal) { self = .wrong(refusal.pointer, refusal.reason) }

  init(_ problem: FormProblem) { self = .wrong(problem.pointer, problem.reason) }

  var response: OwnResponse {
    switch self {
    case .unknown: .empty(404)
    case .wrong(let pointer, let reason):
      .error(
        422, code: 10, "Error parsing JSON", detail: reason,
        source: ["pointer": pointer.map { .string($0.isEmpty ? "/" : $0) }])
    case .other(let response): response
    }
  }

  /// This refusal, for a value that is at this place in a larger document.
  func within(_ pointer: String) -> AdminRefusal {
    guard case .wrong(let place?, let reason) = self else { return self }
    return .wrong(pointer + place, reason)
  }
}
