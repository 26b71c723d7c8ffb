import Testing

@testable import UnderstudyContractModel

/// Which upstream a `Host` leads to, by the base URLs of several.
@Suite struct UpstreamHostTests {
  private static let files = [
    "w": "http://127.0.0.1:3007", "hb": "http://127.0.0.1:3008", "local": "http://localhost",
    "plain": "http://two.example.com", "secure": "https://two.example.com",
    "third": "https://two.example.com:8443/v1", "alone": "https://one.example.com:8443",
    "deep": "https://one.example.com:8443/v1",
  ]

  private static func library() -> ContractLibrary {
    ContractLibrary(
      reading: Dictionary(
        files.flatMap { name, url in
          [
            ("\(name)/upstream.json", #"{ "baseURL": "\#(url)" }"#),
            ("\(name)/thing.json", Sample.thing),
          ]
        }, uniquingKeysWith: { first, _ in first }))
  }

  @Test("upstreams on two ports or schemes of a host are not ambiguous")
  func noAmbiguity() {
    #expect(Self.library().findings.filter { $0.severity == .error }.map(\.description) == [])
  }

  @Test(
    "a Host leads to the upstream with its port, otherwise to none of several",
    arguments: [
      ("127.0.0.1:3007", "/x", "w"), ("127.0.0.1:3008", "/x", "hb"), ("127.0.0.1:8080", "/x", nil),
      ("127.0.0.1", "/x", nil), ("localhost", "/x", "local"), ("localhost:80", "/x", "local"),
      ("localhost:8080", "/x", nil), ("two.example.com", "/x", "plain"),
      ("two.example.com:443", "/x", "secure"), ("two.example.com:8443", "/v1/x", "third"),
      ("two.example.com:8080", "/v1/x", nil), ("one.example.com:8080", "/x", "alone"),
      ("one.example.com", "/v1/x", "deep"), ("one.example.com:8443", "/v1/x", "deep"),
    ] as [(String, String, String?)])
  func host(host: String, path: String, expected: String?) {
    let index = RequestIndex(Self.library().upstreams)
    let request = Request("GET", path, headers: [HeaderField(name: "Host", value: host)])
    #expect(index.route(request)?.upstream.name == expected)
    #expect(index.knows(host: host) == (expected != nil))
  }

  @Test("a path that begins with a known name ignores the Host")
  func named() {
    let index = RequestIndex(Self.library().upstreams)
    let request = Request(
      "POST", "/new/x", headers: [HeaderField(name: "Host", value: "one.example.com")])
    #expect(index.route(request)?.upstream.name == "alone")
    #expect(index.route(request) { $0 == "new" } == nil)
  }

  @Test("a host that one file names and another has by its address is ambiguous")
  func ambiguous() {
    let library = ContractLibrary(reading: [
      "a/upstream.json": #"{ "hosts": ["api.example.com"] }"#, "a/thing.json": Sample.thing,
      "b/upstream.json": #"{ "baseURL": "https://api.example.com" }"#, "b/thing.json": Sample.thing,
      "c/upstream.json": #"{ "baseURL": "https://api.example.com:8443" }"#,
      "c/thing.json": Sample.thing,
    ])
    #expect(
      library.findings.filter { $0.severity == .error }.map(\.description) == [
        """
        b/upstream.json: error: a already uses host "api.example.com" [ambiguous]
          fix: give one of them its own "hosts"
        """
      ])
  }
}
