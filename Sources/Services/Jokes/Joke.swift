public import UnderstudyJSON

/// A joke in two sentences.
public struct Joke: Hashable, Sendable {
  public let id: Int
  public let type: String
  public let setup: String
  public let punchline: String

  public init(id: Int, type: String, setup: String, punchline: String) {
    self.id = id
    self.type = type
    self.setup = setup
    self.punchline = punchline
  }
}

extension Joke: Decodable {
  private enum Key: CodingKey {
    case id, type, setup, punchline
  }

  /// What the API says of errors has a type too, so a type alone makes no joke.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    id = try container.number(.id, in: 1...Int(Int32.max))
    type = try container.text(.type)
    setup = try container.text(.setup)
    punchline = try container.text(.punchline)
    if type == "error" { throw container.refusal(of: .type, "it is an error, not a joke") }
  }
}

extension Joke: JSONRepresentable {
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("type", type)
      writer.member("setup", setup)
      writer.member("punchline", punchline)
    }
  }
}
