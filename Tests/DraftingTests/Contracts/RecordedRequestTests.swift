import Testing
import UnderstudyContractModel
import UnderstudySecrets

@testable import UnderstudyDrafting

/// The responses to one request, in order.
@Suite struct RecordedRequestTests {
  /// Each exchange as the statuses and bodies of its responses.
  private static func request(_ exchanges: [[(Int, String)]]) throws -> RecordedRequest {
    let made = exchanges.map { responses in
      RecordedExchange(
        method: "GET", path: "/a",
        responses: responses.map {
          LiveResponse(
            status: $0, headers: [HeaderField(name: "Content-Type", value: "text/plain")],
            body: Array($1.utf8), latency: .zero)
        })
    }
    var request = RecordedRequest(try #require(made.first), SecretMask())
    for exchange in made.dropFirst() { request.add(exchange, SecretMask()) }
    return request
  }

  private static func words(_ request: RecordedRequest) -> [String] {
    request.responses.map {
      "\($0.status) \(String(decoding: $0.body.bytes, as: UTF8.self)) \($0.samples.count)"
    }
  }

  @Test(
    "responses of one status that came together are samples of one, and others follow each other")
  func samples() throws {
    let together = try Self.request([[(200, "a"), (200, "b"), (404, "c"), (200, "d")]])
    #expect(Self.words(together) == ["200 a 3", "404 c 1"])
    #expect(together.sequence == [0, 1, 0] && !together.isCut)
    let apart = try Self.request([
      [(200, "a")], [(200, "b")], [(200, "b")], [(200, "a")], [(404, "a")],
    ])
    #expect(Self.words(apart) == ["200 a 2", "200 b 2", "404 a 1"])
    #expect(apart.sequence == [0, 1, 1, 0, 2])
  }

  @Test("the same bytes are another body under a status that has none")
  func statuses() throws {
    for exchanges in [
      [[(200, "a"), (204, "a"), (304, "a")]], [[(200, "a")], [(204, "a")], [(304, "a")]],
    ] {
      #expect(Self.words(try Self.request(exchanges)) == ["200 a 1", "204  1", "304  1"])
    }
  }

  @Test("eight different responses are kept, and that there were more is known", arguments: [8, 9])
  func many(count: Int) throws {
    let request = try Self.request((0..<count).map { [(200, "\($0)")] } + [[(200, "7")]])
    #expect(request.responses.count == 8 && request.isCut == (count > 8))
    #expect(request.sequence == Array(0..<8) + [7])
  }

  @Test("what a failing API will respond again is not foreseen, unless it did so last")
  func foreseen() throws {
    func statuses(_ all: Int...) throws -> [Int] {
      try Self.request(all.map { [($0, "x")] }).foreseen.map(\.status)
    }
    #expect(try statuses(200, 500, 429, 404) == [200, 404])
    #expect(try statuses(500) == [500] && statuses(200, 429) == [200, 429])
    #expect(try statuses(500, 499, 428, 430) == [499, 428, 430])
  }

  @Test("two requests are served alike by the same responses in the same order")
  func alike() throws {
    let one = try Self.request([[(200, "a")], [(404, "b")]])
    let rows: [(other: [[(Int, String)]], isAlike: Bool)] = [
      ([[(200, "a")], [(404, "b")]], true), ([[(404, "b")], [(200, "a")]], false),
      ([[(200, "a")]], false), ([[(200, "a")], [(404, "c")]], false),
      ([[(200, "a")], [(410, "b")]], false), ([[(200, "a")], [(404, "b")], [(200, "a")]], false),
    ]
    for (other, isAlike) in rows {
      #expect(one.respondsAlike(try Self.request(other)) == isAlike, "\(other)")
    }
  }
}
