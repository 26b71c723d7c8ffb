import ContractModel
import Findings
import JSON

/// Hides secrets of what is kept and told of live APIs: by the names of headers, parameters and
/// members, and the values from the environment wherever they are.
struct LiveRedaction: Sendable {
  private let redaction: Redaction
  private let secrets: [SecretText]
  /// A shorter one is in every word.
  private static let secretBytesMin = 4

  init(_ upstreams: [LiveUpstream]) {
    redaction = Redaction(adding: upstreams.flatMap(\.upstream.secrets).map(\.header))
    // `Bearer abc` is hidden as a whole and without its first word.
    secrets = upstreams.flatMap(\.secrets).flatMap { SecretMask.parts(of: $0.value) }
      .map { SecretText($0) }.filter { $0.byteCount >= Self.secretBytesMin }
      .sorted { $0.byteCount > $1.byteCount }
  }

  func redacted(target: String) -> String { text(redaction.redacted(target: target)) }

  func text(_ text: String) -> String {
    secrets.hidden(in: Array(text.utf8), by: Redaction.mask, isJSON: false)
      .map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  func redacted(_ answer: LiveAnswer) -> LiveAnswer {
    LiveAnswer(
      status: answer.status, headers: redacted(answer.headers), body: redacted(body: answer.body),
      latency: answer.latency)
  }

  func redacted(_ headers: [HeaderField]) -> [HeaderField] {
    headers.map { field in
      let value =
        redaction.hides(field.name)
        ? Redaction.mask : text(redaction.redacted(target: field.value))
      return HeaderField(name: field.name, value: value)
    }
  }

  private func redacted(body: [UInt8]) -> [UInt8] { hidden(in: redaction.redacted(json: body)) }

  private func hidden(in body: [UInt8]) -> [UInt8] {
    guard let hidden = secrets.hidden(in: body, by: Redaction.mask, isJSON: false) else {
      return body
    }
    guard (try? JSONDocument(parsing: body)) != nil else { return hidden }
    return secrets.hidden(in: body, by: Redaction.mask, isJSON: true) ?? hidden
  }

  /// An answer without the secrets that were sent; what only its name marks as secret stays.
  func withoutSecrets(_ answer: LiveAnswer) -> LiveAnswer {
    LiveAnswer(
      status: answer.status,
      headers: answer.headers.map { HeaderField(name: $0.name, value: text($0.value)) },
      body: hidden(in: answer.body), latency: answer.latency)
  }

  /// What is said of a check, for upstreams tell of the secrets they were shown.
  func redacted(_ check: Check) -> Check { secrets.isEmpty ? check : check.mapText(text) }
}
