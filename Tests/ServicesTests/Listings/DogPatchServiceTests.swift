import Testing
import UnderstudyClient
import UnderstudyCore
import UnderstudyServices

@Suite struct DogPatchServiceTests {
  private let stub = StubTransport()
  private static let jack = #"""
    {"id": "BBF1DE21-FE41-430B-BED6-38BB25A7B6F8", "sellerID": "6C739AF2-34FC-41AA-B456-D6C2812E58D7",
     "about": "A chill dog", "birthday": 785352312.106298, "breed": "German Shepherd",
     "breederRating": 5, "cost": 399.99, "created": 816629112.106299,
     "imageURL": "https://live.staticflickr.com/65535/48259180871_271e9cae35_m.png", "name": "Jack"}
    """#

  private func dogs(
    _ body: String, now: Int = 1_800_000_000
  ) async throws(ServiceError) -> [Listing] {
    stub.respond(url: "https://dogpatchserver.herokuapp.com/api/v1/dogs", .json(body))
    return try await LiveDogPatchService(Wiring(stub), now: { Moment(unixSeconds: now) }).dogs()
  }

  @Test("reads dates as seconds since 2001")
  func dates() async throws {
    let listing = try #require(try await dogs("[\(Self.jack)]").first)
    #expect(listing.birthday.text == "2025-11-20T17:25:12.106Z")
    #expect(listing.created.text == "2026-11-17T17:25:12.106Z")
    #expect(listing.breederRating == 5)
    #expect(listing.cost == 399.99)
  }

  @Test(
    "dates counted from 1970 are caught",
    arguments: [978_307_200.0, 1_262_304_000, 1_546_300_800, 1_794_936_312.1, 1e300, -1e300])
  func otherEpoch(seconds: Double) async {
    let body = Self.jack.replacing("816629112.106299", with: "\(seconds)")
    await #expect(
      throws: ServiceError.invalidData(
        "/1/created: found \(seconds), expected seconds since 2001 that are neither over a year"
          + " from now nor before 1981")
    ) { try await dogs("[\(Self.jack), \(body)]") }
  }

  @Test("a date may lie a year ahead, by the clock when that is past 2030")
  func ahead() async throws {
    let now = 2_000_000_000
    let body = { (ahead: Int) in
      Self.jack.replacing("816629112.106299", with: "\(now - 978_307_200 + ahead)")
    }
    #expect(try await dogs("[\(body(31_556_951))]", now: now).count == 1)
    stub.respondToOthers(.json("[\(body(31_556_953))]"))
    let service = LiveDogPatchService(
      Wiring(stub), baseURL: try #require(WebURL("http://fake")), now: { Moment(unixSeconds: now) })
    #expect(await failureName { try await service.dogs() } == "invalidData")
  }

  @Test("a duplicate id counts once")
  func twice() async throws {
    let other = Self.jack.replacing("\"Jack\"", with: "\"John\"")
    #expect(try await dogs("[\(Self.jack), \(other)]").map(\.name) == ["Jack"])
  }

  @Test(
    "an impossible listing is invalid data",
    arguments: [
      ("\"cost\": 399.99", "\"cost\": -1"), ("\"cost\": 399.99", "\"cost\": 1e300"),
      ("\"breederRating\": 5", "\"breederRating\": 5.1"), ("\"Jack\"", "\"\""),
      ("https://live", "live"),
    ])
  func invalid(part: String, other: String) async {
    #expect(
      await failureName { try await dogs("[\(Self.jack.replacing(part, with: other))]") }
        == "invalidData")
  }
}
