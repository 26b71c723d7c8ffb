package import UnderstudyCore
package import UnderstudyJSON
import UnderstudySecrets

/// One problem that a check or a run found.
package struct Finding: Hashable, Sendable {
  /// How bad a finding is. A run says from which severity on it fails.
  package enum Severity: String, Hashable, Comparable, Sendable, CaseIterable {
    case error, warning, note

    /// The most severe comes first.
    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
      switch self {
      case .error: 0
      case .warning: 1
      case .note: 2
      }
    }
  }

  /// In how many of the compared responses it was seen.
  package struct Frequency: Hashable, Sendable {
    package let count: Int
    package let total: Int

    /// `nil` unless only some responses show it.
    package init?(_ count: Int, of total: Int) {
      guard 1..<max(1, total) ~= count else { return nil }
      self.count = count
      self.total = total
    }
  }

  package let severity: Severity
  package let type: FindingType
  /// One sentence without a full stop: `found status 500, expected 404`.
  package let message: String
  /// The line of the contract that it contradicts, if any.
  package let place: Place?
  /// The value in the body concerned.
  package let path: JSONPointer?
  /// The name of the header concerned.
  package let header: String?
  /// A comparison of what was expected and found, as lines of a unified diff.
  package let diff: [String]
  /// What to do about it, as an instruction.
  package let fix: String?
  /// `nil` when every response shows it; otherwise the finding is intermittent.
  package let frequency: Frequency?

  /// Masks what looks like a secret, because findings are printed, stored and sent.
  package init(
    _ severity: Severity, _ type: FindingType, _ message: String, at place: Place? = nil,
    path: JSONPointer? = nil, header: String? = nil, diff: [String] = [], fix: String? = nil,
    frequency: Frequency? = nil
  ) {
    let mask = SecretMask.standard
    self.severity = severity
    self.type = type
    self.message = mask.masked(message)
    self.place = place
    self.path = path
    self.header = header
    self.diff = diff.map { mask.masked($0) }
    self.fix = fix.map { mask.masked($0) }
    self.frequency = frequency
  }

  /// Empty if it concerns no file.
  package var file: String { place?.file ?? "" }
  package var position: SourcePosition? { place?.position }

  /// The place in the body: `/items/0/name`, or `the root`.
  package var spot: String? {
    path.map { $0.tokens.isEmpty ? "the root" : $0.description }
  }

  /// This finding with another message, and another severity if given.
  package func with(
    _ severity: Severity? = nil, message: String, diff: [String]? = nil, fix: String?
  ) -> Finding {
    Finding(
      severity ?? self.severity, type, message, at: place, path: path, header: header,
      diff: diff ?? self.diff, fix: fix, frequency: frequency)
  }
}

extension Finding: CustomStringConvertible {
  /// The form compilers use, so that editors and CI systems can jump to the place.
  package var description: String {
    let complaint =
      "\(place.map { "\($0): " } ?? "")\(severity.rawValue): \(message) [\(type.rawValue)]"
    return fix.map { "\(complaint)\n  fix: \($0)" } ?? complaint
  }
}

extension [Finding] {
  /// By file, then by place, then errors first.
  package var byPlace: [Finding] {
    sorted { left, right in
      guard left.place == right.place else {
        return left.place ?? Place("") < right.place ?? Place("")
      }
      return left.severity == right.severity
        ? (left.type.rawValue, left.message) < (right.type.rawValue, right.message)
        : left.severity < right.severity
    }
  }
}

extension Finding.Frequency: CustomStringConvertible {
  package var description: String { "in \(count) of \(total) responses" }
}

extension [Finding] {
  /// The most severe first, otherwise in the original order.
  var bySeverity: [Finding] {
    Finding.Severity.allCases.sorted().flatMap { severity in
      filter { $0.severity == severity }
    }
  }
}
