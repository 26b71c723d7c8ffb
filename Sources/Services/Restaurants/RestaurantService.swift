public import UnderstudyClient
import UnderstudyJSON

/// Restaurants, some of which are favorites.
///
/// The example that changes something: favorites are added and deleted, and the upstream's response
/// is compared with what was asked for. `RestaurantLists` is loaded by two requests, of which both
/// must succeed. A `Restaurant` is checked as it is decoded, so that no view gets a malformed one.
public protocol RestaurantService: Sendable {
  /// Both lists or none.
  func load() async throws(ServiceError) -> RestaurantLists
  /// Returns the restaurant as the upstream now has it.
  func addFavorite(named name: String) async throws(ServiceError) -> Restaurant
  func deleteFavorite(named name: String) async throws(ServiceError) -> Restaurant
}

/// Asks the API that `Contracts/restaurants` describes; it exists nowhere else.
public struct LiveRestaurantService: RestaurantService {
  private let client: UpstreamClient

  public init(_ wiring: Wiring = .shared, baseURL: WebURL) {
    client = UpstreamClient(baseURL, wiring)
  }

  /// One after the other: without restaurants nobody needs the favorites.
  public func load() async throws(ServiceError) -> RestaurantLists {
    RestaurantLists(
      restaurants: try await list("restaurants"), favorites: try await list("favorites"))
  }

  private func list(_ name: String) async throws(ServiceError) -> [Restaurant] {
    try await client.get([Restaurant].self, client.baseURL.appending(name)).unique(by: \.name)
  }

  public func addFavorite(named name: String) async throws(ServiceError) -> Restaurant {
    var body = JSONWriter()
    body.object { $0.member("name", name) }
    return try await change(name, .post, client.baseURL.appending("favorites"), body: body.bytes)
  }

  public func deleteFavorite(named name: String) async throws(ServiceError) -> Restaurant {
    try await change(name, .delete, client.baseURL.appending("favorites", name))
  }

  private func change(
    _ name: String, _ method: HTTPMethod, _ url: WebURL, body: [UInt8]? = nil
  ) async throws(ServiceError) -> Restaurant {
    let restaurant = try await client.change(Restaurant.self, method, url, body: body)
    guard restaurant.name == name else {
      throw .invalidData("/name: found \"\(restaurant.name)\", expected \"\(name)\"")
    }
    return restaurant
  }
}
