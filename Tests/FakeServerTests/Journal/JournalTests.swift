import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySystem

@testable import UnderstudyFakeServer

@Suite struct JournalTests {
  @Test("an entry has the request, the case and the outcome")
  func entry() async throws {
    let now = Moment(microseconds: 1_700_000_000_123_456)
    let clock = LoopClock(monotonic: LoopClock.system.monotonic, wall: { now })
    let pool = LoopPool(loopCountMax: 1, clock: clock)
    let server = try await FakeServer.start(
      ContractLibrary(reading: SmallServer.files), on: pool)
    var sentByteCount = 0
    try await BlockingThread.run {
      sentByteCount = try server.client().exchange(
        "POST /~w/shop/items?a=1&b", ["X-Id: 7", "Prefer: code=201"], body: "{\"n\":1}"
      ).byteCount
    }
    let entry = try #require(await server.journal().first)
    #expect(entry.sequence == 1)
    #expect(entry.receivedAt == now)
    #expect(entry.method == "POST")
    #expect(entry.path == "/shop/items")
    #expect(entry.query == "a=1&b")
    #expect(entry.headers.map(\.name) == ["Host", "X-Id", "Prefer", "Content-Length"])
    #expect(entry.body == Array("{\"n\":1}".utf8))
    #expect(entry.bodyByteCount == 7)
    #expect(entry.session == "w")
    #expect(entry.contract == "shop/add")
    #expect(entry.caseName == "ok")
    #expect(entry.reason == .preference)
    #expect(entry.status == 201)
    #expect(entry.delayConfigured == .zero)
    #expect(entry.sentByteCount == sentByteCount)
    #expect(entry.outcome == .responded)
    await server.close()
    pool.stop()
  }

  @Test("requests to several loops are one journal, in their order")
  func merged() async throws {
    try await SmallServer.with(threads: 2) { (server) async throws in
      for number in 0..<24 {
        _ = try server.client().exchange("GET /shop/items?n=\(number)")
      }
      let entries = await server.journal()
      #expect(entries.map(\.query) == (0..<24).map { "n=\($0)" })
      #expect(entries.map(\.sequence) == (1...24).map { UInt64($0) })
    }
  }

  @Test("a closed server still reports its requests and their outcomes", arguments: [1, 2])
  func closed(threads: Int) async throws {
    try await SmallServer.with(threads: threads) { (server) async throws in
      for _ in 0..<8 { _ = try server.client().exchange("GET /shop/items") }
      let waiting = try server.client()
      waiting.ask("GET /shop/items", ["Prefer: example=slow"])
      let request = await server.nextRequest(JournalQuery { $0.caseName = "slow" })
      #expect(request?.outcome == .underWay)
      #expect(await server.close() >= 1)
      let entries = await server.journal()
      #expect(entries.map(\.sequence) == (1...9).map { UInt64($0) })
      #expect(entries.map(\.outcome) == Array(repeating: .responded, count: 8) + [.cancelled])
      #expect(await server.journal(JournalQuery { $0.since = 8 }).map(\.caseName) == ["slow"])
      #expect(await server.nextRequest() == nil)
    }
  }

  @Test("a journal that is read while the server closes has every request once", arguments: [1, 2])
  func readWhileClosing(threads: Int) async throws {
    for _ in 0..<20 {
      try await SmallServer.with(threads: threads) { (server) async throws in
        for _ in 0..<4 { _ = try server.client().exchange("GET /shop/items") }
        async let reading = withTaskGroup(of: [UInt64].self) { group in
          for _ in 0..<8 { group.addTask { await server.journal().map(\.sequence) } }
          return await group.reduce(into: []) { $0.append($1) }
        }
        await server.close()
        #expect(await reading == Array(repeating: [1, 2, 3, 4], count: 8))
      }
    }
  }

  @Test("the request log of a closed server can be cleared, for one session or all")
  func clearedWhenClosed() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      for path in ["/shop/items", "/~a/shop/items", "/~b/shop/items"] {
        _ = try client.exchange("GET \(path)")
      }
      await server.close()
      await server.reset(session: "a")
      #expect(await server.journal().map(\.session) == ["", "b"])
      await server.reset()
      #expect(await server.journal().isEmpty)
    }
  }

  @Test("sessions whose names have the same hash are not confused", arguments: [1, 2])
  func collision(threads: Int) async throws {
    #expect(JournalRing.mark(ofSession: "costarring") == JournalRing.mark(ofSession: "liquid"))
    try await SmallServer.with(threads: threads) { (server) async throws in
      for path in ["/~costarring/shop/items", "/~liquid/shop/items", "/shop/items"] {
        _ = try server.client().exchange("GET \(path)")
      }
      #expect(await server.journal(JournalQuery { $0.session = "liquid" }).map(\.sequence) == [2])
      await server.reset(session: "costarring")
      #expect(await server.journal().map(\.session) == ["liquid", ""])
      await server.close()
      await server.reset(session: "costarring")
      #expect(await server.journal().map(\.session) == ["liquid", ""])
      await server.reset(session: "")
      #expect(await server.journal().map(\.session) == ["liquid"])
    }
  }

  @Test("a body is cut to what the request log keeps, its length is not")
  func body() async throws {
    try await SmallServer.with {
      $0.limits.journalBodyByteCountMax = 5
    } _: { (server) async throws in
      _ = try server.client().exchange("POST /shop/items", body: "0123456789")
      let entry = try #require(await server.journal().first)
      #expect(entry.body == Array("01234".utf8))
      #expect(entry.bodyByteCount == 10)
    }
  }

  @Test("requests of one session are removed from a log that has begun anew", arguments: [1, 2])
  func removal(threads: Int) async throws {
    try await SmallServer.with(threads: threads) {
      $0.limits.journalRecordCountMax = 4
    } _: { (server) async throws in
      let client = try server.client()
      for number in 0..<7 {
        _ = try client.exchange("GET \(number % 2 == 0 ? "/~a" : "")/shop/items?n=\(number)")
      }
      for _ in 0..<2 {
        await server.reset(session: "a")
        #expect(await server.journal().map(\.query) == ["n=3", "n=5"])
      }
      _ = try client.exchange("GET /~a/shop/items?n=7")
      await server.reset(session: "")
      #expect(await server.journal().map(\.query) == ["n=7"])
    }
  }

  @Test("if there are more requests than the request log holds, the newest are kept")
  func bounded() async throws {
    try await SmallServer.with {
      $0.limits.journalRecordCountMax = 3
    } _: { (server) async throws in
      let client = try server.client()
      for _ in 0..<5 { _ = try client.exchange("GET /shop/items") }
      #expect(await server.journal().map(\.sequence) == [3, 4, 5])
    }
  }

  @Test(
    "a query selects by each of its parts",
    arguments: [
      (JournalQuery(), [1, 2, 3, 4, 5]), (JournalQuery { $0.contract = "shop/items" }, [1, 3]),
      (JournalQuery { $0.caseName = "gone" }, [3]), (JournalQuery { $0.method = "POST" }, [2]),
      (JournalQuery { $0.pathPrefix = "/shop/items/" }, [5]),
      (JournalQuery { $0.status = 404 }, [4, 5]),
      (JournalQuery { $0.outcome = .responded }, [1, 2, 3, 4, 5]),
      (JournalQuery { $0.outcome = .reset }, []),
      (JournalQuery { $0.session = "a" }, [3, 4]), (JournalQuery { $0.session = "" }, [1, 2, 5]),
      (JournalQuery { $0.isUnmatched = true }, [4, 5]), (JournalQuery { $0.since = 3 }, [4, 5]),
      (JournalQuery { $0.countMax = 2 }, [4, 5]),
      (
        JournalQuery {
          $0.contract = "shop/items"; $0.countMax = 1
        }, [3]
      ),
    ])
  func query(query: JournalQuery, sequences: [UInt64]) async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      _ = try client.exchange("GET /shop/items")
      _ = try client.exchange("POST /shop/items")
      _ = try client.exchange("GET /~a/shop/items", ["Prefer: example=gone"])
      _ = try client.exchange("GET /~a/nothing")
      _ = try client.exchange("GET /shop/items/1")
      #expect(await server.journal(query).map(\.sequence) == sequences)
    }
  }

  @Test("requests are counted as a contract would match them, secrets included")
  func count() async throws {
    try await SmallServer.with { (server) async throws in
      let client = try server.client()
      _ = try client.exchange("GET /shop/items/1", ["Authorization: Bearer a"])
      _ = try client.exchange("GET /~a/shop/items/2?x=1", ["Authorization: Bearer b"])
      _ = try client.exchange("POST /shop/items", body: "{\"n\": 1.0}")
      func count(_ text: String, _ query: JournalQuery = JournalQuery()) async throws -> Int {
        let value = try JSONDocument(parsing: text).root
        return await server.count(of: try RequestPattern(reading: value, origin: "x"), query)
      }
      let item = #""method": "GET", "path": "/shop/items/{id}""#
      #expect(try await count("{ \(item) }") == 2)
      #expect(try await count("{ \(item) }", JournalQuery { $0.session = "a" }) == 1)
      #expect(try await count("{ \(item), \"parameters\": { \"query.x\": \"1\" } }") == 1)
      #expect(
        try await count(
          "{ \(item), \"parameters\": { \"header.authorization\": \"Bearer a\" } }") == 1)
      #expect(
        try await count(
          #"{ "method": "POST", "path": "/shop/items", "body": { "equals": { "n": 1 } } }"#) == 1)
      #expect(try await count(#"{ "method": "GET", "path": "/shop/items" }"#) == 0)
    }
  }

  @Test("the next request is waited for, and each is given once", arguments: [1, 2])
  func next(threads: Int) async throws {
    try await SmallServer.with(threads: threads) { (server) async throws in
      for number in 0..<20 {
        async let waiting = server.nextRequest()
        #expect(try server.client().exchange("GET /shop/items?n=\(number)").status == 200)
        #expect(await waiting?.query == "n=\(number)")
      }
      _ = try server.client().exchange("GET /shop/items?n=20")
      _ = try server.client().exchange("POST /shop/items")
      #expect(await server.nextRequest(JournalQuery { $0.method = "POST" })?.sequence == 22)
    }
  }
}
