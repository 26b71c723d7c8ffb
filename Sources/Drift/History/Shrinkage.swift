import UnderstudyCore
package import UnderstudyFindings

extension History {
  private static let runCountMax = 5
  private static let runCountMin = 3

  /// These checks, each with a warning where it has at most half of what the smallest of the last
  /// runs had: a list that has lost most of its elements, or a first page that is the last.
  package func withShrinkage(
    _ checks: [Check], _ sizes: [Check.Identity: Int], failsOn: Finding.Severity
  ) -> [Check] {
    let earlier = self.sizes(of: Set(sizes.keys), runCount: Self.runCountMax)
    guard !earlier.isEmpty else { return checks }
    return checks.map { check in
      guard let size = sizes[check.identity], let earlier = earlier[check.identity],
        earlier.count >= Self.runCountMin, let smallest = earlier.min(), size <= smallest / 2,
        let finding = check.shrinkage(to: size, from: earlier)
      else { return check }
      return check.with(findings: check.findings + [finding], failsOn: failsOn)
    }
  }
}

extension Check {
  /// A shorter list may lose half of its elements by chance.
  private static let elementCountMin = 4

  fileprivate func shrinkage(to size: Int, from earlier: [Int]) -> Finding? {
    guard let smallest = earlier.min(), let largest = earlier.max() else { return nil }
    let isPages = identity.consumer != nil
    guard smallest >= (isPages ? 2 : Self.elementCountMin) else { return nil }
    let range = smallest == largest ? "\(smallest)" : "\(smallest) to \(largest)"
    return Finding(
      .warning, .sizeChanged,
      "only \(size.of(isPages ? "page" : "element")), after \(range) in each of the last"
        + " \(earlier.count.of("run"))",
      at: place, fix: "check whether the requested resource still has the rest")
  }
}
