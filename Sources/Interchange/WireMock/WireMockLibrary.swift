/// Where stubs are among contracts.
package enum WireMockLibrary {
  /// The upstream of all stubs that are given no other.
  package static let upstreamName = "wiremock"

  /// The folder with the `mappings` that a document is in, as the names on the way to it.
  static func root(of document: String) -> [Substring]? {
    let parts = document.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return parts.lastIndex(of: "mappings").map { Array(parts[..<$0]) }
  }

  /// Where the bodies of a document's stubs are: in `__files`, beside `mappings` or the document.
  static func bodiesFolder(of document: String) -> String {
    let beside = document.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return ((root(of: document) ?? Array(beside)) + ["__files"]).joined(separator: "/")
  }
}
