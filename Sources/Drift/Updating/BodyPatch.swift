import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema
import UnderstudySecrets

/// Applies an answer's body to the schema of a case and its examples.
///
/// An edit may reveal another difference, such as a member that is no longer required but still in
/// the example, so it compares again until nothing more can be applied.
struct BodyPatch {
  private(set) var document: JSONDocument
  private let expectation: ExpectedAnswer
  private let response: Response
  private let answer: LiveAnswer
  private let isOver: () -> Bool
  private static let roundsMax = 40

  init(
    of expectation: ExpectedAnswer, _ response: Response, in document: JSONDocument,
    to answer: LiveAnswer, isOver: @escaping () -> Bool
  ) {
    self.isOver = isOver
    self.expectation = expectation
    self.response = response
    self.document = document
    self.answer = answer
  }

  /// Returns the findings that remain, with reasons.
  mutating func take(_ findings: [Finding]) -> [(Finding, String)] {
    if case .text = response.body { return findings.compactMap { takeText($0) } }
    if case .file = response.body {
      return findings.map { ($0, "its body is in a file of its own: record it again") }
    }
    guard case .json(let body) = response.body, let found = try? JSONDocument(parsing: answer.body)
    else { return findings.map { ($0, HeadPatch.unseen) } }
    let shared = expectation.contract.cases.compactMap { other -> BodyEdit.SharedBody? in
      guard other.name != expectation.probe.name, case .json(let example)? = other.response?.body,
        let schema = response.schema,
        other.response?.schema?.source.pointer == schema.source.pointer
      else { return nil }
      return BodyEdit.SharedBody(pointer: example.pointer, isLive: other.live != nil)
    }
    var edit = BodyEdit(
      document: document, found: found.root, body: body.pointer,
      schema: response.schema?.source.pointer,
      isTemplated: response.templatedParts.contains(.body), now: expectation.now,
      isOver: isOver)
    edit.sharedBodies = shared
    // Findings have places in the file before its head was edited.
    var unedited = edit
    unedited.document = expectation.contract.source.document
    let first = unedited.differences
    var chosen: [(finding: Finding, difference: AnswerDifference)] = []
    var leftOver: [(Finding, String)] = []
    for finding in findings {
      let alike = first.filter {
        $0.type == finding.type && $0.position == finding.place?.position
      }
      let own =
        alike.first { $0.pointers.first == finding.path }.map { [$0] }
        ?? alike.filter { $0.addition.map { $0.object == finding.path } ?? false }
      chosen += own.map { (finding, $0) }
      if own.isEmpty {
        let isHidden = finding.path.flatMap(found.root.value(at:))?.holdsMask ?? false
        leftOver.append((finding, isHidden ? BodyEdit.secret : HeadPatch.unseen))
      }
    }
    edit.run(chosen.map(\.difference), roundsMax: Self.roundsMax)
    document = edit.document
    for (finding, difference) in chosen {
      let paths = (difference.path.map { [$0] } ?? []) + difference.others
      guard let reason = paths.lazy.compactMap({ edit.reasons[$0] }).first else { continue }
      // For members reported together, it is one that remains.
      let name =
        difference.pointers.first == finding.path ? nil : difference.pointers.first?.tokens.last
      leftOver.append((finding, (name.map { "\($0): " } ?? "") + reason))
    }
    return leftOver
  }

  private mutating func takeText(_ finding: Finding) -> (Finding, String)? {
    guard finding.type == .schemaViolated,
      let source = expectation.sources.first(where: { $0["text"] != nil }),
      let text = String(validating: answer.body, as: UTF8.self)
    else { return (finding, HeadPatch.unseen) }
    guard !text.contains(SecretMask.mark) else { return (finding, BodyEdit.secret) }
    do throws(JSONEditError) {
      document = try document.setting(source.pointer.appending("text"), to: text.quoted)
      return nil
    } catch {
      return (finding, "\(error)")
    }
  }
}
