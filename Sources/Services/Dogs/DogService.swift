public import UnderstudyClient

/// Dogs at random, and their pictures.
///
/// The example with two hosts: the list of pictures comes from one, each picture from the other,
/// both of which can be pointed at a fake. `Dog` is an element of the list and `Picture` the bytes,
/// which nobody looks into.
public protocol DogService: Sendable {
  /// Asked for fewer than one, the API gives one; for more than fifty, fifty.
  func randomDogs(count: Int) async throws(ServiceError) -> [Dog]
  func picture(of dog: Dog) async throws(ServiceError) -> Picture
}

/// Asks Dog CEO, which has its pictures on another host.
public struct LiveDogService: DogService {
  private let list: UpstreamClient
  private let pictures: UpstreamClient

  public init(
    _ wiring: Wiring = .shared, baseURL: WebURL = .dogCEO, picturesBaseURL: WebURL = .dogCEOPictures
  ) {
    list = UpstreamClient(baseURL, wiring)
    pictures = UpstreamClient(picturesBaseURL, wiring, headers: [("Accept", "image/*")])
  }

  public func randomDogs(count: Int) async throws(ServiceError) -> [Dog] {
    let url = try list.baseURL.appending("api", "breeds", "image", "random", String(count))
    return try await list.get(DogList.self, url).message.map(Dog.init)
  }

  /// From the configured upstream, wherever the dog's URL points: only its path is taken.
  public func picture(of dog: Dog) async throws(ServiceError) -> Picture {
    try await picture(at: pictures.baseURL.remainder(of: dog.url) ?? dog.url.path)
  }

  /// - Parameter path: `/breeds/hound-afghan/n02088094_1003.jpg`
  public func picture(at path: String) async throws(ServiceError) -> Picture {
    guard let url = pictures.baseURL.appending(path: path) else { throw .invalidURL(path) }
    let response = try await pictures.get(url)
    let contentType = response.headers["Content-Type"] ?? ""
    guard contentType.lowercased().hasPrefix("image/") else {
      throw .invalidData("found a body of type \"\(contentType)\", expected image/…")
    }
    guard !response.body.isEmpty else { throw .invalidData("no bytes, expected a picture") }
    return Picture(contentType: contentType, bytes: response.body)
  }
}
