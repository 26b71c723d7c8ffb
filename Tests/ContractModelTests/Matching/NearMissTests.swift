import Testing

@testable import UnderstudyContractModel

@Suite struct NearMissTests {
  private static let requests = [
    "list": #"{ "method": "GET", "path": "/things" }"#,
    "make":
      #"{ "method": "POST", "path": "/things", "body": { "contains": { "a": { "b": 1 } } } }"#,
    "page": #"""
    { "method": "GET", "path": "/things/{id}/pages",
      "parameters": { "path.id": { "matches": "^[0-9]+$" }, "query.page": "2",
        "query.sort": { "oneOf": ["name", "age"] }, "query.debug": { "absent": true },
        "header.Accept": {} } }
    """#,
    "equal": #"{ "method": "PUT", "path": "/equal", "body": { "equals": { "a": [1] } } }"#,
    "text": #"{ "method": "PUT", "path": "/text", "body": { "text": "hello" } }"#,
    "match": #"{ "method": "PUT", "path": "/match", "body": { "matches": "^h" } }"#,
    "schema": #"{ "method": "PUT", "path": "/schema", "body": { "schema": { "type": "array" } } }"#,
  ]

  private func unmatched(_ request: Request, _ countMax: Int) throws -> String {
    var files = ["api/upstream.json": "{}"]
    for (name, text) in Self.requests { files["api/\(name).json"] = Sample.contract(request: text) }
    let upstream = try #require(ContractFolder(files).load().upstreams.first)
    return RequestIndex([upstream]).nearMisses(to: request, in: upstream, countMax: countMax).map {
      "\($0.contract.name)\n" + $0.differences.map { "  \($0)" }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  @Test(
    "says what the path has to start with",
    arguments: [
      ("/nowhere", "with its name"), ("/api", #"with "/api/v1""#),
      ("/api/v2/x", #"with "/api/v1""#),
    ])
  func start(path: String, expected: String) throws {
    let files = [
      "api/upstream.json": #"{ "baseURL": "https://api.example/v1" }"#,
      "api/x.json": Sample.contract(request: #"{ "method": "GET", "path": "/x" }"#),
    ]
    let index = try RequestIndex(ContractFolder(files).load().upstreams)
    #expect(
      index.explain(Request("GET", path)).complaint
        == "no upstream in \"\(path)\", expected a path that starts \(expected)")
    let unmatched = index.explain(Request("GET", "/api/v1/y")).complaint
    #expect(unmatched == "no contract for GET /api/v1/y")
  }

  @Test(
    "says what differs, the nearest first",
    arguments: [
      (
        Request("PUT", "/things", body: Array(#"{"a":{"b":2}}"#.utf8)), 3,
        #"""
        list
          method: found PUT, expected GET
        make
          method: found PUT, expected POST
          body: found number 2 at "/a/b", expected number 1
        equal
          path segment 1: found "things", expected "equal"
          body: found object with 1 member at "/a", expected array with 1 element
        """#
      ),
      (
        Request("GET", "/things/x/pages?page=1&sort=size&debug="), 1,
        #"""
        page
          path.id: found "x", expected a match of ^[0-9]+$
          query.page: found "1", expected "2"
          query.sort: found "size", expected one of "name", "age"
          query.debug: found "", expected it to be absent
          header.Accept: missing, expected it to be present
        """#
      ),
      (
        Request("GET", "/things/7/", headers: [HeaderField(name: "accept", value: "a")]), 3,
        #"""
        page
          path segment 3: found "", expected "pages"
          query.page: missing, expected "2"
          query.sort: missing, expected one of "name", "age"
        list
          path segments 2 to 3: found "7/…", expected the end of the path
        make
          path segments 2 to 3: found "7/…", expected the end of the path
          method: found GET, expected POST
          body: found no body, expected JSON with object with 1 member
        """#
      ),
      (
        Request("GET", "/things" + String(repeating: "/a", count: 4_000)), 1,
        #"""
        list
          path segments 2 to 4001: found "a/…", expected the end of the path
        """#
      ),
      (
        Request("GET", "/things/" + String(repeating: "a", count: 8_000)), 1,
        """
        list
          path segment 2: found "\(String(repeating: "a", count: 200))…", expected the end of the path
        """
      ),
      (
        Request(
          "PUT", "/equal",
          body: Array("{\"a\":[1],\"\(String(repeating: "k", count: 400))\":1}".utf8)), 1,
        """
        equal
          body: found number 1 at "/\(String(repeating: "k", count: 186))…, expected nothing there
        """
      ),
      (
        Request("PUT", "/"), 1,
        #"""
        equal
          path segment 1: missing, expected "equal"
          body: found no body, expected object with 1 member
        """#
      ),
      (
        Request("PUT", "/equal", body: Array(#"{"a":[2]}"#.utf8)), 1,
        #"""
        equal
          body: found number 2 at "/a/0", expected number 1
        """#
      ),
      (
        Request("PUT", "/text", body: Array("hullo".utf8)), 1,
        #"""
        text
          body: found other 5 bytes, expected the text "hello"
        """#
      ),
      (
        Request("PUT", "/match", body: Array("no".utf8)), 1,
        #"""
        match
          body: found 2 bytes without a match, expected a match of ^h
        """#
      ),
      (
        Request("PUT", "/schema", body: Array("{}".utf8)), 1,
        #"""
        schema
          body: found a schema violation, expected none (found object with 0 members, expected array)
        """#
      ),
      (
        Request("PUT", "/schema", body: Array("{".utf8)), 1,
        #"""
        schema
          body: found 1 byte, not JSON, expected JSON that matches a schema
        """#
      ),
    ])
  func differences(request: Request, countMax: Int, text: String) throws {
    #expect(try unmatched(request, countMax) == text)
  }

  @Test(
    "says what is wrong with a part of a form",
    arguments: [
      (#""doc": "Jo""#, #"part "doc" with the text "Ann", expected "Jo""#),
      (
        #""doc": { "filename": { "matches": "png$" } }"#,
        #"part "doc" with the file name "a.txt", expected a match of png$"#
      ),
      (#""doc": { "contentType": "a/b" }"#, #"part "doc" with no type, expected "a/b""#),
      (
        #""doc": { "body": { "contains": { "a": 1 } } }"#,
        #"part "doc" with 3 bytes, not JSON, expected JSON with object with 1 member"#
      ),
      (#""*": { "absent": true }"#, #"part "doc", expected no parts"#),
      (#""other": "x""#, #"no part "other", expected part "other""#),
      (
        #""other": { "absent": true }, "*": { "absent": true }"#,
        #"part "doc", expected no other than "other""#
      ),
    ])
  func part(condition: String, difference: String) throws {
    let files = [
      "api/upstream.json": "{}",
      "api/t.json": Sample.contract(
        request: #"{ "method": "POST", "path": "/t", "body": { "multipart": { \#(condition) } } }"#),
    ]
    let body = [
      "--x", #"Content-Disposition: form-data; name="doc"; filename="a.txt""#, "", "Ann", "--x--",
      "",
    ].joined(separator: "\r\n")
    let unmatched = try RequestIndex(ContractFolder(files).load().upstreams)
      .explain(Request("POST", "/api/t", body: Array(body.utf8))).nearMisses
    #expect(unmatched.flatMap(\.differences).map(\.description) == ["body: found \(difference)"])
  }

  @Test(
    "says what a form without parts lacks",
    arguments: [
      ("", "no body, expected a multipart form with part \"doc\""),
      ("doc=x", "5 bytes, not a multipart form, expected a multipart form with part \"doc\""),
    ])
  func noParts(body: String, difference: String) throws {
    let files = [
      "api/upstream.json": "{}",
      "api/t.json": Sample.contract(
        request: #"{ "method": "POST", "path": "/t", "body": { "multipart": { "doc": "Jo" } } }"#),
    ]
    let unmatched = try RequestIndex(ContractFolder(files).load().upstreams)
      .explain(Request("POST", "/api/t", body: Array(body.utf8))).nearMisses
    #expect(unmatched.flatMap(\.differences).map(\.description) == ["body: found \(difference)"])
  }

  @Test("ranks missing conditions before methods, and methods before paths")
  func ranking() throws {
    let names = try unmatched(Request("HEAD", "/things"), 7).split(separator: "\n")
      .filter { !$0.hasPrefix(" ") }
    #expect(names == ["make", "equal", "match", "schema", "text", "page"], "a HEAD is a GET")
  }
}
