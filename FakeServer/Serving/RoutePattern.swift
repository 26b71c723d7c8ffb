import UnderstudyContractModel

/// The paths of an API's resources: `/contracts/{upstream}/{contract}`.
package enum RoutePattern {
  /// The decoded values of the parameters in a path; `nil` when it does not match. A parameter at the
  /// end, `{name...}`, takes all further segments.
  package static func values(of template: String, in path: Substring) -> [String]? {
    let expected = template.split(separator: "/", omittingEmptySubsequences: false)
    var found = path.split(separator: "/", omittingEmptySubsequences: false)
    if expected.last?.hasSuffix("...}") ?? false, found.count > expected.count {
      let tail = found[(expected.count - 1)...].joined(separator: "/")
      found = found.prefix(expected.count - 1) + [tail[...]]
    }
    guard expected.count == found.count else { return nil }
    var values: [String] = []
    for (expected, found) in zip(expected, found) {
      if expected.hasPrefix("{") {
        values.append(PercentEncoding.decode(found) ?? String(found))
      } else if expected != found {
        return nil
      }
    }
    return values
  }
}
