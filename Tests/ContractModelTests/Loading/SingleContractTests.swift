import Testing
import UnderstudyFindings

@testable import UnderstudyContractModel

/// One contract that is read for serving, without its folder.
@Suite struct SingleContractTests {
  private static let text =
    #"{ "request": { "method": "GET", "path": "/a" }, "cases": { "ok": { "status": 200 } } }"#

  private static func outcome(
    _ name: String = "a", of upstream: String = "api", _ text: String = text,
    with others: [String: String] = [:], beside upstreams: [String] = [], maySayAll: Bool = false
  ) -> String {
    do throws(ContractError) {
      let contract = try ContractLibrary.contract(
        named: name, of: upstream, reading: Array(text.utf8),
        with: others.mapValues { Array($0.utf8) }, beside: upstreams, maySayAll: maySayAll)
      let bodies = contract.cases.map { String(decoding: $0.bodyBytes, as: UTF8.self) }
      return "\(contract.id) \(bodies)"
    } catch { return error.description }
  }

  @Test(
    "a name is one that a file could have",
    arguments: [
      ("a", "api", #"api/a [""]"#),
      (
        "A", "api",
        """
        api/A.json: error: found contract "A", expected a name of lower-case letters, digits and dashes \
        [bad-name]
        """
      ),
      (
        "a", "Api",
        """
        Api/a.json: error: found upstream "Api", expected a name of lower-case letters, digits and \
        dashes [bad-name]
        """
      ),
      (
        "upstream", "api",
        """
        api/upstream.json: error: a contract cannot be called "upstream", the name of the upstream's \
        own file [bad-name]
          fix: choose another name
        """
      ),
      (
        String(repeating: "a", count: 200), "api",
        "api/\(String(repeating: "a", count: 200)) [\"\"]"
      ),
      (
        String(repeating: "a", count: 201), "api",
        """
        api/\(String(repeating: "a", count: 201)).json: error: the name has more than 200 bytes, the \
        limit for a file [bad-name]
          fix: choose a shorter one
        """
      ),
      (
        "a", String(repeating: "u", count: 200),
        "\(String(repeating: "u", count: 200))/a [\"\"]"
      ),
      (
        "a", String(repeating: "u", count: 201),
        """
        \(String(repeating: "u", count: 201))/a.json: error: the name has more than 200 bytes, the \
        limit for a file [bad-name]
          fix: choose a shorter one
        """
      ),
    ])
  func names(name: String, upstream: String, outcome: String) {
    #expect(Self.outcome(name, of: upstream) == outcome)
  }

  private static func contract(_ members: String) -> String {
    #"{ "request": { "method": "GET", "path": "/a" }, "cases": { "ok": { \#(members) } } }"#
  }

  @Test("bodies come from the files that are given with it")
  func files() {
    let text = Self.contract(#""status": 200, "file": "files/a.txt""#)
    #expect(
      Self.outcome("a", of: "api", text, with: ["files/a.txt": "hello"]) == #"api/a ["hello"]"#)
    #expect(
      Self.outcome("a", of: "api", text) == """
        api/a.json:1:91: error: there is no api/files/a.txt among the files given [unreadable-file]
          fix: write the body into the contract, as "body", "text" or "base64": one that is made at \
        run time has no files but those of the contract that it replaces
        """)
  }

  @Test("it may name the other upstreams")
  func upstreams() {
    let text = Self.contract(
      #""status": 200, "text": "{server.dog.baseURL}", "template": ["body"]"#)
    #expect(
      Self.outcome("a", of: "api", text, beside: ["dog"]) == #"api/a ["{server.dog.baseURL}"]"#)
    #expect(
      Self.outcome("a", of: "api", text, beside: ["dogs"]) == """
        api/a.json:1:91: error: found "{server.dog.baseURL}", expected the name of an upstream \
        [bad-template]
          fix: did you mean "dogs"?
        """)
  }

  @Test("what only its neighbours can tell is not checked")
  func neighbours() {
    #expect(
      Self.outcome("a", of: "api", Self.contract(#""status": 200, "live": {}"#)) == #"api/a [""]"#)
    #expect(
      Self.outcome(
        "a", of: "api", Self.contract(#""status": 200, "expect": { "none.get": { "value": 1 } }"#))
        == #"api/a [""]"#)
  }

  @Test("it may have secrets only if nobody else reads it")
  func secrets() {
    // Put together, so that nobody who looks for tokens in this file finds one.
    let token = "ghp_" + "q8ZrT3bK9wXy2LmN5vHd7sGf4jPc1aQe6uTi"
    let text = Self.contract(#""status": 200, "headers": { "X-Own": "\#(token)" }"#)
    #expect(Self.outcome("a", of: "api", text, maySayAll: true) == #"api/a [""]"#)
    #expect(
      Self.outcome("a", of: "api", text) == """
        api/a.json:1:105: error: this looks like a secret, which no file should have [secret]
          fix: revoke it, and use an obviously invented value
        """)
    #expect(
      Self.outcome("a", of: "api", Self.contract(#""status": 99"#), maySayAll: true) == """
        api/a.json:1:78: error: found 99, expected a status from 200 to 599 [bad-value]
        """)
  }

  @Test("errors of the text are thrown")
  func broken() {
    #expect(
      Self.outcome("a", of: "api", "{") == """
        api/a.json:1:2: error: found the end of the text, expected a key or "}" for the object \
        opened at 1:1 [invalid-json]
          fix: add "}"
        """)
  }
}
