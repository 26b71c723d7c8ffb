import UnderstudyContractModel
import UnderstudyCore

extension RequestFacts: CaseQuestion {
  func meets(_ when: When) -> Bool { fields.meets(when, in: candidate.template) }

  var askedAt: Moment { now.moment }

  var liveCaseIndex: Int? { mayServeLiveCase ? candidate.liveCaseIndex(for: fields) : nil }

  func text(of template: Template, _ state: UpstreamState, _ source: inout DrawnText) -> String {
    if let text = template.plainText { return text }
    let bytes = ByteTemplate(template, upstreamName: candidate.contract.upstreamName).filled(
      from: responded(with: state, drawn), at: now, &source.values, using: &source.generator)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// This request, as the templates of the chosen case see it.
  func responded(by choice: CaseChoice) -> RequestFacts {
    responded(with: choice.state, choice.drawn)
  }
}
