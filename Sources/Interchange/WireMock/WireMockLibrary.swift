package import UnderstudyContractModel
package import UnderstudyCore

/// Stub mappings that are played without becoming files.
package struct WireMockLibrary: Sendable {
  /// The upstream of all stubs.
  package static let upstreamName = "wiremock"

  package let library: ContractLibrary
  /// What no contract can say, or says differently.
  package let notes: [ImportNote]

  /// - Parameter isTemplated: whether every answer has expressions, not only those of stubs that say
  ///   so.
  package init(_ source: ImportSource, isTemplated: Bool) throws(Failure) {
    (library, notes) = try WireMockPlan.library(source, isTemplated: isTemplated)
  }
}
