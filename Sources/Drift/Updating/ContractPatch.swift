package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyDrafting
package import UnderstudyFindings
import UnderstudyJSON

/// The smallest edit of a contract's file that makes a case match an answer.
///
/// Members of a case that this one is `like` are edited there, for both.
package struct ContractPatch: Sendable {
  /// A finding that was not applied, and the reason.
  package struct Remainder: Sendable {
    package let finding: Finding
    package let reason: String

    fileprivate static func breaking(_ finding: Finding, _ problem: String) -> Self {
      Self(finding: finding, reason: "it would break the file: \(problem)")
    }
  }

  package let bytes: [UInt8]
  package let leftOver: [Remainder]
  private let original: [UInt8]

  /// - Parameters:
  ///   - answer: with its secrets masked.
  ///   - findings: the differences between this answer and this case to apply.
  ///   - now: the current time, for checks of dates.
  ///   - isOver: whether the time is up; the rest then remains.
  package init(
    of contract: Contract, case name: String, to answer: LiveAnswer, findings: [Finding],
    now: Moment, isOver: @escaping () -> Bool = { false }
  ) throws(Failure) {
    guard let probe = contract.case(named: name), let response = probe.response else {
      throw Failure(message: "\(contract.id) has no case \"\(name)\" with an answer")
    }
    let expectation = ExpectedAnswer(of: probe, in: contract, now: now)
    var leftOver: [Remainder] = []
    var bodyFindings: [Finding] = []
    var head = HeadPatch(of: expectation, response, to: answer)
    for finding in findings {
      switch finding.type {
      case .status, .headerAdded, .headerChanged, .headerRemoved:
        if let reason = head.take(finding) {
          leftOver.append(Remainder(finding: finding, reason: reason))
        }
      case .redirect:
        leftOver.append(
          Remainder(finding: finding, reason: "the contract's owner must decide on the request"))
      case .performance:
        leftOver.append(
          Remainder(finding: finding, reason: "its owner must decide how slow it may be"))
      case .bodyUnreadable:
        leftOver.append(
          Remainder(finding: finding, reason: "such a body cannot be applied"))
      case .arrayEmptied:
        leftOver.append(
          Remainder(
            finding: finding,
            reason: "an empty array does not show its elements: request one that has some"))
      default: bodyFindings.append(finding)
      }
    }
    var document = head.document
    if let problem = contract.firstProblem(broughtBy: document) {
      document = contract.source.document
      leftOver = findings.filter { !bodyFindings.contains($0) }.map { finding in
        leftOver.first { $0.finding == finding } ?? .breaking(finding, problem)
      }
    }
    // All at once; if another part of the file prevents that, each half by itself.
    func take(_ group: ArraySlice<Finding>) {
      guard let first = group.first else { return }
      if isOver() {
        leftOver += group.map { Remainder(finding: $0, reason: BodyEdit.late) }
        return
      }
      var body = BodyPatch(of: expectation, response, in: document, to: answer, isOver: isOver)
      let rest = body.take(Array(group)).map { Remainder(finding: $0, reason: $1) }
      guard let problem = contract.firstProblem(broughtBy: body.document) else {
        document = body.document
        leftOver += rest
        return
      }
      if group.count == 1 {
        leftOver.append(.breaking(first, problem))
      } else {
        let middle = group.startIndex + group.count / 2
        take(group[..<middle])
        take(group[middle...])
      }
    }
    take(bodyFindings[...])
    self.bytes = document.bytes
    self.leftOver = leftOver
    original = contract.source.document.bytes
  }

  package var isEmpty: Bool { bytes == original }
}

extension Contract {
  /// A problem of a contract's file that an edit introduced.
  func firstProblem(broughtBy edited: JSONDocument) -> String? {
    let known = Set(problems(in: source.document).map(\.message))
    let problem = problems(in: edited).first { !known.contains($0.message) }
    return problem.map { "\($0.message) (\(place(of: $0, in: edited)))" }
  }

  /// The case of this file that a problem of the edited one is in.
  private func place(of problem: Finding, in edited: JSONDocument) -> Place {
    guard let position = problem.position,
      let section = edited.root.members.filter({ $0.keyPosition < position }).last,
      section.key == "cases",
      let name = section.value.members.filter({ $0.keyPosition <= position }).last?.key
    else { return Place(file, nil) }
    return Place(file, self.case(named: name)?.source.position)
  }

  /// Read alone, the file lacks what other files define, before an edit as after it.
  private func problems(in document: JSONDocument) -> [Finding] {
    libraryOfItself(with: document.bytes).findings.filter { $0.severity == .error }
  }

  /// The library with only this contract, read from another text.
  func libraryOfItself(with bytes: [UInt8]) -> ContractLibrary {
    ContractLibrary(reading: [
      "\(upstreamName)/upstream.json": #"{ "summary": "As it is read by itself" }"#,
      "\(upstreamName)/\(name).json": String(decoding: bytes, as: UTF8.self),
    ])
  }
}
