import Testing
import UnderstudyJSON

@testable import UnderstudyContractModel

/// Contracts as values, and the texts that they become.
@Suite struct ContractDraftTests {
  private static func text(_ draft: ContractDraft) -> String {
    String(decoding: draft.text.bytes, as: UTF8.self)
  }

  @Test("what is written in Swift has its members in one order")
  func written() throws {
    let draft = ContractDraft("a/b", "GET", "/b")
      .case(
        "ok", status: 200, headers: ["Z": "1", "A": "2"], body: #"{ "x": 1 }"#,
        delay: .milliseconds(1_500)
      )
      .case("other", like: "ok", fault: .connectionResetByPeer).case("text", text: "\"t\"")
    #expect(
      Self.text(draft) == #"""
        {"summary":"a/b","request":{"method":"GET","path":"/b"},"cases":{"ok":{"status":200,\#
        "headers":{"A":"2","Z":"1"},"body":{ "x": 1 },"delay":{"fixed":"1500.0ms"}},"other":{\#
        "like":"ok","fault":"CONNECTION_RESET_BY_PEER"},"text":{"text":"\"t\""}}}
        """#)
  }

  @Test(
    "a contract of a file comes back as it was, in its own order",
    arguments: [
      #"{"cases":{"ok":{"body":[1],"status":200}},"request":{},"waive":{"a":"b"},"x-y":1}"#,
      #"{"summary":"s","default":null,"request":{"method":"GET"},"cases":{}}"#,
    ])
  func unchanged(json: String) throws {
    let draft = ContractDraft(named: "n", of: try JSONDocument(parsing: json).root)
    #expect(Self.text(draft) == json)
  }

  @Test("a member beside the cases is found and changed wherever it stands")
  func members() throws {
    let json = #"{"cases":{},"request":{"method":"GET"}}"#
    var draft = ContractDraft(named: "n", of: try JSONDocument(parsing: json).root)
    #expect(draft["request"] == ["method": "GET"] && draft["summary"] == nil)
    draft["request"] = ["method": "PUT"]
    draft["summary"] = "s"
    #expect(Self.text(draft) == #"{"summary":"s","cases":{},"request":{"method":"PUT"}}"#)
  }

  @Test("cases of a file can be changed, and are known by their status")
  func changed() throws {
    let json = #"{"request":{},"cases":{"ok":{"status":200,"live":{}},"no":{"like":"ok"}}}"#
    var draft = ContractDraft(named: "n", of: try JSONDocument(parsing: json).root)
    #expect(draft.cases.map(\.name) == ["ok", "no"] && draft.cases.map(\.status) == [200, nil])
    draft.cases[0].members["live"] = nil
    draft.tail["waive"] = ["no-404-case": "so"]
    #expect(
      Self.text(draft) == #"""
        {"request":{},"cases":{"ok":{"status":200},"no":{"like":"ok"}},"waive":{"no-404-case":"so"}}
        """#)
  }

  @Test(
    "cases that no response shows are derived from the first",
    arguments: [
      (JSONValue.Kind?.none, 10, JSONText?.none, ["ok", "slow", "reset"]),
      (.string, 10, nil, ["ok", "slow", "reset"]),
      (.object, 10, nil, ["ok", "cut-short 5", "slow", "reset"]),
      (.array, 1 << 22, .array([]), ["ok", "empty", "cut-short 1048576", "slow", "reset"]),
    ])
  func derived(
    kind: JSONValue.Kind?, byteCount: Int, empty: JSONText?, expected: [String]
  ) {
    var draft = ContractDraft("a/b", "GET", "/b")
    draft.cases = [CaseDraft("ok", status: 201, ["status": 201])]
    draft.addDerivedCases(body: kind, byteCount: byteCount, empty: empty)
    let found = draft.cases.map { made in
      let cut = made.members["malform"]?.root?["truncateAt"]?.int.map { " \($0)" } ?? ""
      return made.name + cut
    }
    #expect(found == expected)
    #expect(draft.cases.map(\.status) == expected.map { $0 == "reset" ? nil : 201 })
  }

  @Test("a derived case makes way for one of its name, and nothing is derived from nothing")
  func taken() {
    var draft = ContractDraft("a/b", "GET", "/b").case("slow", status: 200)
    draft.addDerivedCases(body: nil, byteCount: 0)
    #expect(draft.cases.map(\.name) == ["slow", "slow-again", "reset"])
    var none = ContractDraft("a/b", "GET", "/b")
    none.addDerivedCases(body: .object, byteCount: 2)
    #expect(none.cases.isEmpty)
  }
}
