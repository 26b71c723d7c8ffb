/// Where the manual of the last release is published.
package enum ManualSite {
  package static let address = "https://OWNER.github.io/understudy/latest/"

  /// The address of a page, such as `reference/findings`, or of a heading on it.
  package static func address(of page: String, heading: String) -> String {
    "\(address)\(page)/#\(heading)"
  }
}
