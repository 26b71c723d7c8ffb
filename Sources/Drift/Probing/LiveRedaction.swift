import ContractModel
import Findings

/// Hides secrets of what is kept and told of live APIs: by the names of headers, parameters and
/// members, and the values from the environment wherever they are.
struct LiveRedaction: Sendable {
  private let redaction: Redaction
  private let values: [String]

  init(_ upstreams: [LiveUpstream]) {
    let secrets = upstreams.flatMap(\.secrets)
    redaction = Redaction(adding: upstreams.flatMap(\.upstream.secrets).map(\.header))
    // `Bearer abc` is hidden as a whole and in its parts; one that is too short is in every word.
    values = secrets.flatMap { [$0.value] + $0.value.split(separator: " ").map(String.init) }
      .filter { $0.utf8.count >= 8 }.sorted { $0.utf8.count > $1.utf8.count }
  }

  func redacted(target: String) -> String { text(redaction.redacted(target: target)) }

  func text(_ text: String) -> String {
    values.reduce(text) { $0.replacing($1, with: Redaction.mask) }
  }

  func redacted(_ answer: LiveAnswer) -> LiveAnswer {
    LiveAnswer(
      status: answer.status,
      headers: answer.headers.map { field in
        let value =
          redaction.hides(field.name)
          ? Redaction.mask : text(redaction.redacted(target: field.value))
        return HeaderField(name: field.name, value: value)
      }, body: redacted(body: answer.body), latency: answer.latency)
  }

  private func redacted(body: [UInt8]) -> [UInt8] {
    values.reduce(redaction.redacted(json: body)) { body, value in
      body.replacing(Array(value.utf8), with: Array(Redaction.mask.utf8))
    }
  }

  /// What is said of a check, for upstreams tell of the secrets they were shown.
  func redacted(_ check: Check) -> Check { values.isEmpty ? check : check.mapText(text) }
}
