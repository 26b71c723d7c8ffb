import Testing
import UnderstudyCore

@Suite struct WebURLTests {
  @Test(
    "takes addresses",
    arguments: [
      "https://dog.ceo", "http://127.0.0.1:8080/joke/", "http://[::1]/a", "https://a/@b[0]",
      "https://api.github.com/orgs/apple/repos?per_page=100&page=2", "https://a/%C3%A9?",
      "http://a/Carl's", "https://a/b...c",
    ])
  func addresses(text: String) {
    #expect(WebURL(text)?.text == text)
  }

  @Test(
    "refuses what is none",
    arguments: [
      "", "fake url", "dog.ceo", "/breeds", "ftp://dog.ceo", "https://", "https:///a",
      "https://user@dog.ceo", "https://dog.ceo:0", "https://dog.ceo:65536", "https://dog.ceo:x",
      "https://dog.ceo:+80", "https://dog.ceo:",
      "https://dog ceo", "https://dog.ceo/a b", "https://dog.ceo/\"", "https://dog.ceo/%2",
      "https://dog.ceo/%zz", "https://dog.ceo/é", "https://dog.ceo/#top", "https://dog.ceo/a/../b",
      "https://dog.ceo/.", "https://dog.ceo/a/%2E%2e", "https://dog.ceo/a\r\nX: y",
      "https://[dog.ceo]", "https://dog.ceo/" + String(repeating: "a", count: 8_000),
    ])
  func refusals(text: String) {
    #expect(WebURL(text) == nil)
  }

  @Test(
    "joins a path to a base with one slash, each segment encoded",
    arguments: [
      ("https://dog.ceo", "https://dog.ceo/favorites/Carl%27s%20Jr"),
      ("https://dog.ceo/", "https://dog.ceo/favorites/Carl%27s%20Jr"),
      ("https://dog.ceo/api/v1", "https://dog.ceo/api/v1/favorites/Carl%27s%20Jr"),
      ("https://dog.ceo/api/v1//", "https://dog.ceo/api/v1/favorites/Carl%27s%20Jr"),
      ("http://DOG.ceo:80/~7/joke?x=1", "http://dog.ceo/~7/joke/favorites/Carl%27s%20Jr"),
    ])
  func joining(base: String, joined: String) throws {
    let base = try #require(WebURL(base))
    #expect(base.appending(["favorites", "Carl's Jr"])?.text == joined)
  }

  @Test("encodes what has a meaning in a path or a query")
  func encoding() throws {
    let url = try #require(WebURL("https://api.github.com"))
    #expect(
      url.appending(["a/b?c", "ü\u{7}"], query: [("q", "x&y=z"), ("n", "")])?.text
        == "https://api.github.com/a%2Fb%3Fc/%C3%BC%07?q=x%26y%3Dz&n=")
  }

  @Test("refuses a segment that would name something else", arguments: ["", ".", ".."])
  func emptySegments(segment: String) {
    #expect(WebURL("https://dog.ceo")?.appending(["favorites", segment]) == nil)
  }

  @Test(
    "knows what lies below it",
    arguments: [
      ("http://h:8080/gh", true), ("http://h:8080/gh/", true), ("http://H:8080/gh/a?b", true),
      ("http://h:8080/ghost", false), ("http://h:8080/", false), ("http://h/gh/a", false),
      ("https://h:8080/gh/a", false), ("http://i:8080/gh/a", false),
    ])
  func containment(text: String, isBeneath: Bool) throws {
    for base in ["http://h:8080/gh", "http://h:8080/gh/"] {
      let base = try #require(WebURL(base))
      #expect(try base.contains(#require(WebURL(text))) == isBeneath)
    }
  }

  @Test(
    "knows this machine's own addresses",
    arguments: [
      ("http://127.0.0.1:8080/joke", true), ("http://localhost", true), ("https://[::1]/", true),
      ("http://localhost.example", false), ("http://127.0.0.10", true), ("http://128.0.0.1", false),
      ("https://dog.ceo", false),
    ])
  func loopback(text: String, isLoopback: Bool) {
    #expect(WebURL(text)?.isLoopback == isLoopback)
  }

  @Test(
    "an origin has one value however it is written",
    arguments: [
      ("https://a.example:443/x", "https://a.example/x"),
      ("http://A.example:80/", "http://a.example"),
      ("https://a.example:80", "https://a.example:80"), ("http://[::1]:80/v1", "http://[::1]/v1"),
    ])
  func oneValue(text: String, expected: String) {
    #expect(WebURL(base: text)?.description == expected)
    #expect(WebURL(base: text) == WebURL(base: expected))
  }

  @Test(
    "a port is a number that can be one",
    arguments: ["http://a:", "http://a:0", "http://a:65536", "http://a:b", "http://:1", "http://"])
  func wrongPort(text: String) {
    #expect(WebURL(base: text) == nil)
  }
}
