package import ContractModel
package import Findings
package import JSON

/// A consumer that has been called for a case, as far as a change of the answer concerns it.
package struct Reader: Sendable {
  package let name: String
  /// What it read of the answer; `nil` when that is not known, and then it counts as all.
  package let paths: ReadPaths?
  /// Whether it made of the live answer what the contract says, a value or which error.
  package let isContent: Bool

  package init(_ name: String, paths: ReadPaths?, isContent: Bool) {
    self.name = name
    self.paths = paths
    self.isContent = isContent
  }
}

/// How a live answer differs from the case of a contract that it should be.
package struct Comparison {
  package let findings: [Finding]

  /// - Parameters:
  ///   - again: a second answer to the same request: values in which the two differ are volatile, and
  ///     no finding; what only one of them shows is none either.
  ///   - readers: those who expect something of the case; empty when nobody does.
  ///   - now: in seconds since 1970, what dates are held against.
  package init(
    _ answer: LiveAnswer, again: LiveAnswer? = nil, to probe: Case, of contract: Contract,
    readers: [Reader], now: Double
  ) {
    let place = Place(contract.file, probe.source.position)
    findings =
      answer.status == probe.status
      ? []
      : [
        Finding(
          .error, .status, "found status \(answer.status), expected \(probe.status ?? 0)", at: place
        )
      ]
  }
}
