import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// Applies the status and headers of an answer.
struct HeadPatch {
  private(set) var document: JSONDocument
  private let expectation: ExpectedAnswer
  private let response: Response
  private let answer: LiveAnswer

  init(of expectation: ExpectedAnswer, _ response: Response, to answer: LiveAnswer) {
    document = expectation.contract.source.document
    self.expectation = expectation
    self.response = response
    self.answer = answer
  }

  /// The reason why a finding was not applied, or `nil` when it was.
  mutating func take(_ finding: Finding) -> String? {
    do throws(JSONEditError) {
      switch finding.type {
      case .status: return try takeStatus()
      case .headerAdded:
        let name = ExpectedAnswer.announcements.first { finding.message.hasPrefix("found \($0) ") }
        return try name.map { name throws(JSONEditError) in try setHeader(name) } ?? Self.unseen
      default:
        let names = response.headers.map(\.name)
        let name = names.first {
          expectation.headerSource($0)?.value.position == finding.place?.position
        }
        guard let name else {
          return finding.type == .headerChanged ? try setHeader("Content-Type") : Self.unseen
        }
        return finding.type == .headerRemoved ? try removeHeader(name) : try setHeader(name)
      }
    } catch {
      return "\(error)"
    }
  }

  static let unseen = "this answer does not show it"

  private mutating func takeStatus() throws(JSONEditError) -> String? {
    guard answer.status / 100 == response.status / 100 else {
      return "an answer with status \(answer.status) is another case: add it, or request this one"
    }
    guard let source = expectation.sources.first(where: { $0["status"] != nil }) else {
      return Self.unseen
    }
    document = try document.setting(source.pointer.appending("status"), to: "\(answer.status)")
    return nil
  }

  private mutating func setHeader(_ name: String) throws(JSONEditError) -> String? {
    guard !SecretNames.standard.hides(name) else { return "its value is a secret" }
    let values = answer.headers.filter { $0.key == HeaderName(name) }.map(\.value)
    guard let first = values.first else { return Self.unseen }
    guard !values.contains(where: { $0.contains(SecretMask.mark) }) else { return BodyEdit.secret }
    let json =
      values.count == 1
      ? first.quoted : "[\(values.map(\.quoted).joined(separator: ", "))]"
    if let source = expectation.sources.first(where: { $0["headers"] != nil }) {
      let headers = source.pointer.appending("headers")
      let key = expectation.headerSource(name).flatMap { $0.value.pointer.tokens.last } ?? name
      let pointer = expectation.headerSource(name)?.value.pointer ?? headers.appending(key)
      document = try document.setting(pointer, to: json)
    } else {
      let pointer = expectation.probe.source.pointer.appending("headers")
      document = try document.setting(pointer, to: "{ \(name.quoted): \(json) }")
    }
    return nil
  }

  private mutating func removeHeader(_ name: String) throws(JSONEditError) -> String? {
    guard let member = expectation.headerSource(name) else { return Self.unseen }
    document = try document.removing(member.value.pointer)
    return nil
  }
}
