public import UnderstudyJSON

/// A restaurant, which the API knows by its name.
public struct Restaurant: Hashable, Sendable {
  public let imageName: String
  public let imageNameFavorite: String
  /// In minutes: `25-35`.
  public let waitingTime: String
  public let name: String
  /// `4.0 Good (500+)`
  public let rate: String
  public let type: String

  public init(
    imageName: String, imageNameFavorite: String, waitingTime: String, name: String, rate: String,
    type: String
  ) {
    self.imageName = imageName
    self.imageNameFavorite = imageNameFavorite
    self.waitingTime = waitingTime
    self.name = name
    self.rate = rate
    self.type = type
  }
}

extension Restaurant: Decodable {
  private enum Key: CodingKey {
    case imageName, imageNameFavorite, waitingTime, name, rate, type
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    imageName = try container.text(.imageName)
    imageNameFavorite = try container.text(.imageNameFavorite)
    waitingTime = try container.text(.waitingTime)
    name = try container.text(.name)
    rate = try container.text(.rate)
    type = try container.text(.type)
    let minutes = waitingTime.split(separator: "-", omittingEmptySubsequences: false)
    guard minutes.count == 2, minutes.allSatisfy({ UInt16(digits: $0) != nil }) else {
      throw container.refusal(of: .waitingTime, "it is not a time such as 25-35")
    }
  }
}

extension Restaurant: JSONRepresentable {
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("imageName", imageName)
      writer.member("imageNameFavorite", imageNameFavorite)
      writer.member("waitingTime", waitingTime)
      writer.member("name", name)
      writer.member("rate", rate)
      writer.member("type", type)
    }
  }
}

/// All restaurants: each is either a favorite or not.
public struct RestaurantLists: Hashable, Sendable {
  public let restaurants: [Restaurant]
  public let favorites: [Restaurant]

  public init(restaurants: [Restaurant], favorites: [Restaurant]) {
    self.restaurants = restaurants
    self.favorites = favorites
  }

  public var isEmpty: Bool { restaurants.isEmpty && favorites.isEmpty }
}

extension RestaurantLists: JSONRepresentable {
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("restaurants")
      restaurants.write(to: &writer)
      writer.key("favorites")
      favorites.write(to: &writer)
    }
  }
}
