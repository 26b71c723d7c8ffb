import UnderstudyContractModel

/// What the choice of a case asks about a request.
protocol CaseQuestion {
  /// Whether request and body meet a case's trigger.
  func meets(_ trigger: Trigger) -> Bool
  /// The case that has this live request.
  var liveCaseIndex: Int? { get }
  /// The text with all expressions filled in.
  func text(of template: Template, _ state: UpstreamState, _ source: inout DrawnText) -> String
}

/// Where the drawn values of texts come from, and those that one answer has only once.
struct DrawnText {
  var generator = PlayGenerator(seed: 0)
  var values = ByteTemplate.AnswerValues()
}

/// Stands for a request that meets no condition.
struct NoRequest: CaseQuestion {
  func meets(_ trigger: Trigger) -> Bool { trigger.request.isEmpty && trigger.body == nil }

  var liveCaseIndex: Int? { nil }

  func text(of template: Template, _ state: UpstreamState, _ source: inout DrawnText) -> String {
    template.plainText ?? ""
  }
}
