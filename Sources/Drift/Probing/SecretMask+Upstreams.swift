import UnderstudyContractModel
import UnderstudyFindings
package import UnderstudySecrets

extension SecretMask {
  /// Masks the secrets sent to the upstreams of a run.
  package init(of upstreams: [LiveUpstream]) {
    self.init(
      secrets: upstreams.flatMap(\.secrets).flatMap { Self.parts(of: $0.value) },
      names: upstreams.flatMap(\.upstream.secrets).map(\.header))
  }

  /// Masks the texts of a check, since upstreams may repeat secrets they received.
  func withoutSent(_ check: Check) -> Check { check.mapText { withoutSent($0) } }
}
