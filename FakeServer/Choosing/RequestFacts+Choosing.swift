import UnderstudyContractModel

extension RequestFacts: CaseQuestion {
  func meets(_ trigger: Trigger) -> Bool { fields.meets(trigger, in: candidate.template) }

  var liveCaseIndex: Int? { mayPlayLiveCase ? candidate.liveCaseIndex(for: fields) : nil }

  func text(of template: Template, _ state: UpstreamState, _ source: inout DrawnText) -> String {
    if let text = template.plainText { return text }
    let bytes = ByteTemplate(template, upstreamName: candidate.contract.upstreamName).filled(
      from: answered(with: state, drawn), at: now, &source.values, using: &source.generator)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The same for the answer with this case.
  func answered(by choice: CaseChoice) -> RequestFacts {
    answered(with: choice.state, choice.drawn)
  }
}
