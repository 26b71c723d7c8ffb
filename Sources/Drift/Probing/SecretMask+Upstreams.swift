import UnderstudyContractModel
import UnderstudyFindings
package import UnderstudySecrets

extension SecretMask {
  /// What the upstreams of a run are told.
  package init(of upstreams: [LiveUpstream]) {
    self.init(
      secrets: upstreams.flatMap(\.secrets).flatMap { Self.parts(of: $0.value) },
      names: upstreams.flatMap(\.upstream.secrets).map(\.header))
  }

  /// What is said of a check, for upstreams tell of the secrets they were shown.
  func withoutSent(_ check: Check) -> Check { check.mapText { withoutSent($0) } }
}
