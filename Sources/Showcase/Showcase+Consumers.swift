public import UnderstudyConsumers
import UnderstudyClient
import UnderstudyJSON
import UnderstudyServices

/// The five services and their apps: what somebody who uses Understudy has.
///
/// This file registers the services under their names in `consumers.json`, `Showcase+Commands` adds
/// a command for each app, and `Main` is the executable, one call with both. `App` is an app as
/// text: a `Screen` made from the state of a model, and keys. `Apps` has the five, and `Console` is
/// where they are shown.
///
/// Consumers have the names that the contracts of this repository use, and each of them is declared
/// there.
public enum Showcase {
  /// As the contracts of this repository know the services.
  public static let consumers = [
    consumer("dogs.random") { try await dogs($0).randomDogs(count: $0.int("count")) },
    consumer("dogs.picture") { try await dogs($0).picture(at: $0.string("path")) },
    consumer("restaurants.load") { try await restaurants($0).load() },
    consumer("restaurants.addFavorite") {
      try await restaurants($0).addFavorite(named: $0.string("name"))
    },
    consumer("restaurants.deleteFavorite") {
      try await restaurants($0).deleteFavorite(named: $0.string("name"))
    },
    consumer("jokes.random") { try await jokes($0).randomJoke() },
    consumer("jokes.byID") { try await jokes($0).joke(id: $0.int("id")) },
    consumer("listings.dogs") { call in
      try await LiveDogPatchService(wiring(call), baseURL: url("dogpatch", call)).dogs()
    },
    consumer("repos.list") { try await repositories($0).repositories(of: $0.string("org")) },
    consumer("repos.one") {
      try await repositories($0).repository(owner: $0.string("owner"), name: $0.string("name"))
    },
  ]

  private static func consumer(
    _ name: String,
    _ value: @escaping @Sendable (ConsumerCall) async throws -> any JSONRepresentable
  ) -> ServiceConsumer {
    ServiceConsumer(name) { call in
      do {
        return try await value(call).json()
      } catch let error as ServiceError {
        if let error = ConsumerError(error) { throw error }
        throw error
      }
    }
  }

  private static func wiring(_ call: ConsumerCall) -> Wiring {
    var wiring = Wiring(call.transport)
    wiring.decoder = call.decoder
    return wiring
  }

  private static func url(_ upstream: String, _ call: ConsumerCall) throws -> WebURL {
    let text = try call.baseURL(of: upstream)
    guard let url = WebURL(text) else { throw ServiceError.invalidURL(text) }
    return url
  }

  private static func dogs(_ call: ConsumerCall) throws -> LiveDogService {
    try LiveDogService(
      wiring(call), baseURL: url("dog-ceo", call), picturesBaseURL: url("dog-ceo-images", call))
  }

  private static func jokes(_ call: ConsumerCall) throws -> LiveJokeService {
    try LiveJokeService(wiring(call), baseURL: url("joke", call))
  }

  private static func restaurants(_ call: ConsumerCall) throws -> LiveRestaurantService {
    try LiveRestaurantService(wiring(call), baseURL: url("restaurants", call))
  }

  private static func repositories(_ call: ConsumerCall) throws -> LiveRepositoryService {
    try LiveRepositoryService(wiring(call), baseURL: url("github", call))
  }
}

extension ConsumerError {
  /// `nil` for an error caused only by arguments, which no contract can expect.
  fileprivate init?(_ error: ServiceError) {
    switch error {
    case .connectivity(let failure): self.init(error.name, transport: failure)
    case .unexpectedStatus(let status): self.init(error.name, payload: "\(status)")
    case .rateLimited(let until): self.init(error.name, payload: until.map { "\($0)" } ?? "null")
    case .invalidData: self.init(error.name, message: "\(error)")
    case .invalidURL: return nil
    }
  }
}
