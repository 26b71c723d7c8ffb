import Synchronization
import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudySystem
import UnderstudyTestSupport

@testable import UnderstudyRecording

/// What a server forwards is recorded as it arrives.
@Suite struct ServeRecorderTests {
  private static let requests = [
    WireMessage("GET", "/users/1"), WireMessage("GET", "/users/2"),
    WireMessage("GET", "/users/1?page=2&tag=a&tag=b"), WireMessage("GET", "/users/0"),
    WireMessage("POST", "/users", body: #"{"name":"Ann"}"#),
    WireMessage("POST", "/users", body: #"{"name":"Bob"}"#),
    WireMessage("PUT", "/users/1", body: #"{"name":"Cleo"}"#),
    WireMessage("PATCH", "/users/1", body: #"{"name":"Dan"}"#), WireMessage("DELETE", "/users/1"),
    WireMessage("GET", "/health"),
  ]
  private static let files = [
    "api/upstream.json", "api/users-id.json", "api/post-users.json", "api/put-users-id.json",
    "api/patch-users-id.json", "api/delete-users-id.json", "api/health.json",
  ]

  private static func whole(_ response: ClientResponse) -> [String] {
    let headers = ["Content-Type", "Vary"].map { response.headers[$0] ?? "-" }
    return ["\(response.status)"] + headers + [String(decoding: response.body, as: UTF8.self)]
  }

  @Test(
    "what was recorded is served again as it was; with all requests, the live API responds",
    arguments: [false, true])
  func again(takesAll: Bool) async throws {
    let stage = try await RecorderStage(takesAll: takesAll)
    var first: [[String]] = []
    #expect(!Readiness.isReadable([stage.recorder.descriptor]))
    for request in Self.requests { first.append(Self.whole(try await stage.client.ask(request))) }
    #expect(Readiness.isReadable([stage.recorder.descriptor]))
    let outcome = try stage.record()
    #expect(!Readiness.isReadable([stage.recorder.descriptor]))
    #expect(outcome.errors.map(\.message) == [])
    #expect(outcome.findings == [])
    #expect(stage.names(outcome) == Self.files)
    #expect(stage.folder.files == Self.files.sorted())
    #expect(stage.recorder.waitingCount == 0)
    let library = try ContractLibrary.load([stage.folder.path])
    #expect(library.findings == [])
    for (request, old) in zip(Self.requests, first) {
      let new = try await stage.client.ask(request)
      #expect(Self.whole(new) == old, "\(request)")
      #expect((new.headers["Understudy-Contract"] == nil) == takesAll, "\(request)")
    }
    #expect(stage.live.asked.count == Self.requests.count * (takesAll ? 2 : 1))
    // The same once more is nothing new.
    #expect(stage.names(try stage.record()) == [])
    await stage.close()
  }

  @Test("a contract of this run serves only what it was recorded from, and learns the rest")
  func others() async throws {
    let stage = try await RecorderStage()
    try await stage.client.ask("GET", "/users/1")
    #expect(stage.names(try stage.record()) == ["api/upstream.json", "api/users-id.json"])
    for id in ["2", "0"] {
      let response = try await stage.client.ask("GET", "/users/\(id)")
      #expect(
        String(decoding: response.body, as: UTF8.self) == #"{"echo":"GET /users/\#(id) "}"#)
      #expect(stage.names(try stage.record()) == ["api/users-id.json"])
    }
    for id in ["1", "2", "0"] { try await stage.client.ask("GET", "/users/\(id)") }
    #expect(stage.live.asked.map(\.target) == ["/users/1", "/users/2", "/users/0"])
    let contract = try #require(try stage.library().contracts.first)
    #expect(
      contract.cases.map(\.name) == ["ok", "ok-2", "not-found", "cut-short", "slow", "reset"])
    await stage.close()
  }

  @Test("a contract that somebody has changed is theirs: it responds, and is not rewritten")
  func changed() async throws {
    let stage = try await RecorderStage()
    try await stage.client.ask("GET", "/users/1")
    _ = try stage.record()
    let mine = try stage.folder.read("api/users-id.json").replacing("Recorded", with: "Made")
    try stage.folder.write("api/users-id.json", mine)
    _ = try stage.record()
    #expect(
      try await stage.client.ask("GET", "/users/2").headers["Understudy-Contract"] == "api/users-id"
    )
    #expect(stage.live.asked.count == 1)
    await stage.close()
  }

  @Test("with all requests, a contract that somebody has changed gets what it lacks")
  func extended() async throws {
    let stage = try await RecorderStage(takesAll: true)
    try await stage.client.ask("GET", "/users/1")
    _ = try stage.record()
    let mine = try stage.folder.read("api/users-id.json").replacing("Recorded", with: "Made")
    try stage.folder.write("api/users-id.json", mine)
    try await stage.client.ask("GET", "/users/2")
    let known = try stage.record()
    #expect(stage.names(known) == [])
    #expect(
      known.errors.map(\.message) == [
        "GET /users/{id} of api: api/users-id already exists, and keeps its responses"
      ])
    #expect(try stage.folder.read("api/users-id.json") == mine)
    try await stage.client.ask("GET", "/users/0")
    let extended = try stage.record()
    #expect(stage.names(extended) == ["api/users-id.json"])
    // It was said before.
    #expect(extended.errors.map(\.message) == [])
    let text = try stage.folder.read("api/users-id.json")
    #expect(text.hasPrefix(String(mine.prefix(200))))
    #expect(
      try stage.library().contracts.first?.cases.map(\.name)
        == ["ok", "cut-short", "slow", "reset", "not-found"])
    await stage.close()
  }

  @Test("nothing is lost while it must not go on, or while a file of the upstream is broken")
  func later() async throws {
    let stage = try await RecorderStage()
    try await stage.client.ask("GET", "/users/1")
    try await stage.client.ask("GET", "/health")
    let stopped = try stage.record { false }
    #expect(stopped.errors.isEmpty && stopped.files.isEmpty && stage.folder.files.isEmpty)
    #expect(stage.recorder.waitingCount == 2)
    try stage.folder.write("api/mine.json", #"{ "request": "#)
    let broken = try stage.record()
    let place = "\(stage.folder.path)/api"
    #expect(
      broken.errors.map(\.message) == [
        "\(place) has errors, so nothing is recorded into it: \(place)/mine.json:"
          + " found the end of the text, expected a value for the object opened at 1:1, and 1 other error"
      ])
    #expect(broken.files.isEmpty && stage.recorder.waitingCount == 2)
    try stage.folder.remove("api/mine.json")
    let recorded = try stage.record()
    #expect(recorded.errors.isEmpty && stage.recorder.waitingCount == 0)
    #expect(
      stage.names(recorded) == ["api/upstream.json", "api/users-id.json", "api/health.json"])
    await stage.close()
  }

  @Test("many endpoints at once are all recorded")
  func many() async throws {
    let stage = try await RecorderStage()
    let names = (0..<35).map { "thing\($0)x" }
    for name in names { try await stage.client.ask("GET", "/\(name)") }
    let outcome = try stage.record()
    #expect(stage.names(outcome) == ["api/upstream.json"] + names.map { "api/\($0).json" })
    await stage.close()
  }

  @Test("a request that cannot be recorded does not keep others from it, and shows no secret")
  func secret() async throws {
    let stage = try await RecorderStage()
    let secret = "hush-0123456789abcdef"
    try await stage.client.ask("GET", "/health")
    try await stage.client.ask(
      WireMessage("GET", "/bot/\(secret)/me", [["X-Api-Key", secret]]))
    try await stage.client.ask(WireMessage("GET", "/me", [["X-Api-Key", secret]]))
    try await stage.client.ask("GET", "/echo?said=\(secret)")
    let outcome = try stage.record()
    #expect(
      outcome.errors.map(\.message) == [
        "GET /bot/[redacted]/me has a secret in its path, so it is not recorded"
      ])
    #expect(
      stage.folder.files == [
        "api/echo.json", "api/health.json", "api/me.json", "api/upstream.json",
      ])
    for name in stage.folder.files {
      #expect(!(try stage.folder.read(name).contains("hush")), "\(name)")
    }
    // It does not block what comes later, and is not reported again.
    try await stage.client.ask("GET", "/bot/7/me")
    let later = try stage.record()
    #expect(stage.names(later) == ["api/bot-id-me.json"])
    #expect(later.errors.map(\.message) == [])
    #expect(later.findings == [])
    await stage.close()
  }

  @Test("what no contract can have is forwarded, and reported once")
  func unrecorded() async throws {
    let stage = try await RecorderStage { asked in
      asked.path == "/odd" ? WireMessage(status: 777) : LiveAPI.echo(asked)
    }
    for _ in 1...2 {
      #expect(try await stage.client.ask("PURGE", "/users/1").status == 200)
      #expect(try await stage.client.ask("GET", "/a//b").status == 200)
      #expect(try await stage.client.ask("GET", "/odd").status == 777)
    }
    let outcome = try stage.record()
    #expect(outcome.files.isEmpty && stage.folder.files.isEmpty)
    #expect(
      outcome.errors.map(\.message) == [
        "PURGE /users/1 of api: the method is only forwarded",
        "GET /a//b of api: the path has an empty segment",
        "GET /odd of api: no contract can have the status 777",
      ])
    try await stage.client.ask("PURGE", "/users/1")
    #expect(try stage.record().errors.isEmpty)
    await stage.close()
  }

  @Test("statuses from 200 to 599 are recorded, and no others", arguments: [200, 599, 600, 999])
  func statuses(status: Int) async throws {
    let stage = try await RecorderStage { _ in WireMessage(status: status, body: "x") }
    #expect(try await stage.client.ask("GET", "/odd").status == status)
    let outcome = try stage.record()
    #expect(stage.names(outcome) == (status < 600 ? ["api/upstream.json", "api/odd.json"] : []))
    #expect(
      outcome.errors.map(\.message)
        == (status < 600 ? [] : ["GET /odd of api: no contract can have the status \(status)"]))
    await stage.close()
  }

  @Test("methods that contracts can have are recorded, and no others")
  func methods() async throws {
    let stage = try await RecorderStage { _ in WireMessage(status: 200, body: "x") }
    let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"]
    for method in methods { try await stage.client.ask(method, "/things") }
    let outcome = try stage.record()
    #expect(
      stage.names(outcome) == [
        "api/upstream.json", "api/things.json", "api/post-things.json", "api/put-things.json",
        "api/patch-things.json", "api/delete-things.json",
      ])
    #expect(
      outcome.errors.map(\.message)
        == ["OPTIONS", "PURGE"].map { "\($0) /things of api: the method is only forwarded" })
    await stage.close()
  }

  @Test("what waits to be recorded has 64 MiB together; what is beyond is reported, once each")
  func waiting() async throws {
    let stage = try await RecorderStage { asked in
      let count = asked.path == "/most" ? 64 << 20 - 1 : 1
      return WireMessage(
        status: 200, [["Content-Type", "application/octet-stream"]],
        bytes: [UInt8](repeating: 0x61, count: count))
    }
    for path in ["/most", "/one", "/two", "/two", "/three"] {
      #expect(try await stage.client.ask("GET", path).status == 200)
    }
    let outcome = try stage.record { false }
    #expect(
      outcome.errors.map(\.message)
        == ["/two", "/three"].map {
          "GET \($0) of api: the limit of 64 MiB for what waits to be recorded is reached"
        })
    #expect(stage.recorder.waitingCount == 2)
    try await stage.client.ask("GET", "/two")
    // All that waits has no more room, either.
    #expect(
      try stage.record { false }.errors.map(\.message) == [
        "GET /two of api: too much traffic: only new statuses are added from now on"
      ])
    #expect(stage.recorder.waitingCount == 3)
    await stage.close()
  }

  @Test("a folder that cannot be read is reported, and is read again with the next request")
  func folder() async throws {
    let stage = try await RecorderStage()
    try stage.folder.write("upstream.json", "{}")
    let place = stage.folder.path
    try await stage.client.ask("GET", "/teams/1")
    let outcome = stage.recordAlone()
    #expect(stage.recorder.waitingCount == 1)
    #expect(
      outcome.errors.map { [$0.message, $0.fix ?? ""] } == [
        [
          "found an upstream in \(place), expected the folder of contracts around it",
          "name that with --contracts, and the upstream with --upstream",
        ]
      ])
    #expect(outcome.files.isEmpty && outcome.findings.isEmpty)
    try stage.folder.remove("upstream.json")
    try await stage.client.ask("GET", "/users/1")
    let later = stage.recordAlone()
    #expect(later.errors.map(\.message) == [])
    #expect(
      stage.names(later) == ["api/upstream.json", "api/teams-id.json", "api/users-id.json"])
    await stage.close()
  }

  @Test("the same response to the same request is kept three times")
  func repeats() async throws {
    let stage = try await RecorderStage(takesAll: true)
    for count in 1...5 {
      try await stage.client.ask("GET", "/users/1")
      _ = try stage.record { false }
      #expect(stage.recorder.waitingCount == (count <= 3 ? 1 : 0), "\(count)")
      _ = try stage.record()
    }
    await stage.close()
  }

  @Test("another response to the same request is kept, if only its status or its body differs")
  func differences() async throws {
    let statuses = [200, 200, 200, 200, 404, 404, 200]
    let bodies = ["1", "1", "1", "1", "1", "1", "2"]
    let count = Atomic(0)
    let stage = try await RecorderStage(takesAll: true) { _ in
      let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
      return WireMessage(status: statuses[number], body: bodies[number])
    }
    var waiting: [Int] = []
    for _ in statuses {
      try await stage.client.ask("GET", "/a")
      _ = try stage.record { false }
      waiting.append(stage.recorder.waitingCount)
      _ = try stage.record()
    }
    #expect(waiting == [1, 1, 1, 0, 1, 1, 1])
    await stage.close()
  }

  @Test("an endpoint with more than fifty requests is full: only new statuses are added")
  func full() async throws {
    let stage = try await RecorderStage(takesAll: true)
    for number in 1...50 { try await stage.client.ask("GET", "/items?n=\(number)") }
    #expect(try stage.record().errors.isEmpty)
    func cases() throws -> [String] {
      try #require(try stage.library().contracts.first).cases.map(\.name)
    }
    let names = try cases()
    #expect(names.count == 53)
    try await stage.client.ask("GET", "/items?n=51")
    #expect(
      try stage.record().errors.map(\.message) == [
        "GET /items of api: too much traffic: only new statuses are added from now on",
        "GET /items of api: api/items already exists, and keeps its responses",
      ])
    #expect(try cases() == names)
    for number in [52, 53] {
      try await stage.client.ask("GET", "/items?n=\(number)")
      #expect(try stage.record().errors.isEmpty)
    }
    #expect(try cases() == names)
    // What it has recorded it forgets, also what came several times at once.
    for count in 1...2 {
      for _ in 1...4 { try await stage.client.ask("GET", "/items?n=53") }
      _ = try stage.record { false }
      #expect(stage.recorder.waitingCount == 1, "\(count)")
      _ = try stage.record()
    }
    await stage.close()
  }
}
