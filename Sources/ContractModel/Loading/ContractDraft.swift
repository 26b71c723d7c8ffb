import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// A contract written in Swift, for tests that need their own.
///
///     let library = try ContractLibrary(drafts: [
///       ContractDraft("joke/random", "GET", "/random")
///         .case("ok", status: 200, body: #"{ "setup": "Why?" }"#)
///         .case("slow", like: "ok", delay: .seconds(2))
///         .case("reset", fault: .connectionResetByPeer)
///         .case("cut", #"{ "like": "ok", "malform": { "truncateAt": 3 } }"#)
///     ])
///
/// It is read and checked like a file of that name.
package struct ContractDraft: Sendable {
  /// `joke/random`
  package let id: String
  private let method: String
  private let path: String
  private var cases: [(name: String, json: String)] = []

  package init(_ id: String, _ method: String, _ path: String) {
    self.id = id
    self.method = method
    self.path = path
  }

  /// Adds a case by its most common members. `body` is JSON, `text` is not.
  package func `case`(
    _ name: String, like other: String? = nil, status: Int? = nil, headers: [String: String] = [:],
    body: String? = nil, text: String? = nil, delay: Duration? = nil, fault: Fault? = nil
  ) -> ContractDraft {
    let fields = headers.sorted { $0.key < $1.key }.map { member($0.key, quoted($0.value)) }
    let members = [
      other.map { member("like", quoted($0)) },
      status.map { member("status", "\($0)") },
      fields.isEmpty ? nil : member("headers", object(fields)),
      body.map { member("body", $0) },
      text.map { member("text", quoted($0)) },
      delay.map { member("delay", #"{ "fixed": "\#($0 / .milliseconds(1))ms" }"#) },
      fault.map { member("fault", quoted($0.rawValue)) },
    ]
    let json = object(members.compactMap(\.self))
    return self.case(name, json)
  }

  /// Adds a case written as in a file, braces included.
  package func `case`(_ name: String, _ json: String) -> ContractDraft {
    var copy = self
    copy.cases.append((name, json))
    return copy
  }

  package var text: String {
    let request = object([member("method", quoted(method)), member("path", quoted(path))])
    let cases = cases.map { "\n" + member($0.name, $0.json) }
    return object([
      member("summary", quoted(id)), member("request", request), member("cases", object(cases)),
    ])
  }

  private func object(_ members: [String]) -> String { "{ \(members.joined(separator: ", ")) }" }

  private func member(_ key: String, _ json: String) -> String { "\(quoted(key)): \(json)" }

  private func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension ContractLibrary {
  /// Reads contracts written in Swift, with a minimal upstream for each folder.
  package init(drafts: [ContractDraft]) throws(ContractError) {
    var files: [String: String] = [:]
    for draft in drafts {
      let upstream = draft.id.prefix { $0 != "/" }
      files["\(upstream)/upstream.json"] = #"{ "summary": "Written in Swift" }"#
      let file = "\(draft.id).json"
      guard files.updateValue(draft.text, forKey: file) == nil else {
        throw ContractError(findings: [
          Finding(
            .error, .duplicateKey, "found two drafts of \(draft.id), expected one", at: Place(file),
            fix: "give one of them another name")
        ])
      }
    }
    self.init(reading: files)
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else { throw ContractError(findings: errors) }
  }
}
