import Testing
import UnderstudyJSON

@testable import UnderstudyInterchange

/// Keys of a document that stand for something else, in every form.
@Suite struct OpenAPIFieldTests {
  @Test(
    "the key of a response is the status that its case serves",
    arguments: [
      (["200"], [200]), (["default"], [200]), (["200", "default"], [200, 500]),
      (["default", "500"], [503, 500]), (["500", "503", "default"], [500, 503, 400]),
      (["400", "500", "503", "default"], [400, 500, 503]),
      (["2XX"], [200]), (["3xx"], [302]), (["4Xx"], [400]), (["5XX"], [500]),
      (["2XX", "200"], [201, 200]), (["4XX", "400"], [401, 400]), (["400", "4XX"], [400, 401]),
      (["400", "401", "403", "4XX"], [400, 401, 403, 402]), (["302", "3XX"], [302, 303]),
      (["500", "5XX"], [500, 501]), (["404", "4XX"], [404, 400]), (["599", "200"], [599, 200]),
      (["1XX", "200"], [200]), (["6XX", "200"], [200]), (["600", "200"], [200]),
      (["0200", "201"], [201]), (["x-own", "default"], [200]),
    ])
  func statuses(keys: [String], expected: [Int]) throws {
    let responses = keys.map { #""\#($0)": {"description": "\#($0)"}"# }.joined(separator: ", ")
    let imported = try ImportedDocument(
      OpenAPI.document(#""/a": {"get": {"responses": {\#(responses)}}}"#))
    let cases = try #require(imported.library.contracts.first).cases
    #expect(Set(cases.compactMap(\.status)) == Set(expected))
    #expect(imported.complaints == [])
  }

  @Test(
    "the address of a server has the defaults of its variables",
    arguments: [
      ("https://{h}/v{n}", #""h": {"default": "a.example"}, "n": {"default": "2"}"#, "/v2"),
      ("https://{h}/v{n}", #""h": {"default": "a.example"}, "n": {"default": 2}"#, "/v2"),
      ("https://{h}/v{n}", #""h": {"default": "a.example"}, "n": {"default": 1.0}"#, "/v1.0"),
      ("https://{h}/v{n}/{n}", #""h": {"default": "a.example"}, "n": {"default": 1}"#, "/v1/1"),
      ("https://{h}/v{n}/", #""h": {"default": "a.example"}, "n": {}"#, "/v"),
      ("https://a.example:{p}", #""p": {"enum": ["8443"], "default": 8443}"#, ":8443"),
    ])
  func servers(url: String, variables: String, end: String) throws {
    let text = """
      {"openapi": "3.1.0", "info": {"title": "A", "version": "1"},
       "servers": [{"url": "\(url)", "variables": {\(variables)}}],
       "paths": {"/a": {"get": {"responses": {"200": {"description": "a"}}}}}}
      """
    let imported = try ImportedDocument(text)
    let upstream = try #require(imported.library.upstreams.first)
    #expect(upstream.baseURL.map(String.init(describing:)) == "https://a.example\(end)")
    #expect(imported.plan.notes == [])
  }

  @Test("headers that the server writes, and that of the body's type, are not a case's")
  func ownHeaders() throws {
    let own = [
      "Content-Type", "content-length", "Content-Encoding", "Transfer-Encoding", "Date",
      "Set-Cookie",
      "Connection", "Keep-Alive",
    ]
    let headers = (own + ["X-Own", "Content-Language"]).map {
      "\"\($0)\": {\"schema\": {\"type\": \"string\", \"example\": \"x\"}}"
    }
    let imported = try ImportedDocument(
      OpenAPI.document(
        """
        "/a": {"get": {"responses": {"200": {"description": "a",
          "headers": {\(headers.joined(separator: ", "))}}}}}
        """))
    let served = try #require(imported.library.contracts.first?.cases.first)
    #expect(
      (served.response?.headers ?? []).map(\.name).sorted() == ["Content-Language", "X-Own"])
  }

  @Test(
    "a server without an address of its own is skipped",
    arguments: [("{}", ""), (#"{"url": "v1"}"#, "v1")])
  func placeless(server: String, name: String) throws {
    let text = """
      {"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "servers": [\(server)],
       "paths": {"/a": {"get": {"responses": {"200": {"description": "a"}}}}}}
      """
    let imported = try ImportedDocument(text)
    #expect(imported.library.upstreams.first?.baseURL == nil)
    #expect(
      imported.plan.notes.map { "\($0.subject): \($0.reason)" } == [
        "\(name): no request can be sent there; --upstream NAME=URL names the live API"
      ])
  }
}
