public import UnderstudyJSON

/// A repository on GitHub, as far as we look at it.
public struct Repository: Hashable, Sendable {
  public let name: String
  /// With its owner: `apple/swift`.
  public let fullName: String
  public let description: String?
  public let stars: Int
  /// The one most of it is written in.
  public let language: String?

  public init(
    name: String, fullName: String, description: String? = nil, stars: Int = 0,
    language: String? = nil
  ) {
    self.name = name
    self.fullName = fullName
    self.description = description
    self.stars = stars
    self.language = language
  }
}

extension Repository {
  public var owner: String { String(fullName.dropLast(name.count + 1)) }
}

extension Repository: Decodable {
  private enum Key: String, CodingKey {
    case name, description, language
    case fullName = "full_name"
    case stars = "stargazers_count"
  }

  /// GitHub's description promises the first three, of which the description may be null; the
  /// others are theirs to leave out.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    name = try container.text(.name)
    fullName = try container.text(.fullName)
    // Fails where the key is missing.
    _ = try container.decodeNil(forKey: .description)
    description = try container.optionalText(.description)
    language = try container.optionalText(.language)
    stars =
      container.contains(.stars) ? try container.number(.stars, in: 0...Int(Int32.max)) : 0
    guard fullName.hasSuffix("/\(name)") else {
      throw container.refusal(of: .fullName, "it does not end in the name")
    }
  }
}

extension Repository: JSONRepresentable {
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("fullName", fullName)
      writer.member("description", description)
      writer.member("stars", stars)
      writer.member("language", language)
    }
  }
}
