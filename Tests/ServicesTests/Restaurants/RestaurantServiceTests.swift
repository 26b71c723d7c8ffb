import Testing
import UnderstudyClient
import UnderstudyServices

@Suite struct RestaurantServiceTests {
  private let stub = StubTransport()
  private static let carls = Restaurant(
    imageName: "carls-jr", imageNameFavorite: "carls-jr-favorite", waitingTime: "15-25",
    name: "Carl's Jr", rate: "3.8 Good (61)", type: "Sandwichs, Burgers")
  private static let json = String(decoding: carls.json(), as: UTF8.self)

  private func service() throws -> LiveRestaurantService {
    LiveRestaurantService(Wiring(stub), baseURL: try #require(WebURL("http://fake/restaurants")))
  }

  @Test("requests the favorites only after the restaurants")
  func order() async throws {
    stub.respond(url: "http://fake/restaurants/restaurants", .json("[\(Self.json)]"))
    stub.respond(url: "http://fake/restaurants/favorites", .json("[]"))
    #expect(
      try await service().load() == RestaurantLists(restaurants: [Self.carls], favorites: []))
    #expect(
      stub.requests.map(\.url) == [
        "http://fake/restaurants/restaurants", "http://fake/restaurants/favorites",
      ])
  }

  @Test(
    "when the restaurants fail, the favorites are not requested")
  func firstError() async throws {
    stub.respond(url: "http://fake/restaurants/restaurants", .response(404))
    stub.respond(url: "http://fake/restaurants/favorites", .response(500))
    await #expect(throws: ServiceError.unexpectedStatus(404)) { try await service().load() }
    #expect(stub.requests.count == 1)
  }

  @Test("a name that is in a list twice counts once")
  func twice() async throws {
    stub.respondToOthers(.json("[\(Self.json), \(Self.json)]"))
    #expect(try await service().load().restaurants == [Self.carls])
  }

  @Test("an addition is sent once, with the name in its body")
  func addition() async throws {
    stub.respondToOthers(.json(Self.json))
    #expect(try await service().addFavorite(named: "Carl's Jr") == Self.carls)
    let request = try #require(stub.requests.first)
    #expect(request.method == .post)
    #expect(request.url == "http://fake/restaurants/favorites")
    #expect(String(decoding: request.body ?? [], as: UTF8.self) == #"{"name":"Carl's Jr"}"#)
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(request.goesOnce)
  }

  @Test("a deletion is sent once, with the name in its path")
  func deletion() async throws {
    stub.respondToOthers(.json(Self.json))
    #expect(try await service().deleteFavorite(named: "Carl's Jr") == Self.carls)
    let request = try #require(stub.requests.first)
    #expect(request.method == .delete)
    #expect(request.url == "http://fake/restaurants/favorites/Carl%27s%20Jr")
    #expect(request.body == nil)
    #expect(request.goesOnce)
  }

  @Test("a response about another restaurant is invalid data")
  func otherRestaurant() async throws {
    stub.respondToOthers(.json(Self.json))
    let error = ServiceError.invalidData("/name: found \"Carl's Jr\", expected \"KFC\"")
    await #expect(throws: error) { try await service().addFavorite(named: "KFC") }
    await #expect(throws: error) { try await service().deleteFavorite(named: "KFC") }
  }

  @Test("a name that would delete something else is refused", arguments: ["", ".", ".."])
  func names(name: String) async throws {
    #expect(await failureName { try await service().deleteFavorite(named: name) } == "invalidURL")
    #expect(stub.requests.isEmpty)
  }

  @Test(
    "a waiting time is two numbers",
    arguments: ["", "15", "15-", "-15", "15-25-35", "a-b", "15 - 25", "+15-25"])
  func waitingTime(text: String) async throws {
    stub.respondToOthers(.json(Self.json.replacing("15-25", with: text)))
    #expect(
      await failureName { try await service().addFavorite(named: "Carl's Jr") } == "invalidData")
  }
}
