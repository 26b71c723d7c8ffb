/// Where stubs are among contracts.
package enum WireMockLibrary {
  /// The upstream of all stubs that are given no other.
  package static let upstreamName = "wiremock"
}
