package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyJSON
package import UnderstudySecrets
import UnderstudySystem

/// A request that follows a response, and what became of it.
package struct CallbackAttempt: Sendable {
  package enum Outcome: String, Sendable, CaseIterable {
    /// The response, or the delay, is not over yet.
    case waiting
    /// It is sent, and its own response has not come yet.
    case underWay
    /// Its receiver has responded.
    case responded
    /// It got no response.
    case failed
    /// It was not sent: because of its address, of who asked for it, or of a limit.
    case refused
    /// A reset or the end of the server came first.
    case cancelled

    var isOpen: Bool { self == .waiting || self == .underWay }
  }

  package let name: String
  package let method: String
  /// With all expressions filled in; not an address, perhaps.
  package internal(set) var url: String
  package internal(set) var headers: [HeaderField]
  package internal(set) var body: [UInt8]
  /// From the end of the response, before any time scale.
  let delay: Duration
  package let expectedStatus: Int?
  package internal(set) var outcome = Outcome.waiting
  /// The status of the response that it got.
  package internal(set) var status: Int?
  /// Why there is no response, and what to do about it.
  package internal(set) var problem: Failure?

  /// Whether it got the response that its contract expects; `nil` where that expects none.
  package var isAsExpected: Bool? {
    expectedStatus.map { outcome == .responded && status == $0 }
  }

  /// What is wrong with the response that it got, or with there being none; `nil` where it is as
  /// expected.
  package var complaint: Failure? {
    guard let expectedStatus, isAsExpected == false else { return nil }
    switch outcome {
    case .responded:
      return Failure(
        message: "the callback \"\(name)\" got \(status ?? 0), expected \(expectedStatus)",
        fix: "let its receiver respond with \(expectedStatus)")
    case .failed:
      return Failure(
        message: "the callback \"\(name)\" got no response, expected \(expectedStatus): \(ending)",
        fix: "let its receiver listen at the address until it has come")
    case .refused:
      return Failure(
        message: "the callback \"\(name)\" was not sent: \(ending)", fix: problem?.fix)
    case .waiting, .underWay, .cancelled:
      return Failure(message: "the callback \"\(name)\" was still \(wasDoing) at the end")
    }
  }

  private var wasDoing: String { outcome == .underWay ? "under way" : "to come" }

  /// How it ended, in words: `204`, or the reason why there is no status.
  package var ending: String {
    status.map(String.init) ?? problem?.message ?? outcome.rawValue
  }

  /// The size of what it keeps.
  var byteCount: Int {
    headers.reduce(body.count + url.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }

  mutating func end(_ outcome: Outcome, _ problem: Failure? = nil) {
    (self.outcome, self.problem) = (outcome, problem)
  }

  /// This attempt without secrets.
  package func masked(by mask: SecretMask) -> CallbackAttempt {
    var copy = self
    let request = mask.masked(Request(method, url, headers: headers, body: body))
    copy.url = request.path + (request.query.map { "?\($0)" } ?? "")
    (copy.headers, copy.body) = (request.headers, request.body)
    copy.problem = problem.map {
      Failure(message: $0.message.replacing(url, with: copy.url), fix: $0.fix)
    }
    return copy
  }

  func write(to object: inout JSONWriter) {
    object.member("name", name)
    object.member("method", method)
    object.member("url", url)
    object.list("headers", headers) { writer, field in
      writer.object { object in
        object.member("name", field.name)
        object.member("value", field.value)
      }
    }
    if let text = String(validating: body, as: UTF8.self) {
      object.member("body", text)
    } else {
      object.member("bodyBase64", Base64.encode(body))
    }
    object.member("outcome", outcome.rawValue)
    object.member("status", status)
    object.member("expectedStatus", expectedStatus)
    object.member("message", problem?.message)
    object.member("fix", problem?.fix)
  }
}
