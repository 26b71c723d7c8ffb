import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

extension ExpectedResponse {
  /// Headers in which an upstream announces a change.
  private static let announcements: [(name: String, key: HeaderName)] = [
    ("Deprecation", "deprecation"), ("Sunset", "sunset"), ("Warning", "warning"),
  ]

  func headerDifferences(from live: LiveResponse, _ response: Response) -> [Difference] {
    let (expectedValues, foundValues) = (response.headers.valuesByName, live.headers.valuesByName)
    var seen: Set<HeaderName> = []
    var differences: [Difference] = []
    for field in response.headers where seen.insert(field.key).inserted {
      let name = field.name
      let expected = expectedValues[field.key] ?? ""
      let found = foundValues[field.key]
      if let found, ExactText(found) == ExactText(expected) { continue }
      let isTemplated =
        response.templatedParts.contains(.headers) && !Template(expected).expressions.isEmpty
      let rule = HeaderRule(name, isTemplated: isTemplated)
      if case .ignored = rule { continue }
      let shown = SecretNames.standard.hides(name) ? SecretMask.mark : expected
      let isPaged = field.key == "link" && expected.linksToNext
      guard let found else {
        differences.append(
          header(
            .headerRemoved, name, "no header \(name), expected \(shown.shown)",
            fix: isPaged ? Self.morePages : nil, diff: ["-\(name): \(shown)"]))
        continue
      }
      if isPaged, !found.linksToNext {
        differences.append(
          header(
            .headerChanged, name,
            "found Link without rel=\"next\", expected one: the first page has become the last",
            fix: Self.morePages,
            diff: ["-\(name): \(shown)", "+\(name): \(found.visible)"]))
        continue
      }
      if rule.isEqual(expected, found) { continue }
      // A masked value cannot be compared, in the contract or in the response.
      if expected.contains(SecretMask.mark) || found.contains(SecretMask.mark) { continue }
      let shownFound = SecretNames.standard.hides(name) ? SecretMask.mark : found
      differences.append(
        header(
          .headerChanged, name,
          "found \(name) \(shownFound.shown), expected \(shown.shown)",
          value: found, diff: ["-\(name): \(shown)", "+\(name): \(shownFound.visible)"]))
    }
    for (name, key) in Self.announcements where !seen.contains(key) {
      guard let found = foundValues[key] else { continue }
      differences.append(
        header(
          .headerAdded, name, "\(name) \(found.shown) announces a change",
          diff: ["+\(name): \(found.visible)"]))
    }
    return differences
  }

  private static let morePages = "request a resource that has more pages"

  private func header(
    _ type: FindingType, _ name: String, _ message: String, value: String? = nil,
    fix: String? = nil, diff: [String]
  ) -> Difference {
    Difference(
      type: type, message: message,
      position: (headerSource(name)?.value ?? sources.lazy.compactMap { $0["headers"] }.first
        ?? liveCase.source).position,
      value: value, diff: diff, fix: fix, header: name)
  }

  /// The place of a header: in the case, or in one that it is `like`.
  func headerSource(_ name: String) -> JSONMember? {
    sources.lazy.compactMap { source in
      source["headers"]?.members.first { $0.key.lowercased() == name.lowercased() }
    }.first
  }
}

extension String {
  /// Whether a `Link` has a target with the relation `next`.
  fileprivate var linksToNext: Bool { LinkRelations(self).names.contains("next") }
}
