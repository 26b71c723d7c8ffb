import UnderstudyCore
import UnderstudyJSON
import UnderstudyServices

/// What a service has given.
enum CallResult: Sendable {
  case dogs([Dog])
  case joke(Joke)
  case listings([UnderstudyServices.Listing])
  case repositories([Repository])
  case restaurants(RestaurantLists)

  var json: [UInt8] { value.json(style: .pretty(indent: 2)) }

  private var value: any JSONRepresentable {
    switch self {
    case .dogs(let dogs): dogs
    case .joke(let joke): joke
    case .listings(let listings): listings
    case .repositories(let repositories): repositories
    case .restaurants(let lists): lists
    }
  }

  /// A table, or of a joke its two sentences.
  func writeText(to stream: inout TextStream) {
    switch self {
    case .dogs(let dogs):
      stream.write(["NAME", "PICTURE"], dogs.map { [$0.name, $0.url.text] }, of: "dog")
    case .joke(let joke):
      stream.write(line: joke.setup)
      stream.write(line: joke.punchline)
    case .listings(let listings):
      stream.write(
        ["NAME", "BREED", "COST", "RATING", "CREATED"],
        listings.map {
          [$0.name, $0.breed, "\($0.cost)", "\($0.breederRating)", $0.created.text]
        }, of: "listing")
    case .repositories(let repositories):
      stream.write(
        ["NAME", "STARS", "LANGUAGE", "DESCRIPTION"],
        repositories.map {
          [$0.fullName, "\($0.stars)", $0.language ?? "-", $0.description ?? "-"]
        }, of: "repository", "repositories")
    case .restaurants(let lists):
      stream.write(
        ["NAME", "FAVORITE", "MINUTES", "RATE", "TYPE"],
        lists.restaurants.map { Self.row($0, isFavorite: false) }
          + lists.favorites.map { Self.row($0, isFavorite: true) }, of: "restaurant")
    }
  }

  private static func row(_ restaurant: Restaurant, isFavorite: Bool) -> [String] {
    [
      restaurant.name, isFavorite ? "yes" : "-", restaurant.waitingTime, restaurant.rate,
      restaurant.type,
    ]
  }
}

extension TextStream {
  fileprivate mutating func write(
    _ heads: [String], _ rows: [[String]], of noun: String, _ plural: String? = nil
  ) {
    if !rows.isEmpty {
      let lines = TextLayout.aligned([heads] + rows, indent: 0)
      for (number, line) in lines.enumerated() {
        write(inLine: line, number == 0 ? .bold : nil)
        write("\n")
      }
      write("\n")
    }
    write(rows.count == 1 ? "1 \(noun)\n" : "\(rows.count) \(plural ?? noun + "s")\n")
  }
}
