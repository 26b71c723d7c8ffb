import ContractModel
import JSON
import Services

/// A service as contracts know it: what is called, with which arguments, and the JSON of its value.
struct ServiceConsumer {
  typealias Call =
    @Sendable (_ place: Place, _ arguments: Arguments) async throws(ServiceError) ->
    any JSONRepresentable & Sendable

  let name: String
  let call: Call

  /// The wiring of a check, and where its upstreams are.
  struct Place: Sendable {
    let wiring: Wiring
    let baseURL: @Sendable (_ upstream: String) throws(ServiceError) -> WebURL
  }

  struct Arguments: Sendable {
    let json: JSONValue?

    func text(_ name: String) throws(ServiceError) -> String {
      guard let text = json?[name]?.string else { throw .invalidData("no argument \(name)") }
      return text
    }

    func int(_ name: String) throws(ServiceError) -> Int {
      guard let int = json?[name]?.int else { throw .invalidData("no argument \(name)") }
      return int
    }
  }

  init(_ name: String, _ call: @escaping Call) {
    (self.name, self.call) = (name, call)
  }

  static let all: [ServiceConsumer] = [
    Self("dogs.random") { place, arguments throws(ServiceError) in
      try await dogs(place).randomDogs(count: arguments.int("count"))
    },
    Self("dogs.picture") { place, arguments throws(ServiceError) in
      try await dogs(place).picture(at: arguments.text("path"))
    },
    Self("restaurants.load") { place, _ throws(ServiceError) in
      try await restaurants(place).load()
    },
    Self("restaurants.addFavorite") { place, arguments throws(ServiceError) in
      try await restaurants(place).addFavorite(named: arguments.text("name"))
    },
    Self("restaurants.deleteFavorite") { place, arguments throws(ServiceError) in
      try await restaurants(place).deleteFavorite(named: arguments.text("name"))
    },
    Self("jokes.random") { place, _ throws(ServiceError) in
      try await jokes(place).randomJoke()
    },
    Self("jokes.byID") { place, arguments throws(ServiceError) in
      try await jokes(place).joke(id: arguments.int("id"))
    },
    Self("listings.dogs") { place, _ throws(ServiceError) in
      try await LiveDogPatchService(place.wiring, baseURL: place.baseURL("dogpatch")).dogs()
    },
    Self("repos.list") { place, arguments throws(ServiceError) in
      try await repositories(place).repositories(of: arguments.text("org"))
    },
    Self("repos.one") { place, arguments throws(ServiceError) in
      try await repositories(place).repository(
        owner: arguments.text("owner"), name: arguments.text("name"))
    },
  ]

  private static func dogs(_ place: Place) throws(ServiceError) -> LiveDogService {
    try LiveDogService(
      place.wiring, baseURL: place.baseURL("dog-ceo"),
      picturesBaseURL: place.baseURL("dog-ceo-images"))
  }

  private static func jokes(_ place: Place) throws(ServiceError) -> LiveJokeService {
    try LiveJokeService(place.wiring, baseURL: place.baseURL("joke"))
  }

  private static func restaurants(_ place: Place) throws(ServiceError) -> LiveRestaurantService {
    try LiveRestaurantService(place.wiring, baseURL: place.baseURL("restaurants"))
  }

  private static func repositories(_ place: Place) throws(ServiceError) -> LiveRepositoryService {
    try LiveRepositoryService(place.wiring, baseURL: place.baseURL("github"))
  }
}
