import Testing

@testable import UnderstudyContractModel

@Suite struct MatchingTests {
  /// A folder of contracts by name from their requests, and its index.
  private func index(_ requests: [String: String]) throws -> (RequestIndex, Upstream) {
    var files = ["api/upstream.json": Sample.upstream]
    for (name, request) in requests {
      files["api/\(name).json"] = Sample.contract(request: request)
    }
    let library = try ContractFolder(files).load()
    return (RequestIndex(library.upstreams), try #require(library.upstreams.first))
  }

  private func response(
    _ requests: [String: String], to request: Request
  ) throws -> String? {
    let (index, upstream) = try index(requests)
    return index.contract(for: request, in: upstream)?.name
  }

  @Test(
    "where an upstream ranks its contracts, the first that matches responds",
    arguments: [
      ("one new", "/things/new", "one"), ("new one", "/things/new", "new"),
      ("gone new", "/things/new", "new"), ("all new one", "/things/new", "all"),
      ("new one all", "/things/7", "one"), ("new one all", "/", "all"),
      ("page one", "/things/7", "one"), ("page one", "/things/7?page=1", "page"),
      ("one page", "/things/7?page=1", "one"), ("new", "/things/7", "nothing"),
    ])
  func ranks(order: String, path: String, name: String) throws {
    let requests = [
      "one": #"{ "method": "GET", "path": "/things/{id}" }"#,
      "new": #"{ "method": "GET", "path": "/things/new" }"#,
      "gone": #"{ "method": "DELETE", "path": "/things/new" }"#,
      "all": #"{ "method": "GET", "path": "/{rest...}" }"#,
      "page": #"""
      { "method": "GET", "path": "/things/{id}", "parameters": { "query.page": { "equals": "1" } } }
      """#,
    ]
    let (_, upstream) = try index(requests)
    let ordered = upstream.with(
      ordered: order.split(separator: " ").compactMap { upstream.contract(named: String($0)) })
    let index = RequestIndex([ordered])
    #expect(index.contract(for: Request("GET", path), in: ordered)?.name ?? "nothing" == name)
  }

  @Test(
    "of two contracts for one path, the one with more conditions wins, on a body as on the rest",
    arguments: [
      (#""body": { "contains": { "a": 1 } }"#, ""),
      (
        #""body": { "contains": { "a": 1 } }, "parameters": { "query.x": { "equals": "1" } }"#,
        #""body": { "contains": { "a": 1 } }"#
      ),
      (#""parameters": { "query.x": { "equals": "1" } }"#, ""),
      (
        #""parameters": { "query.x": { "equals": "1" }, "header.y": { "equals": "2" } }"#,
        #""body": { "contains": { "a": 1 } }"#
      ),
    ])
  func conditions(more: String, fewer: String) throws {
    func request(_ conditions: String) -> String {
      #"{ "method": "POST", "path": "/a"\#(conditions.isEmpty ? "" : ", ")\#(conditions) }"#
    }
    // Whichever comes first.
    for (one, two) in [(more, fewer), (fewer, more)] {
      let files = [
        "api/upstream.json": Sample.upstream,
        "api/a.json": Sample.contract(request: request(one)),
        "api/b.json": Sample.contract(request: request(two)),
      ]
      let library = try ContractFolder(files).load()
      #expect(!library.findings.contains { $0.severity == .error }, "\(library.findings)")
      let upstream = try #require(library.upstreams.first)
      let sent = Request(
        "POST", "/a?x=1",
        headers: [
          HeaderField(name: "Y", value: "2"),
          HeaderField(name: "Content-Type", value: "application/json"),
        ], body: Array(#"{"a":1}"#.utf8))
      #expect(
        library.index.contract(for: sent, in: upstream)?.name == (one == more ? "a" : "b"))
    }
  }

  private static let paths = [
    "list": #"{ "method": "GET", "path": "/things" }"#,
    "root": #"{ "method": "GET", "path": "/" }"#,
    "folder": #"{ "method": "GET", "path": "/things/" }"#,
    "one": #"{ "method": "GET", "path": "/things/{id}" }"#,
    "new": #"{ "method": "GET", "path": "/things/new" }"#,
    "parts": #"{ "method": "GET", "path": "/things/{id}/parts" }"#,
    "new-owner": #"{ "method": "GET", "path": "/things/new/owner" }"#,
    "any": #"{ "method": "GET", "path": "/{kind}/new/{part}" }"#,
    "space": #"{ "method": "GET", "path": "/Carl's%20Jr" }"#,
    "slash": #"{ "method": "GET", "path": "/a%2Fb" }"#,
    "make": #"{ "method": "POST", "path": "/things", "also": ["/stuff"] }"#,
    "head": #"{ "method": "HEAD", "path": "/things/new" }"#,
    "files": #"{ "method": "GET", "path": "/files/{rest...}" }"#,
    "file": #"{ "method": "GET", "path": "/{kind}/{name}/size" }"#,
    "deep": #"{ "method": "GET", "path": "/files/a/{rest...}" }"#,
    "gone": #"{ "method": "DELETE", "path": "/{rest...}" }"#,
  ]

  @Test(
    "matches by method and path, literals first, and backtracks",
    arguments: [
      ("GET", "/things", "list"), ("HEAD", "/things", "list"), ("POST", "/things", "make"),
      ("POST", "/stuff", "make"), ("PUT", "/things", nil), ("GET", "/", "root"),
      ("GET", "/things/", "folder"), ("GET", "/things/7", "one"), ("GET", "/things/new", "new"),
      ("HEAD", "/things/new", "head"), ("GET", "/things/new/parts", "parts"),
      ("GET", "/things/new/owner", "new-owner"), ("GET", "/things/new/x", "any"),
      ("GET", "/others/new/x", "any"), ("GET", "/things//parts", nil),
      ("GET", "/things/7/", nil), ("GET", "//things", nil), ("GET", "/Things", nil),
      ("GET", "/Carl's%20Jr", "space"), ("GET", "/Carl%27s%20Jr", "space"),
      ("GET", "/a%2Fb", "slash"), ("GET", "/a%2fb", "slash"), ("GET", "/a/b", nil),
      ("GET", "/things/a%2Fb", "one"), ("GET", "/things/%", "one"), ("GET", "/%74hings", "list"),
      ("GET", "*", nil), ("GET", "", nil), ("GET", "/things?page=2", "list"),
      ("GET", "/files", "files"), ("GET", "/files/", "files"), ("GET", "/files/x/y/z", "files"),
      ("GET", "/files/x/size", "file"), ("GET", "/files/a/size", "file"),
      ("GET", "/files/a", "deep"), ("GET", "/files/a/b/c/d/e/f/g/h", "deep"),
      ("GET", "/files/ab", "files"), ("HEAD", "/files//x", "files"), ("GET", "/filesx", nil),
      ("DELETE", "/", "gone"), ("DELETE", "/things", "gone"), ("DELETE", "/a%2Fb/c/", "gone"),
    ] as [(String, String, String?)])
  func path(method: String, target: String, name: String?) throws {
    #expect(try response(Self.paths, to: Request(method, target)) == name)
  }

  @Test(
    "matches queries after decoding; any of repeated ones may match",
    arguments: [
      (#""1""#, "a=1", true), (#""1""#, "a=2&a=1", true), (#""1""#, "a=2", false),
      (#""1""#, "", false), (#""1""#, "A=1", false), (#""""#, "a", true), (#""""#, "a=", true),
      (#""x y""#, "a=x+y", true), (#""x y""#, "a=x%20y", true), (#""x+y""#, "a=x%2By", true),
      (#""a&b""#, "a=a%26b", true), (#"{}"#, "a", true), (#"{}"#, "b=1", false),
      (#"{ "absent": true }"#, "b=1", true), (#"{ "absent": true }"#, "a", false),
      (#"["1", "2"]"#, "a=1&a=2", true), (#"["1", "2"]"#, "a=2&a=1", false),
      (#"["1", "2"]"#, "a=1", false), (#"["1"]"#, "a=1&a=1", false),
      (#"{ "equals": ["1"] }"#, "a=1", true),
      (#"{ "equals": ["1", "2"], "optional": true }"#, "", true),
      (#"{ "oneOf": ["1", "2"] }"#, "a=2", true), (#"{ "oneOf": ["1", "2"] }"#, "a=3", false),
      (#"{ "matches": "^[0-9]+$" }"#, "a=12", true), (#"{ "matches": "^[0-9]+$" }"#, "a=x", false),
      (#"{ "matches": "b" }"#, "a=abc", true), (#"{ "equals": "1", "optional": true }"#, "", true),
      (#"{ "equals": "1", "optional": true }"#, "a=2", false),
      (#"{ "equals": "1", "optional": true }"#, "a=1", true), (#""=""#, "a==", true),
      (#"{ "absent": false }"#, "a", true), (#"{ "absent": false }"#, "b=1", false),
      (#"{ "not": "1" }"#, "a=2", true), (#"{ "not": "1" }"#, "", true),
      (#"{ "not": "1" }"#, "a=1", false), (#"{ "not": "1" }"#, "a=2&a=1", false),
      (#"{ "not": { "absent": true } }"#, "", false),
      (#"{ "not": { "absent": true } }"#, "a", true),
      (#"{ "not": ["1", "2"] }"#, "a=1&a=2", false), (#"{ "not": ["1", "2"] }"#, "a=2&a=1", true),
      (#"{ "matches": "^a", "not": { "matches": "b$" } }"#, "a=ab", false),
      (#"{ "matches": "^a", "not": { "matches": "b$" } }"#, "a=ac", true),
      (#"{ "matches": "^a", "not": { "matches": "b$" } }"#, "", false),
      (#"{ "not": { "not": "1" } }"#, "a=1", true), (#"{ "not": { "not": "1" } }"#, "a=2", false),
      (#""1", "query.*": { "absent": true }"#, "a=1", true),
      (#""1", "query.*": { "absent": true }"#, "a=1&b", false),
      (#""1", "query.*": { "absent": true }"#, "a=1&%61=2", true),
      (#""1", "query.b": { "optional": true }, "query.*": { "absent": true }"#, "a=1&b=2", true),
      (#""1""#, "&&a=1&", true), (#""%zz""#, "a=%zz", true),
    ])
  func query(condition: String, query: String, fits: Bool) throws {
    let requests = [
      "thing": #"{ "method": "GET", "path": "/t", "parameters": { "query.a": \#(condition) } }"#
    ]
    #expect((try response(requests, to: Request("GET", "/t?\(query)")) != nil) == fits)
  }

  @Test(
    "finds headers in any case",
    arguments: [
      ("accept", "x", true), ("ACCEPT", "x", true), ("Accept", "y", false),
      ("X-Accept", "x", false),
    ])
  func header(name: String, value: String, fits: Bool) throws {
    let requests = [
      "thing": #"{ "method": "GET", "path": "/t", "parameters": { "header.AcCept": "x" } }"#
    ]
    let headers = [HeaderField(name: name, value: value), HeaderField(name: "Host", value: "a")]
    #expect((try response(requests, to: Request("GET", "/t", headers: headers)) != nil) == fits)
  }

  @Test(
    "checks bodies with every kind of condition",
    arguments: [
      (#""equals": { "a": 1, "b": [1] }"#, #"{ "b": [1.0], "a": 1e0 }"#, true),
      (#""equals": { "a": 1 }"#, #"{ "a": 1, "b": 2 }"#, false), (#""equals": null"#, "", false),
      (#""contains": { "a": { "b": 1 } }"#, #"{ "a": { "b": 1, "c": 2 }, "d": 3 }"#, true),
      (#""contains": { "a": 1 }"#, #"{ "b": 1 }"#, false),
      (#""contains": [1, 2]"#, "[1, 2, 3]", true),
      (#""contains": [1, 2]"#, "[2, 1]", false), (#""contains": [1, 2]"#, "[1]", false),
      (#""schema": { "type": "object" }"#, "{}", true),
      (#""schema": { "type": "object" }"#, "[]", false),
      (#""schema": {}"#, "no JSON", false), (#""text": "a b""#, "a b", true),
      (#""text": "a b""#, "a  b", false), (#""matches": "^a""#, "abc", true),
      (#""matches": "^a""#, "bc", false), (#""matches": "1", "contains": [1]"#, "[1]", true),
      (#""matches": "2", "contains": [1]"#, "[1]", false),
      (#""equals": [1, [2, 3]], "order": "any""#, "[[3, 2], 1]", true),
      (#""equals": [1, 1, 2], "order": "any""#, "[1, 2, 2]", false),
      (
        #""equals": { "a": [{ "b": [1, 2] }] }, "order": "any""#, #"{ "a": [{ "b": [2, 1] }] }"#,
        true
      ),
      (#""equals": [1, 2], "order": "any""#, "[2, 1, 3]", false),
      (#""contains": [1, 2], "order": "any""#, "[3, 2, 1]", true),
      (#""contains": [1, 1], "order": "any""#, "[1, 2]", false),
      (
        #""contains": [{ "a": 1 }, { "a": 1, "b": 2 }], "order": "any""#,
        #"[{ "a": 1, "b": 2 }, { "a": 1 }]"#, true
      ),
      (
        #""contains": [{}, { "a": 1 }, { "b": 1 }], "order": "any""#,
        #"[{ "a": 1, "b": 1 }, { "b": 1 }, {}]"#, true
      ),
      (
        #""contains": [{ "a": 1 }, { "b": 1 }], "order": "any""#, #"[{ "a": 1, "b": 1 }, {}]"#,
        false
      ),
      (#""matches": ["a", "b"]"#, "ba", true), (#""matches": ["a", "b"]"#, "aa", false),
      (#""not": { "text": "a" }"#, "b", true), (#""not": { "text": "a" }"#, "a", false),
      (#""not": { "matches": "a", "contains": {} }"#, "a", true),
      (#""contains": {}, "not": { "contains": { "a": 1 } }"#, #"{ "a": 2 }"#, true),
      (#""contains": {}, "not": { "contains": { "a": 1 } }"#, #"{ "a": 1 }"#, false),
      (#""form": { "a": "x y", "b": { "absent": true } }"#, "a=x+y", true),
      (#""form": { "a": "x y", "b": { "absent": true } }"#, "a=x%20y&b", false),
      (#""form": { "a": ["1", "2"], "*": { "absent": true } }"#, "a=1&a=2", true),
      (#""form": { "a": ["1", "2"], "*": { "absent": true } }"#, "a=1&a=2&c=", false),
    ])
  func body(condition: String, body: String, fits: Bool) throws {
    let requests = ["thing": #"{ "method": "POST", "path": "/t", "body": { \#(condition) } }"#]
    let request = Request("POST", "/t", body: Array(body.utf8))
    #expect((try response(requests, to: request) != nil) == fits)
  }

  @Test("several conditions on one body all hold")
  func severalConditions() throws {
    let requests = [
      "t": #"""
      { "method": "POST", "path": "/t",
        "body": [{ "contains": { "a": 1 } }, { "contains": { "b": [2] } }, { "not": { "text": "{}" } }] }
      """#
    ]
    for (body, fits) in [
      (#"{ "a": 1, "b": [2, 3] }"#, true), (#"{ "a": 1 }"#, false), (#"{ "b": [2] }"#, false),
    ] {
      let request = Request("POST", "/t", body: Array(body.utf8))
      #expect(try (response(requests, to: request) != nil) == fits)
    }
  }

  @Test(
    "checks the parts of a form in several parts",
    arguments: [
      (#""name": "Jo""#, true), (#""name": "Ann""#, false), (#""other": "Jo""#, false),
      (#""other": { "optional": true, "equals": "x" }"#, true),
      (#""name": { "absent": true }"#, false),
      (#""other": { "absent": true }"#, true),
      (#""photo": { "filename": "a \"b\".png", "contentType": { "matches": "^image/" } }"#, true),
      (#""photo": { "filename": { "matches": "jpg$" } }"#, false),
      (#""photo": { "contentType": { "not": "image/png" } }"#, false),
      (#""photo": { "body": { "contains": { "a": 1 } } }"#, true),
      (#""photo": { "body": [{ "contains": { "a": 1 } }, { "matches": "9" }] }"#, false),
      (#""name": {}, "*": { "absent": true }"#, false),
      (#""name": {}, "photo": {}, "*": { "absent": true }"#, true),
    ])
  func parts(condition: String, fits: Bool) throws {
    let requests = [
      "t": #"{ "method": "POST", "path": "/t", "body": { "multipart": { \#(condition) } } }"#
    ]
    let body = [
      "--x-y", #"Content-Disposition: form-data; name="name""#, "", "Jo", "--x-y",
      #"content-disposition: form-data; filename="a \"b\".png"; name="photo""#,
      "Content-Type: image/png", "", #"{ "a": 1 }"#, "--x-y--", "",
    ].joined(separator: "\r\n")
    #expect(
      try (response(requests, to: Request("POST", "/t", body: Array(body.utf8))) != nil) == fits)
    // What is cut short or is no such form has no parts.
    for cut in ["", "--", "--x", "--x\r\n", "--x\r\n\r\n", String(body.prefix(60))] {
      _ = try response(requests, to: Request("POST", "/t", body: Array(cut.utf8)))
    }
  }

  @Test(
    "a pattern is looked for in a body that is not UTF-8 too, where such bytes are U+FFFD",
    arguments: [
      ("", true), ("^name=", true), ("=x$", true), ("=\\uFFFDx", true), ("=x", true),
      ("name=x", false),
    ])
  func binaryBody(pattern: String, fits: Bool) throws {
    let requests = [
      "thing": #"{ "method": "POST", "path": "/t", "body": { "matches": "\#(pattern)" } }"#
    ]
    let body = Array("name=".utf8) + [0xFF] + Array("x&a=x".utf8)
    #expect(try (response(requests, to: Request("POST", "/t", body: body)) != nil) == fits)
  }

  @Test("of equal paths the one with more conditions wins, and the others get the rest")
  func conditions() throws {
    let requests = [
      "a": #"{ "method": "GET", "path": "/t" }"#,
      "b":
        #"{ "method": "GET", "path": "/{x}", "parameters": { "query.a": "1", "query.b": "1" } }"#,
      "c": #"{ "method": "GET", "path": "/t", "parameters": { "query.a": "1" } }"#,
      "d": #"{ "method": "GET", "path": "/t", "parameters": { "query.a": "1", "header.B": {} } }"#,
    ]
    let header = [HeaderField(name: "b", value: "")]
    #expect(try response(requests, to: Request("GET", "/t?a=1", headers: header)) == "d")
    #expect(try response(requests, to: Request("GET", "/t?a=1&b=1")) == "c", "literals come first")
    #expect(try response(requests, to: Request("GET", "/t")) == "a")
    #expect(try response(requests, to: Request("GET", "/u?a=1&b=1")) == "b")
  }

  @Test("conditions on a parameter of another path have no effect")
  func otherPath() throws {
    let requests = [
      "t": #"""
      { "method": "GET", "path": "/a/{id}", "also": ["/b/{name}"],
        "parameters": { "path.id": "1", "path.name": { "matches": "^x" } } }
      """#
    ]
    #expect(try response(requests, to: Request("GET", "/a/1")) == "t")
    #expect(try response(requests, to: Request("GET", "/a/x")) == nil)
    #expect(try response(requests, to: Request("GET", "/b/x1")) == "t")
    #expect(try response(requests, to: Request("GET", "/b/1")) == nil)
  }
}

extension MatchingTests {
  private static let upstreams: [String: String] = [
    "first/upstream.json": #"{ "baseURL": "https://api.example.com/v1" }"#,
    "admin/upstream.json": #"{ "baseURL": "https://api.example.com/v1/admin/" }"#,
    "bare/upstream.json": #"{ "baseURL": "http://bare.example.com:8080" }"#,
    "named/upstream.json": #"{ "hosts": ["One.example.com", "two.example.com:81"] }"#,
  ]

  @Test(
    "routes by prefix, else by host and the longest base path, and takes the base path away",
    arguments: [
      ("/first/v1/things", nil, "first /things"), ("/admin/v1/admin/x?a=1", nil, "admin /x?a=1"),
      ("/first/v2/things", nil, nil), ("/first", nil, nil), ("/first/v1", nil, "first /"),
      ("/bare", nil, "bare /"),
      ("/bare/", nil, "bare /"), ("/bare//a", nil, "bare //a"),
      ("/v1/things", "api.example.com", "first /things"),
      ("/v1/admin/x", "api.example.com", "admin /x"),
      ("/v1/administer", "api.example.com", "first /administer"),
      ("/v2/things", "api.example.com", nil), ("/first/v1/a", "bare.example.com", "first /a"),
      ("/x", "bare.example.com", "bare /x"), ("/x", "BARE.example.com:99", "bare /x"),
      ("/x", "one.example.com", "named /x"), ("/x", "two.example.com:81", "named /x"),
      ("/x", "two.example.com", nil), ("/x", "three.example.com", nil), ("/x", nil, nil),
      ("/f%69rst/%761/a%2Fb", nil, "first /a%2Fb"), ("/first%2Fv1/a", nil, nil),
      ("/%61dmin/v1/admin/%zz/%", nil, "admin /%zz/%"), ("/%zz/v1", nil, nil),
      ("/v1/%61dmin/x", "api.example.com", "admin /x"), ("/b%61re", "bare.example.com", "bare /"),
    ] as [(String, String?, String?)])
  func route(target: String, host: String?, expected: String?) throws {
    let files = Self.upstreams.merging(
      Self.upstreams.keys.map { ($0.replacing("upstream", with: "thing"), Sample.thing) }
    ) { $1 }
    let index = RequestIndex(try ContractFolder(files).load().upstreams)
    let headers = host.map { [HeaderField(name: "host", value: $0)] } ?? []
    let route = index.route(Request("GET", target, headers: headers))
    let found = route.map {
      "\($0.upstream.name) \($0.request.path)\($0.request.query.map { "?\($0)" } ?? "")"
    }
    #expect(found == expected)
    // The contract of each of these upstreams stands for one path; a miss is `nil` either way, and
    // so is what only `route` knows to read.
    let bytes = index.contractID(ofBytes: Request("GET", target), path: target, host: host)
    let named = route.flatMap { index.contract(for: $0.request, in: $0.upstream)?.id }
    #expect(bytes == named || (bytes == nil && target.contains("%")))
  }
}
