import Testing
import UnderstudyClient
import UnderstudyServices

/// Task groups, `async let`, and a call that needs two others, each response released by hand.
@Suite struct SeveralRepositoriesTests {
  private let stub = StubTransport()

  private var service: LiveRepositoryService { LiveRepositoryService(Wiring(stub)) }

  private func respond(_ organisation: String, stars: Int) {
    stub.respond(
      url: Self.url(organisation),
      .json(
        #"[{"name": "r", "full_name": "\#(organisation)/r", "description": null, "stargazers_count": \#(stars)}]"#
      ).held)
  }

  private static func url(_ organisation: String) -> String {
    "https://api.github.com/orgs/\(organisation)/repos?per_page=100"
  }

  @Test(
    "a task group returns the lists in the requested order, two at a time, whichever comes first")
  func group() async throws {
    for name in ["a", "b", "c"] { respond(name, stars: 0) }
    async let lists = service.repositories(ofEach: ["a", "b", "c"])
    let first = try await held(2)
    #expect(Set(first.keys) == [Self.url("a"), Self.url("b")])
    first[Self.url("b")]?.release()
    try await held(1)[Self.url("c")]?.release()
    first[Self.url("a")]?.release()
    #expect(try await lists.map { $0.map(\.fullName) } == [["a/r"], ["b/r"], ["c/r"]])
    #expect(stub.finish() == [])
  }

  @Test("the first of a group to fail ends the others")
  func groupFails() async throws {
    for name in ["a", "b", "c"] { respond(name, stars: 0) }
    let lists = Task { [service] in try await service.repositories(ofEach: ["a", "b", "c"]) }
    try await held(2)[Self.url("b")]?.release(with: .response(500))
    await #expect(throws: ServiceError.unexpectedStatus(500)) { try await lists.value }
    #expect(stub.requests.count == 2)
  }

  @Test("two lists are requested at once, and the third call follows both")
  func dependent() async throws {
    respond("a", stars: 3)
    respond("b", stars: 5)
    stub.respond(
      url: "https://api.github.com/repos/b/r",
      .json(#"{"name": "r", "full_name": "b/r", "description": "now", "stargazers_count": 6}"#))
    async let best = service.mostStarred(of: "a", and: "b")
    let lists = try await held(2)
    lists[Self.url("b")]?.release()
    #expect(stub.requests.count == 2)
    lists[Self.url("a")]?.release()
    #expect(
      try await best == Repository(name: "r", fullName: "b/r", description: "now", stars: 6))
    #expect(stub.requests.count == 3)
    #expect(stub.finish() == [])
  }

  @Test("when both lists fail, the first one's error counts, whichever came first")
  func bothFail() async throws {
    respond("a", stars: 0)
    respond("b", stars: 0)
    let best = Task { [service] in try await service.mostStarred(of: "a", and: "b") }
    let lists = try await held(2)
    lists[Self.url("b")]?.release(with: .response(500))
    lists[Self.url("a")]?.release(with: .response(404))
    await #expect(throws: ServiceError.unexpectedStatus(404)) { try await best.value }
  }

  @Test("without repositories there is no best one, and no third call")
  func none() async throws {
    stub.respondToOthers(.json("[]"))
    #expect(try await service.mostStarred(of: "a", and: "b") == nil)
    #expect(stub.requests.count == 2)
  }

  @Test("a cancelled task sends no more requests")
  func cancellation() async throws {
    for name in ["a", "b", "c"] { respond(name, stars: 0) }
    let service = service
    let task = Task { try await service.repositories(ofEach: ["a", "b", "c"]) }
    _ = try await held(2)
    task.cancel()
    await #expect(throws: ServiceError.connectivity(TransportError(.cancelled))) {
      try await task.value
    }
    #expect(stub.requests.count == 2)
  }

  /// The next requests that are held, by URL.
  private func held(_ count: Int) async throws -> [String: HeldRequest] {
    var requests: [String: HeldRequest] = [:]
    for _ in 0..<count {
      let held = try #require(await stub.nextHeld())
      requests[held.request.url] = held
    }
    return requests
  }
}
