package import UnderstudyJSON

/// A contract that a program makes or changes. It consists of values until a file or a server needs
/// its text.
///
///     ContractDraft("joke/random", "GET", "/random")
///       .case("ok", status: 200, body: #"{ "setup": "Why?" }"#)
///       .case("slow", like: "ok", delay: .seconds(2))
///
/// A draft keeps the order in which its parts were added. Nothing is checked until its text is read
/// as a contract.
package struct ContractDraft: Sendable {
  /// The name of its file: `random`, or `joke/random` where nothing else gives the upstream.
  package var name: String
  /// The members that the file has before its cases.
  package var head: JSONObject
  package var cases: [CaseDraft]
  /// The members that the file has after its cases.
  package var tail: JSONObject
  /// Bodies in files of their own, by their paths in the upstream's folder.
  package var files: [(path: String, bytes: [UInt8])]

  package init(
    named name: String, _ head: JSONObject, cases: [CaseDraft], _ tail: JSONObject = [:],
    files: [(path: String, bytes: [UInt8])] = []
  ) {
    (self.name, self.head, self.cases, self.tail, self.files) = (name, head, cases, tail, files)
  }

  /// Makes a draft of the text of a contract file.
  package init(
    named name: String, of source: JSONValue, files: [(path: String, bytes: [UInt8])] = []
  ) {
    let members = JSONObject(of: source).all
    let cases = (source["cases"] ?? .null).members.map { member in
      CaseDraft(member.key, status: member.value["status"]?.int, JSONObject(of: member.value))
    }
    let place = members.firstIndex { $0.key == "cases" } ?? members.count
    self.init(
      named: name, JSONObject(members[..<place].map { ($0.key, $0.value) }), cases: cases,
      JSONObject(members[place...].dropFirst().map { ($0.key, $0.value) }), files: files)
  }

  /// A member beside the cases, before or after them.
  package subscript(key: String) -> JSONText? {
    get { head[key] ?? tail[key] }
    set { if tail[key] == nil { head[key] = newValue } else { tail[key] = newValue } }
  }

  package var text: JSONText {
    var members = head
    members["cases"] = .object(cases.map { ($0.name, $0.members.text) })
    return (members + tail).text
  }
}

/// A case of a `ContractDraft`.
package struct CaseDraft: Sendable {
  package let name: String
  /// The status that it serves; `nil` if the text of a file does not have it, which may be so
  /// because of `like`.
  package let status: Int?
  /// The members that the file has of it.
  package var members: JSONObject

  package init(_ name: String, status: Int? = nil, _ members: JSONObject) {
    (self.name, self.status, self.members) = (name, status, members)
  }
}
