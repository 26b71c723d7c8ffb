import UnderstudyCore
import UnderstudyContractModel

/// What the choice of a case asks about a request.
protocol CaseQuestion {
  /// Whether request and body meet a case's `when`.
  func meets(_ when: When) -> Bool
  /// When it is asked: what conditions on dates compare with.
  var askedAt: Moment { get }
  /// The case that has this live request.
  var liveCaseIndex: Int? { get }
  /// The text with all expressions filled in.
  func text(of template: Template, _ state: UpstreamState, _ source: inout DrawnText) -> String
}

/// Where the drawn values of texts come from, and those that one response has only once.
struct DrawnText {
  var generator = ValueGenerator(seed: 0)
  var values = ByteTemplate.ResponseValues()
}

/// Stands for a request that meets no condition.
struct NoRequest: CaseQuestion {
  func meets(_ when: When) -> Bool { when.request.isEmpty && when.body == nil }

  var askedAt: Moment { .now }

  var liveCaseIndex: Int? { nil }

  func text(of template: Template, _ state: UpstreamState, _ source: inout DrawnText) -> String {
    template.plainText ?? ""
  }
}
