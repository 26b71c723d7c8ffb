import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// What looks like a credential in an example is masked, and the rest is imported.
@Suite struct ImportedSecretTests {
  private static let token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"

  private static func imported(_ text: String) throws -> ImportedStubs {
    try ImportedStubs(
      ImportSource(
        documents: [try ForeignDocument(reading: Array(text.utf8), file: "a.json")],
        reading: { _, _ throws(Failure) in Array("id \(Self.token)".utf8) }))
  }

  @Test(
    "a stub is imported with the value masked",
    arguments: [
      (
        #""jsonBody": {"id": 7, "access": "\#(token)"}"#, "/cases/ok/body/access",
        #"{"id":7,"access":"[redacted]"}"#
      ),
      (#""body": "use \#(token)""#, "/cases/ok/text", "use [redacted]"),
      (#""bodyFileName": "a.txt""#, "files/a.txt", "id [redacted]"),
      (
        #""headers": {"Set-Cookie": "session=0123456789abcdef0123; Path=/"}"#,
        "/cases/ok/headers/Set-Cookie", ""
      ),
    ])
  func stub(response: String, place: String, body: String) throws {
    let stubs = try Self.imported(
      #"{"request": {"method": "GET", "url": "/a"}, "response": {\#(response)}}"#)
    #expect(!stubs.plan.leavesSomethingOut)
    #expect(
      stubs.plan.drafts.flatMap(\.remarks) == ["masked, since they look secret: \(place)"])
    #expect(
      stubs.plan.lines == ["masked wiremock/a: \(place): it looks secret"])
    let served = try #require(stubs.library.contracts.first?.case(named: "ok"))
    #expect(String(decoding: served.bodyBytes, as: UTF8.self) == body)
    #expect(!stubs.library.findings.contains { $0.type == .secret })
    let cookie = served.response?.headers.first { $0.key == "set-cookie" }?.value
    #expect(cookie == nil || cookie == "session=invented; Path=/")
  }

  @Test("a condition is not masked, since it would match other requests")
  func condition() throws {
    let stubs = try Self.imported(
      #"{"request": {"method": "GET", "url": "/a?key=\#(Self.token)"}, "response": {}}"#)
    #expect(stubs.plan.leavesSomethingOut)
    #expect(stubs.plan.drafts.isEmpty)
  }

  @Test("so is an example of an OpenAPI document")
  func document() throws {
    let document = try ImportedDocument(
      OpenAPI.responding(#"{"type": "string", "example": "\#(Self.token)"}"#))
    #expect(!document.plan.leavesSomethingOut)
    #expect(try document.json("pets-example/thing.json", "/cases/ok/body") == #""[redacted]""#)
  }
}
