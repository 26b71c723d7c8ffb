import UnderstudyContractModel

/// The paths of an API's resources: `/contracts/{upstream}/{contract}`.
package enum RoutePattern {
  /// The decoded values of the parameters in a path; `nil` when it does not match. A parameter at
  /// the end, `{name...}`, takes all further segments.
  ///
  /// It is asked about each resource for each request, so most end at the first segment that
  /// differs.
  package static func values(of template: String, in path: Substring) -> [String]? {
    var (expected, rest) = (template.utf8[...], path.utf8)
    var values: [String] = []
    while true {
      let name = expected.prefix { $0 != UInt8(ascii: "/") }
      var found = rest.prefix { $0 != UInt8(ascii: "/") }
      if name.first == UInt8(ascii: "{") {
        if name.suffix(4).elementsEqual("...}".utf8) { found = rest }
        let text = Substring(found)
        values.append(PercentEncoding.decode(text) ?? String(text))
      } else if !name.elementsEqual(found) {
        return nil
      }
      expected = expected[name.endIndex...]
      rest = rest[found.endIndex...]
      switch (expected.popFirst(), rest.popFirst()) {
      case (nil, nil): return values
      case (nil, _?), (_?, nil): return nil
      case (_?, _?): continue
      }
    }
  }
}
