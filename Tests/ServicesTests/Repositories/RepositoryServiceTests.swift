import Synchronization
import Testing
import UnderstudyClient
import UnderstudyServices

@Suite struct RepositoryServiceTests {
  private let stub = StubTransport()
  private static let apple = "https://api.github.com/orgs/apple/repos?per_page=100"

  private var service: LiveRepositoryService { LiveRepositoryService(Wiring(stub)) }

  private static func page(
    _ names: String..., next: String? = nil, tag: String? = nil
  ) -> StubResponse {
    let items = names.map {
      #"{"name": "\#($0)", "full_name": "apple/\#($0)", "description": null}"#
    }
    var headers: HTTPHeaders = [:]
    headers["Link"] = next.map { "<\($0)>; rel=\"next\"" }
    headers["ETag"] = tag
    return .json("[\(items.joined(separator: ", "))]", headers: headers)
  }

  @Test("sends its User-Agent, version and token, and no one else gets the token")
  func request() async throws {
    stub.respondToOthers(Self.page(next: "https://elsewhere.example/2"), Self.page())
    _ = try await LiveRepositoryService(
      Wiring(stub), token: "t", followsLinksOutside: true
    ).repositories(of: "apple")
    let shared: HTTPHeaders = [
      "Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28",
      "User-Agent": "understudy",
    ]
    var own = shared
    own["Authorization"] = "Bearer t"
    #expect(stub.requests.map(\.url) == [Self.apple, "https://elsewhere.example/2"])
    #expect(stub.requests.map(\.headers) == [own, shared])
  }

  @Test("repos(from:) gives what is at an address")
  func from() async throws {
    stub.respond(
      url: "https://api.github.com/orgs/apple/repos",
      Self.page("swift", "llvm-project", "swift-driver").checking {
        #expect($0.url == "https://api.github.com/orgs/apple/repos")
      })
    let repositories = try await service.repositories(
      from: "https://api.github.com/orgs/apple/repos")
    #expect(
      repositories
        == ["swift", "llvm-project", "swift-driver"].map {
          Repository(name: $0, fullName: "apple/\($0)")
        })
    #expect(stub.finish() == [])
  }

  @Test(
    "repos(from:) throws for an invalid URL, or one that is not the upstream's",
    arguments: ["fake url", "", "https://example.com/repos", "ftp://api.github.com/orgs"])
  func invalidURL(text: String) async {
    await #expect(throws: ServiceError.invalidURL(text)) {
      try await service.repositories(from: text)
    }
    #expect(stub.requests.isEmpty)
  }

  @Test("repos(from:) throws for an address that does not exist")
  func notFound() async {
    stub.respondToOthers(.json(#"{"message": "Not Found"}"#, status: 404))
    await #expect(throws: ServiceError.unexpectedStatus(404)) {
      try await service.repositories(from: "https://api.github.com/notgoingtowork")
    }
  }

  @Test("a response may differ from one time to the next, and the last repeats")
  func sequence() async throws {
    stub.respond(url: Self.apple, .failure(.reset), Self.page("swift"))
    #expect(await failureName { try await service.repositories(of: "apple") } == "connectivity")
    for _ in 1...2 {
      #expect(try await service.repositories(of: "apple").map(\.name) == ["swift"])
    }
    #expect(stub.finish() == [])
  }

  @Test("follows the links to the last page; what comes twice counts once")
  func pages() async throws {
    let next = "https://api.github.com/organizations/1/repos?page="
    stub.respond(url: Self.apple, Self.page("a", "b", next: next + "2"))
    stub.respond(url: next + "2", Self.page("b", "c", next: next + "3"))
    stub.respond(url: next + "3", Self.page())
    #expect(try await service.repositories(of: "apple").map(\.name) == ["a", "b", "c"])
    #expect(stub.finish() == [])
  }

  @Test(
    "a link to another place is invalid data, and is not followed",
    arguments: [
      (
        "https://elsewhere.example/2",
        "found a link to https://elsewhere.example/2, expected one below https://api.github.com"
      ),
      ("/2", "found a link to /2, expected one below https://api.github.com"),
      (Self.apple, "found a link back to \(Self.apple), expected one to a new page"),
    ])
  func links(next: String, reason: String) async {
    stub.respond(url: Self.apple, Self.page("a", next: next))
    await #expect(throws: ServiceError.invalidData(reason)) {
      try await service.repositories(of: "apple")
    }
    #expect(stub.requests.count == 1)
  }

  @Test("links may be on several lines")
  func linkLines() async throws {
    var headers: HTTPHeaders = ["Link": "<https://api.github.com/9>; rel=\"last\""]
    headers.append("Link", "<https://api.github.com/2>; rel=\"next\"")
    stub.respond(url: Self.apple, .json("[]", headers: headers))
    stub.respond(url: "https://api.github.com/2", Self.page("b"))
    #expect(try await service.repositories(of: "apple").map(\.name) == ["b"])
  }

  @Test("pages without end are invalid data, after a thousand")
  func manyPages() async {
    let asked = Atomic(0)
    let endless = ClosureTransport { _ throws(TransportError) in
      let next = asked.add(1, ordering: .relaxed).newValue
      return ClientResponse(
        status: 200, headers: ["Link": "<https://api.github.com/\(next)>; rel=next"],
        body: Array("[]".utf8))
    }
    await #expect(
      throws: ServiceError.invalidData("more than 1000 pages, expected fewer")
    ) { try await LiveRepositoryService(Wiring(endless)).repositories(of: "apple") }
    #expect(asked.load(ordering: .relaxed) == 1_000)
  }

  @Test("a Link header that cannot be read is invalid data: it might have led on")
  func malformedLink() async {
    stub.respond(url: Self.apple, .json("[]", headers: ["Link": "next"]))
    await #expect(
      throws: ServiceError.invalidData("found the header \"Link: next\", expected links")
    ) { try await service.repositories(of: "apple") }
  }

  @Test("revalidates page by page by its tags, and treats 304 as no change")
  func revalidation() async throws {
    let second = "https://api.github.com/2"
    stub.respond(
      url: Self.apple, Self.page("a", next: second, tag: "\"1\""), .response(304))
    stub.respond(
      url: second, Self.page("b", tag: "\"2\""), Self.page("c", tag: "\"3\""), .response(304))
    let service = service
    for names in [["a", "b"], ["a", "c"], ["a", "c"]] {
      #expect(try await service.repositories(of: "apple").map(\.name) == names)
    }
    #expect(
      stub.requests.map { $0.headers["If-None-Match"] }
        == [nil, nil, "\"1\"", "\"2\"", "\"1\"", "\"3\""])
  }

  @Test("304 to a request without a tag is not a valid response")
  func notRun() async {
    stub.respondToOthers(.response(304))
    await #expect(throws: ServiceError.unexpectedStatus(304)) {
      try await service.repository(owner: "apple", name: "swift")
    }
  }

  @Test(
    "distinguishes a rate limit from other refusals, and gives its end",
    arguments: [
      (429, [:], "", ServiceError.rateLimited(until: nil)),
      (403, [:], "", .unexpectedStatus(403)),
      (
        403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "17"], "", .rateLimited(until: 17)
      ),
      (
        403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "x"], "", .rateLimited(until: nil)
      ),
      (403, ["X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "17"], "", .unexpectedStatus(403)),
      (
        429, ["X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "17"], "", .rateLimited(until: nil)
      ),
      (403, ["Retry-After": "8"], "", .rateLimited(until: nil)),
      (403, ["Retry-After": "Thu, 01 Jan 1970 00:01:01 GMT"], "", .rateLimited(until: 61)),
      (403, [:], #"{"message": "a secondary Rate Limit"}"#, .rateLimited(until: nil)),
      (503, ["Retry-After": "8"], "", .unexpectedStatus(503)),
    ] as [(Int, HTTPHeaders, String, ServiceError)])
  func limits(status: Int, headers: HTTPHeaders, body: String, expected: ServiceError) async {
    stub.respondToOthers(.response(status, headers: headers, body: Array(body.utf8)))
    await #expect(throws: expected) {
      try await service.repository(owner: "apple", name: "swift")
    }
  }

  @Test(
    "optional members of GitHub may be missing, and required ones may not",
    arguments: [
      (#"{"name": "a", "full_name": "b/a", "description": null}"#, true),
      (#"{"name": "a", "full_name": "b/a", "description": "", "language": null}"#, true),
      (#"{"name": "a", "full_name": "b/a"}"#, false),
      (#"{"name": "a", "description": null}"#, false),
      (#"{"name": "a", "full_name": "b/c", "description": null}"#, false),
      (#"{"name": "", "full_name": "b/", "description": null}"#, false),
      (#"{"name": "a", "full_name": "b/a", "description": null, "stargazers_count": null}"#, false),
      (#"{"name": "a", "full_name": "b/a", "description": null, "stargazers_count": -1}"#, false),
    ])
  func optional(body: String, isFine: Bool) async {
    stub.respondToOthers(.json(body))
    let name = await failureName { try await service.repository(owner: "b", name: "a") }
    #expect(name == (isFine ? nil : "invalidData"))
  }
}
