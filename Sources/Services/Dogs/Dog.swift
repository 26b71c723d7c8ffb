public import UnderstudyClient
public import UnderstudyJSON

/// A dog as Dog CEO knows it: a picture, and the breed that stands in the picture's URL.
public struct Dog: Hashable, Sendable {
  public let url: WebURL

  public init(url: WebURL) { self.url = url }

  /// `Setter English` for `https://images.dog.ceo/breeds/setter-english/n02100735_10038.jpg`;
  /// `Unknown` when the URL does not end in `breeds`, a breed and a picture.
  ///
  /// What comes before may be anything: a fake that rewrites links puts its own prefix there.
  public var name: String {
    let segments = url.path.split(separator: "/", omittingEmptySubsequences: false).suffix(3)
    guard segments.count == 3, segments.first == "breeds", let file = segments.last,
      file.split(separator: ".").count > 1
    else { return "Unknown" }
    let words = segments[segments.startIndex + 1].split(separator: "-")
    guard !words.isEmpty else { return "Unknown" }
    return words.map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
      .joined(separator: " ")
  }
}

extension Dog: JSONRepresentable {
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("url", url.text)
      writer.member("name", name)
    }
  }
}

/// The response of Dog CEO; every URL in it must be valid.
struct DogList: Decodable {
  let message: [WebURL]
}
