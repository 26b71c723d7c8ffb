import UnderstudyContractModel
import UnderstudyFindings
package import UnderstudySecrets

/// Live answers without the secrets in them: a text stays a text and a number that a name hides
/// becomes 0, so that types are what they were.
extension SecretMask {
  /// What the upstreams of a run are told.
  init(of upstreams: [LiveUpstream]) {
    self.init(
      secrets: upstreams.flatMap(\.secrets).flatMap { Self.parts(of: $0.value) },
      names: upstreams.flatMap(\.upstream.secrets).map(\.header))
  }

  /// What is said of a check, for upstreams tell of the secrets they were shown.
  func withoutSent(_ check: Check) -> Check { check.mapText { withoutSent($0) } }

  package func masked(_ answer: LiveAnswer) -> LiveAnswer {
    LiveAnswer(
      status: answer.status, headers: masked(answer.headers),
      body: masked(answer.body, of: answer.header("content-type") ?? ""),
      latency: answer.latency, wholeAt: answer.wholeAt)
  }
}
