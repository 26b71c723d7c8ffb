import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyDrafting
package import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

extension ContractUpdate {
  /// Adds each changed response as a new case next to the one it differs from.
  ///
  /// The expectation of services is `null` until their results are known.
  ///
  /// - Parameters:
  ///   - checks: of the results, as they are reported: accepted findings add no case.
  ///   - day: the day of the responses: `2026-11-21`.
  ///   - isOver: whether the time is up; the rest then remains.
  package init(
    addingCasesOf results: [LiveCaseResult], reportedAs checks: [Check], on day: String,
    isOver: () -> Bool = { false }
  ) {
    var findings: [Check.Identity: [Finding]] = [:]
    for check in checks { findings[check.identity] = check.findings }
    for result in results {
      let drift: [Finding] = result.checks.flatMap { findings[$0.identity] ?? [] }
        .filter { $0.severity < .note }
      guard let response = result.response,
        let worst = drift.min(by: { $0.severity < $1.severity })
      else { continue }
      let liveCase = result.liveCase
      if isOver() {
        leave(liveCase, worst, Refusal.late.reason)
        continue
      }
      let known = files.first { $0.path == liveCase.contract.file }?.bytes
      let bytes = known ?? liveCase.contract.source.document.bytes
      do throws(JSONEditError) {
        let addition = CaseAddition(to: liveCase, response, worst, on: day)
        if let reason = addition.refusal {
          leave(liveCase, worst, reason)
        } else if let document = try? JSONDocument(parsing: bytes) {
          let (name, edited) = try addition.document(from: document)
          if let problem = liveCase.contract.problem(broughtBy: edited) {
            leave(liveCase, worst, problem)
          } else {
            set(edited.bytes, of: liveCase.contract)
            addedCaseIDs.insert("\(liveCase.contract.id)#\(name)")
          }
        }
      } catch {
        leave(liveCase, worst, "\(error)")
      }
    }
  }

  private mutating func leave(_ liveCase: PlannedCase, _ finding: Finding, _ reason: String) {
    leftOver.append(
      Remainder(caseID: liveCase.identity.caseID, findings: [finding], reason: reason))
  }

  mutating func set(_ bytes: [UInt8], of contract: Contract) {
    if let index = files.firstIndex(where: { $0.path == contract.file }) {
      files[index].bytes = bytes
    } else {
      files.append(
        File(path: contract.file, original: contract.source.document.bytes, bytes: bytes))
    }
  }
}

/// A response to be added as a case.
private struct CaseAddition {
  private let liveCase: PlannedCase
  private let finding: Finding
  private let day: String
  private let recorded: RecordedCase

  init(to liveCase: PlannedCase, _ response: LiveResponse, _ finding: Finding, on day: String) {
    self.liveCase = liveCase
    self.finding = finding
    self.day = day
    recorded = RecordedCase(
      named: "\(liveCase.served.name)-\(day)", of: response, baseURL: liveCase.upstream.baseURL)
  }

  /// Why it is not added.
  var refusal: String? {
    if case .file = recorded.body { return "its body needs a separate file" }
    guard let body = recorded.body.json?.root.compact else { return nil }
    let same = liveCase.contract.cases.first {
      $0.kind == .good && $0.status == recorded.status && $0.bodyBytes == body
    }
    return same.map { "the case \"\($0.name)\" has this response" }
  }

  /// The contract with the case at the end.
  func document(
    from document: JSONDocument
  ) throws(JSONEditError) -> (name: String, edited: JSONDocument) {
    var names = UniqueNames(taken: document.root["cases"]?.members.map(\.key) ?? [])
    let name = names.name(recorded.name)
    return (name, try document.setting(["cases", name], to: members.text.laidOut()))
  }

  private var members: JSONObject {
    let place = finding.path.map { " at \($0)" } ?? ""
    let summary: JSONObject = [
      "summary": "What the live API responded on \(day)\(place): \(finding.message)"
    ]
    let expected = liveCase.readers.map { reader -> (key: String, value: JSONText?) in
      let arguments = reader.expectation.arguments.map { JSONText.value($0) }
      return (reader.consumer.name, ["arguments": arguments, "value": .null])
    }
    var members = summary + recorded.draft().members
    members["expect"] = expected.isEmpty ? nil : .object(expected)
    return members
  }
}
