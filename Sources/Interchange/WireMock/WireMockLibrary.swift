/// Where stubs are among contracts.
package enum WireMockLibrary {
  /// The upstream of all stubs that are given no other.
  package static let upstreamName = "wiremock"

  /// Where the bodies of a document's stubs are: in `__files`, beside `mappings` or the document.
  static func bodiesFolder(of document: String) -> String {
    var parts = document.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    if let mappings = parts.lastIndex(of: "mappings") { parts = parts[..<mappings] }
    return (parts.map(String.init) + ["__files"]).joined(separator: "/")
  }
}
