import Synchronization
import Testing
import UnderstudyClient

@Suite struct StubTransportTests {
  private let stub = StubTransport()
  private let dogs = ClientRequest(url: "https://dog.ceo/api")

  @Test("responds in order, and the last repeats")
  func order() async throws {
    stub.respond(url: dogs.url, .failure(.reset), .json("[]"))
    await #expect(throws: TransportError(.reset, "a stub responded")) {
      try await stub.send(dogs)
    }
    for _ in 1...2 {
      let response = try await stub.send(dogs)
      #expect(
        response
          == ClientResponse(
            status: 200, headers: ["Content-Type": "application/json"], body: Array("[]".utf8),
            url: dogs.url))
    }
    #expect(stub.requests == [dogs, dogs, dogs])
    #expect(stub.finish() == [])
  }

  @Test("responses added after the last was repeated are all given")
  func addedLater() async throws {
    stub.respond(url: dogs.url, .response(200))
    for _ in 1...3 { #expect(try await stub.send(dogs).status == 200) }
    stub.respond(url: dogs.url, .response(201), .response(202))
    #expect(try await stub.send(dogs).status == 201)
    #expect(try await stub.send(dogs).status == 202)
    #expect(stub.finish() == [])
  }

  @Test("distinguishes requests by method and URL, and has responses for others")
  func routes() async throws {
    stub.respond(to: .post, url: dogs.url, .response(201))
    stub.respond(url: dogs.url, .response(200))
    stub.respondToOthers(.response(404))
    #expect(try await stub.send(dogs).status == 200)
    #expect(try await stub.send(ClientRequest(.post, url: dogs.url)).status == 201)
    #expect(try await stub.send(ClientRequest(url: dogs.url + "/x")).status == 404)
    #expect(stub.finish() == [])
  }

  @Test("reports responses that were not requested, and checks that never ran")
  func leftOver() async throws {
    stub.respond(
      url: dogs.url, .response(200), .response(500), .response(404).checking { _ in })
    stub.respondToOthers(.response(404))
    _ = try await stub.send(dogs)
    #expect(
      stub.finish() == [
        "GET https://dog.ceo/api: response 2 of 3 was not requested",
        "GET https://dog.ceo/api: response 3 of 3 was not requested, so its check never ran",
        "other requests: response 1 of 1 was not requested",
      ])
  }

  @Test("a request without a response fails, and is reported")
  func withoutResponse() async {
    await #expect(
      throws: TransportError(
        .cannotConnect, "the stub has no response for GET https://dog.ceo/api")
    ) { try await stub.send(dogs) }
    #expect(stub.finish() == ["GET https://dog.ceo/api: has no response"])
  }

  @Test("shows each request to the check of its response")
  func checks() async throws {
    let seen = Mutex<[String]>([])
    stub.respond(
      url: dogs.url,
      .response(200).checking { request in seen.withLock { $0.append("1 \(request.url)") } },
      .response(200).checking { request in seen.withLock { $0.append("2 \(request.url)") } })
    for _ in 1...3 { _ = try await stub.send(dogs) }
    #expect(seen.withLock { $0 } == ["1 \(dogs.url)", "2 \(dogs.url)", "2 \(dogs.url)"])
  }

  @Test("holds responses until the test releases them, in any order")
  func holding() async throws {
    stub.respond(url: dogs.url, .response(201).held, .response(202).held)
    async let first = stub.send(dogs)
    let heldFirst = try #require(await stub.nextHeld())
    async let second = stub.send(dogs)
    let heldSecond = try #require(await stub.nextHeld())
    #expect(heldSecond.release())
    #expect(try await second.status == 202)
    #expect(heldFirst.request == dogs)
    #expect(heldFirst.release(with: .response(500)))
    #expect(try await first.status == 500)
    #expect(!heldFirst.release())
    #expect(stub.finish() == [])
  }

  @Test("waits for a request to hold that has not arrived yet")
  func holdingLater() async throws {
    stub.respond(url: dogs.url, .response(200).held)
    async let held = stub.nextHeld()
    async let response = stub.send(dogs)
    #expect(await held?.release() == true)
    #expect(try await response.status == 200)
  }

  @Test("a cancelled task leaves a held response at once")
  func cancelling() async throws {
    stub.respond(url: dogs.url, .response(200).held)
    let task = Task { try await stub.send(dogs) }
    let held = try #require(await stub.nextHeld())
    task.cancel()
    await #expect(throws: TransportError(.cancelled)) { try await task.value }
    #expect(!held.release())
    #expect(stub.finish() == [])
  }

  @Test("a task cancelled before it asks is not served, and leaves no request")
  func cancelledBefore() async {
    stub.respond(url: dogs.url, .response(200))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await stub.send(dogs)
    }
    await #expect(throws: TransportError(.cancelled)) { try await task.value }
    #expect(stub.requests == [])
  }

  @Test("a task that waits for a held request stops when cancelled")
  func cancellingTheWait() async {
    let task = Task { await stub.nextHeld()?.request }
    task.cancel()
    #expect(await task.value == nil)
  }

  @Test("at the end, held responses are dropped and reported")
  func finishing() async throws {
    stub.respond(url: dogs.url, .response(200).held)
    let task = Task { try await stub.send(dogs) }
    _ = try #require(await stub.nextHeld())
    #expect(stub.finish() == ["GET https://dog.ceo/api: is still held"])
    await #expect(throws: TransportError(.cancelled)) { try await task.value }
    #expect(await stub.nextHeld()?.request == nil)
  }

  @Test("gives every one of many concurrent requests its response")
  func concurrency() async throws {
    stub.respond(url: dogs.url, .response(200).held)
    let stub = stub, dogs = dogs
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...100 { group.addTask { try await stub.send(dogs).status } }
      for number in 1...100 { await stub.nextHeld()?.release(with: .response(number)) }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(statuses == Set(1...100))
  }
}
