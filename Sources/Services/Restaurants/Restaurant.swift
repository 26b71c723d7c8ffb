package import UnderstudyJSON

/// A restaurant, which the API knows by its name.
package struct Restaurant: Hashable, Sendable {
  package let imageName: String
  package let imageNameFavorite: String
  /// In minutes: `25-35`.
  package let waitingTime: String
  package let name: String
  /// `4.0 Good (500+)`
  package let rate: String
  package let type: String

  package init(
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

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    imageName = try container.text(.imageName)
    imageNameFavorite = try container.text(.imageNameFavorite)
    waitingTime = try container.text(.waitingTime)
    name = try container.text(.name)
    rate = try container.text(.rate)
    type = try container.text(.type)
    let minutes = waitingTime.split(separator: "-", omittingEmptySubsequences: false)
    guard minutes.count == 2, minutes.allSatisfy({ UInt16(digits: $0) != nil }) else {
      throw container.refusal(of: .waitingTime, "it is no time such as 25-35")
    }
  }
}

extension Restaurant: JSONRepresentable {
  package func write(to writer: inout JSONWriter) {
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
package struct RestaurantLists: Hashable, Sendable {
  package let restaurants: [Restaurant]
  package let favorites: [Restaurant]

  package init(restaurants: [Restaurant], favorites: [Restaurant]) {
    self.restaurants = restaurants
    self.favorites = favorites
  }

  package var isEmpty: Bool { restaurants.isEmpty && favorites.isEmpty }
}

extension RestaurantLists: JSONRepresentable {
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("restaurants")
      restaurants.write(to: &writer)
      writer.key("favorites")
      favorites.write(to: &writer)
    }
  }
}
