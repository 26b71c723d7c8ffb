package import UnderstudyJSON

/// One endpoint of an upstream: the request, and every way it may be served.
///
/// A class, since it never changes and a copy of its fields would count a dozen references.
///
/// The folder has what contract files say, as values without behaviour. Read this file, then
/// `RequestPattern` and its `Condition`s, `Case` with `When` and `LiveSettings`, `Response` with
/// `Template` and `Malformation`, and `Expectation`, which is what a `Consumer` must make of a
/// case. `Upstream` has the contracts of an API and its limits.
///
/// Nothing here changes after reading, so all threads may use it. A contract always has a case, but
/// not always a default. `source` leads back to the text, for places in messages and for patches;
/// where a contract was read for serving alone, it is `null`.
package final class Contract: Sendable {
  /// `dog-ceo/random-images`
  package let id: String
  package let name: String
  package let upstreamName: String
  package let summary: String?
  package let request: RequestPattern
  /// In file order; never empty.
  package let cases: [Case]
  /// The case served when nothing chooses another; `nil` where such a request is not served.
  package let defaultCaseIndex: Int?
  package let scripts: [Script]
  package let waivers: [Waiver]
  package let file: String
  /// The file's text, and so on for its parts: `null` in what was read for serving.
  package let source: JSONValue
  private let knownHash: Int?
  /// Whether earlier requests, or chance, can decide which case is served and what it has.
  package let dependsOnSession: Bool
  /// The cases that are served for certain requests, by their places.
  package let whenIndices: [Int]
  /// Whether a case is served after a number of requests.
  package let countsRequests: Bool

  init(
    name: String, upstreamName: String, summary: String?, request: RequestPattern, cases: [Case],
    defaultCaseIndex: Int?, scripts: [Script], waivers: [Waiver], file: String, source: JSONValue,
    contentHash: Int? = nil
  ) {
    id = "\(upstreamName)/\(name)"
    self.name = name
    self.upstreamName = upstreamName
    self.summary = summary
    self.request = request
    self.cases = cases
    self.defaultCaseIndex = defaultCaseIndex
    self.scripts = scripts
    self.waivers = waivers
    self.file = file
    self.source = source
    knownHash = contentHash
    dependsOnSession =
      defaultCaseIndex == nil
      || cases.contains { served in
        served.when?.asksOnlyRequest == false || !served.then.isEmpty || !served.stateReads.isEmpty
      }
    whenIndices = cases.indices.filter { cases[$0].when != nil }
    countsRequests = cases.contains { $0.when?.countAbove != nil }
  }

  /// A hash that, in this process, is equal for files whose texts differ only in white space.
  package var contentHash: Int { knownHash ?? source.compactHash }

  /// Whether a case expects anything of a consumer.
  package var hasConsumers: Bool { cases.contains { !$0.expectations.isEmpty } }

  package var defaultCase: Case? { defaultCaseIndex.map { cases[$0] } }

  package func `case`(named name: String) -> Case? {
    cases.first { $0.name == name }
  }
}

/// A lint rule that a contract, or every contract of an upstream, may violate, and why.
package struct Waiver: Sendable {
  package let rule: String
  package let reason: String
  package let source: JSONValue
}

/// Cases to serve in order; the last repeats.
package struct Script: Hashable, Sendable {
  package let name: String
  package let caseNames: [String]
}

extension CompanionCase {
  /// `github/repo`
  package func contractID(beside contract: Contract) -> String {
    name.contains("/") ? name : "\(contract.upstreamName)/\(name)"
  }
}
