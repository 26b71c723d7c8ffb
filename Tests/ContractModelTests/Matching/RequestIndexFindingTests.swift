import Testing

@testable import UnderstudyContractModel

/// What the server finds by the bytes of a method and a path.
@Suite struct RequestIndexFindingTests {
  private static let index = ContractLibrary(reading: [
    "api/upstream.json": #"{ "baseURL": "https://api.example.com/v1" }"#,
    "api/root.json": contract("/"), "api/one.json": contract("/things/{id}", parameter: "id"),
    "api/list.json": contract("/things"), "api/asked.json": contract("/things", query: "1"),
    "api/choice.json": #"""
    { "request": { "method": "GET", "path": "/choice" }, "default": null,
      "cases": { "a": { "status": 200, "when": { "request": { "query.q": "1" } } } } }
    """#,
    "bare/upstream.json": "{}", "bare/root.json": contract("/"),
  ]).index

  /// A contract with a live case at `0`, if its path has a parameter.
  private static func contract(
    _ path: String, parameter: String? = nil, query: String? = nil
  ) -> String {
    let parameters = [
      parameter.map { #""path.\#($0)": { "example": "1" }"# },
      query.map { #""query.q": "\#($0)""# },
    ].compactMap(\.self)
    let gone = parameter.map {
      #", "gone": { "status": 404, "live": { "parameters": { "path.\#($0)": "0" } } }"#
    }
    return """
      { "request": { "method": "GET", "path": "\(path)",
          "parameters": { \(parameters.joined(separator: ", ")) } },
        "cases": { "ok": { "status": 200 }\(gone ?? "") } }
      """
  }

  /// The contract, where its path begins, and `live` if it may serve a live case.
  private static func found(
    _ target: String, method: String = "GET", in upstream: Int? = nil, host: String? = nil,
    hiding hidden: [String] = []
  ) -> String {
    var numbers = NumberSet()
    for name in hidden {
      if let number = index.contractNumber(named: name, of: "api") { numbers.insert(number) }
    }
    let request = Request(method, target)
    var (method, path) = (request.method, request.path)
    let found = method.withUTF8 { method in
      path.withUTF8 { path in
        index.find(
          method: UnsafeRawBufferPointer(method), path: UnsafeRawBufferPointer(path), in: upstream,
          hiding: numbers, host: { host },
          parts: { offset in
            var inner = request
            inner.path = String(decoding: request.path.utf8.dropFirst(offset), as: UTF8.self)
            return RequestParts(inner)
          }, serves: { $0.unsteeredCase(for: $1) != nil })
      }
    }
    guard let found else { return "nothing" }
    let contract = index.candidates[found.number].contract
    #expect(
      index.contractNumber(named: contract.name, of: contract.upstreamName) == found.contractNumber)
    return "\(contract.id) \(found.pathOffset)\(found.mayServeLiveCase ? " live" : "")"
  }

  @Test(
    "the upstream is named by the path, and its base path follows",
    arguments: [
      ("/api/v1", "api/root 7"), ("/api/v1/", "api/root 7"), ("/api/v1/things", "api/list 7"),
      ("/api/v1/things?q=1", "api/asked 7"), ("/api/v1/things?q=2", "api/list 7"),
      ("/api/v1/%74hings?q=1", "api/asked 7"), ("/api/v1/things/0", "api/one 7 live"),
      ("/api/v1/things/1", "api/one 7"), ("/api/v1/things/%31", "api/one 7 live"),
      ("/api/v1/choice?q=1", "api/choice 7"), ("/api/v1/choice?q=2", "nothing"),
      ("/api/v1/none", "nothing"), ("/api/v2/things", "nothing"), ("/api/v10", "nothing"),
      ("/api", "nothing"), ("/bare", "bare/root 5"), ("/bare/", "bare/root 5"), ("/", "nothing"),
      ("api/v1", "nothing"), ("", "nothing"), ("*", "nothing"), ("/ap%69/v1/things", "nothing"),
    ])
  func byPath(target: String, expected: String) {
    #expect(Self.found(target) == expected)
    #expect(Self.found(target, method: "HEAD") == expected)
    #expect(Self.found(target, method: "PUT") == "nothing")
  }

  @Test(
    "a host leads to an upstream where the path names none",
    arguments: [
      ("/v1/things", "api.example.com", "api/list 3"), ("/v1", "api.example.com", "api/root 3"),
      ("/v1/things/0", "api.example.com", "api/one 3 live"), ("/v2", "api.example.com", "nothing"),
      ("/v1/things", "other.example.com", "nothing"), ("/v1/things", nil, "nothing"),
      ("/v1/%74hings", "api.example.com", "nothing"), ("/bare", "api.example.com", "bare/root 5"),
    ] as [(String, String?, String)])
  func byHost(target: String, host: String?, expected: String) {
    #expect(Self.found(target, host: host) == expected)
  }

  @Test("an upstream may be given, whose name the path then leaves out")
  func given() {
    #expect(Self.found("/v1/things", in: 0) == "api/list 3")
    #expect(Self.found("/v1/things/0", in: 0) == "api/one 3 live")
    #expect(Self.found("/api/v1/things", in: 0) == "nothing")
    #expect(Self.found("/", in: 1) == "bare/root 0")
    #expect(Self.found("/v1/things", in: 1) == "nothing")
    #expect(Self.found("/v1/things", in: -1, host: "api.example.com") == "nothing")
  }

  @Test("contracts that are hidden match nothing")
  func hidden() {
    #expect(Self.found("/api/v1/things", hiding: ["list"]) == "nothing")
    #expect(Self.found("/api/v1/things?q=1", hiding: ["asked"]) == "api/list 7")
    #expect(Self.found("/api/v1/things?q=1", hiding: ["list"]) == "api/asked 7")
    #expect(Self.found("/api/v1/things?q=1", hiding: ["list", "asked"]) == "nothing")
    #expect(Self.found("/api/v1", hiding: ["root"]) == "nothing")
  }
}
