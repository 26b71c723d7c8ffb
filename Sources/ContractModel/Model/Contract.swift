package import UnderstudyJSON

/// One endpoint of an upstream: the request, and every way it may be answered.
package struct Contract: Sendable {
  package let name: String
  package let upstreamName: String
  package let summary: String?
  package let request: RequestPattern
  /// In file order; never empty.
  package let cases: [Case]
  /// The case played when nothing chooses another.
  package let defaultCaseIndex: Int
  package let scripts: [Script]
  package let waivers: [Waiver]
  package let file: String
  package let source: JSONValue

  /// `dog-ceo/random-images`
  package var id: String { "\(upstreamName)/\(name)" }

  package var defaultCase: Case { cases[defaultCaseIndex] }

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

/// Cases to play in order; the last repeats.
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
