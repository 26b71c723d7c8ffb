import Testing
import UnderstudyContractModel
import UnderstudyCore

@testable import UnderstudyDrafting

@Suite struct PathGuessTests {
  private func guess(_ path: String, _ templates: [String] = []) throws -> String {
    try PathGuess(templates: templates.map { try PathTemplate(parsing: $0) })
      .template(for: RecordedExchange.segments(of: path)).segments.pathText
  }

  @Test(
    "numbers and identifiers are parameters",
    arguments: [
      ("/users/17", "/users/{id}"),
      ("/users/17/posts/3", "/users/{user}/posts/{post}"),
      ("/17/3", "/{id}/{id-2}"), ("/person/17/item/3", "/person/{person}/item/{item}"),
      ("/as/1/abs/2/s/3", "/as/{as}/abs/{ab}/s/{s}"),
      ("/a//17/b/3", "/a//{id}/b/{b}"), ("/2x/1/a-b/2/_c/3", "/2x/{id}/a-b/{id-2}/_c/{_c}"),
      ("/jobs/123e4567-e89b-12d3-a456-426614174000", "/jobs/{id}"),
      ("/jobs/123E4567-E89B-12D3-A456-426614174000", "/jobs/{id}"),
      // One more hyphen, one digit less, and no digit.
      ("/jobs/123e4567-e89b-12d3-a456-42661417-000", "/jobs/123e4567-e89b-12d3-a456-42661417-000"),
      ("/jobs/123e4567-e89b-12d3-a456-42661417400", "/jobs/123e4567-e89b-12d3-a456-42661417400"),
      ("/jobs/abcdefab-abcd-abcd-abcd-abcdefabcdef", "/jobs/abcdefab-abcd-abcd-abcd-abcdefabcdef"),
      ("/commits/9fceb02d0ae598e95dc970b74767f19372d61af8", "/commits/{id}"),
      ("/commits/9fceb02d", "/commits/{id}"), ("/commits/9fceb02", "/commits/9fceb02"),
      ("/", "/"), ("/users/", "/users/"), ("/api/v2/cafe", "/api/v2/cafe"),
      ("/deadbeef", "/deadbeef"), ("/a%20b/c%2Fd", "/a%20b/c%2Fd"), ("/%zz", "/%25zz"),
    ])
  func identifiers(path: String, expected: String) throws {
    #expect(try guess(path) == expected)
  }

  @Test("a template that matches decides")
  func templates() throws {
    let templates = ["/users/me", "/users/{name}", "/reports/2024"]
    #expect(try guess("/users/ann", templates) == "/users/{name}")
    #expect(try guess("/users/me", templates) == "/users/me")
    #expect(try guess("/users/1", templates) == "/users/{name}")
    #expect(try guess("/reports/2024", templates) == "/reports/2024")
    #expect(try guess("/reports/2025", templates) == "/reports/{id}")
  }

  @Test(
    "an upstream is called by its host",
    arguments: [
      ("https://api.github.com", "github"), ("https://dog.ceo", "dog-ceo"),
      ("https://official-joke-api.appspot.com", "official-joke-api-appspot"),
      ("http://127.0.0.1:8080", "127-0-0-1-8080"), ("http://localhost:1", "localhost-1"),
      ("http://localhost:80", "localhost"), ("https://api.example.com:8443", "example-8443"),
      ("https://www.example.co.uk", "example-co-uk"), ("http://[::1]:80", "1"),
      ("https://api.io", "api"),
    ])
  func upstreamName(url: String, expected: String) throws {
    #expect(UpstreamGuess.name(for: try #require(WebURL(base: url))) == expected)
  }

  @Test(
    "a URL is an address without surprises",
    arguments: [
      "nope", "ftp://example.com/", "http://", "http://a:b@example.com/", "http://example.com/a b",
      "http://example.com//a", "http://example.com/a/../b", "http://example.com:0/",
      "http://example.com/?a=\u{e9}",
    ])
  func noURL(text: String) {
    #expect(WebURL(recording: text) == nil)
  }

  @Test("a URL is taken apart")
  func parts() throws {
    let url = try #require(WebURL(recording: "HTTPS://API.example.com:8443/v1/users/?a=1&b#top"))
    #expect("\(url.origin)" == "https://api.example.com:8443")
    #expect(url.path == "/v1/users/")
    #expect(url.query == "a=1&b")
    let base = try #require(WebURL(base: "https://api.example.com:8443/v1"))
    #expect(url.path(below: base) == "/users/")
    #expect(WebURL(recording: "https://api.example.com:8443/v1")?.path(below: base) == "/")
    #expect(WebURL(recording: "https://api.example.com:8443/v10")?.path(below: base) == nil)
    #expect(WebURL(recording: "https://api.example.com/v1")?.path(below: base) == nil)
  }
}
