public import UnderstudyClient
public import UnderstudyJSON

/// A dog for sale on DogPatch.
public struct Listing: Hashable, Sendable {
  public let id: String
  public let sellerID: String
  public let about: String
  public let birthday: ReferenceDate
  public let breed: String
  public let breederRating: Double
  public let cost: Double
  public let created: ReferenceDate
  public let imageURL: WebURL
  public let name: String
}

extension Listing: Decodable {
  private enum Key: CodingKey {
    case id, sellerID, about, birthday, breed, breederRating, cost, created, imageURL, name
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.text(.id)
    sellerID = try container.text(.sellerID)
    about = try container.text(.about)
    birthday = try container.decode(ReferenceDate.self, forKey: .birthday)
    breed = try container.text(.breed)
    breederRating = try container.number(.breederRating, in: 0...5)
    cost = try container.number(.cost, in: 0...1_000_000)
    created = try container.decode(ReferenceDate.self, forKey: .created)
    imageURL = try container.decode(WebURL.self, forKey: .imageURL)
    name = try container.text(.name)
  }
}

extension Listing: JSONRepresentable {
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("sellerID", sellerID)
      writer.member("about", about)
      writer.member("birthday", birthday.text)
      writer.member("breed", breed)
      writer.key("breederRating")
      writer.double(breederRating)
      writer.key("cost")
      writer.double(cost)
      writer.member("created", created.text)
      writer.member("imageURL", imageURL.text)
      writer.member("name", name)
    }
  }
}
