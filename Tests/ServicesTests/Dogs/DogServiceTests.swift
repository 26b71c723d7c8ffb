import Testing
import UnderstudyClient
import UnderstudyJSON
import UnderstudyServices

@Suite struct DogServiceTests {
  private let stub = StubTransport()
  private let url = "https://dog.ceo/api/breeds/image/random/3"

  private var service: LiveDogService { LiveDogService(Wiring(stub)) }

  private func dogs(_ response: StubResponse) async throws(ServiceError) -> [Dog] {
    stub.respond(url: url, response)
    return try await service.randomDogs(count: 3)
  }

  @Test("sends one request, with its User-Agent and Accept")
  func request() async throws {
    #expect(try await dogs(.json(#"{"message": []}"#)) == [])
    #expect(
      stub.requests == [
        ClientRequest(
          url: url, headers: ["Accept": "application/json", "User-Agent": "understudy"])
      ])
  }

  @Test(
    "extracts dogs' names from the URLs of their pictures",
    arguments: [
      ("https://images.dog.ceo/breeds/setter-english/n02100735_10038.jpg", "Setter English"),
      ("https://images.dog.ceo/breeds/komondor/n02105505_1657.jpg", "Komondor"),
      ("https://images.dog.ceo/breeds/KOMONDOR/1.txt", "Komondor"),
      ("https://images.dog.ceo/breeds/-/1.jpg", "Unknown"),
      ("https://images.dog.ceo/breeds//1.jpg", "Unknown"),
      ("https://images.dog.ceo/breeds/komondor", "Unknown"),
      ("http://127.0.0.1:8080/dog-ceo-images/breeds/setter-english/n1.jpg", "Setter English"),
      ("http://127.0.0.1:8080/~mine/dog-ceo-images/breeds/pug/n1.jpg", "Pug"),
      ("https://images.dog.ceo/breeds/komondor/", "Unknown"),
      ("https://images.dog.ceo/breeds/hound/afghan/n1.jpg", "Unknown"),
      ("https://images.dog.ceo/breed/komondor/n1.jpg", "Unknown"),
      ("https://dog.ceo/api/breeds/image/random", "Unknown"),
      ("https://dog.ceo/api/breeds/list/all", "Unknown"),
      ("https://images.dog.ceo/n02105505_1657.jpg", "Unknown"),
      ("https://images.dog.ceo", "Unknown"),
    ])
  func names(url: String, name: String) async throws {
    let dogs = try await dogs(.json(#"{"message": ["\#(url)"]}"#))
    #expect(dogs.map(\.name) == [name])
    #expect(dogs.map(\.url.text) == [url])
  }

  @Test("one dog may come twice: it is drawn each time")
  func twice() async throws {
    let picture = #""https://images.dog.ceo/breeds/pug/1.jpg""#
    #expect(try await dogs(.json("{\"message\": [\(picture), \(picture)]}")).count == 2)
  }

  @Test(
    "anything but a list of URLs is invalid data, and the error has its place",
    arguments: [
      ("", "1:1: found an empty text, expected a value"),
      (
        #"{"message": ["fake url"]}"#,
        #"1:14: /message/0: its type refuses string "fake url": not a valid URL"#
      ),
      (
        #"{"message": [""]}"#,
        #"1:14: /message/0: its type refuses string "": not a valid URL"#
      ),
      (#"{"message": [null]}"#, "1:14: /message/0: found null, expected a string"),
      (#"{"message": "x"}"#, #"1:13: /message: found string "x", expected an array"#),
    ])
  func invalid(body: String, reason: String) async {
    await #expect(throws: ServiceError.invalidData(reason)) { try await dogs(.json(body)) }
  }

  @Test("reports what it reads")
  func reads() async throws {
    stub.respond(url: url, .json(#"{"message": ["https://a/b"], "status": "success"}"#))
    var wiring = Wiring(stub)
    let reads = ReadPaths()
    wiring.decoder = JSONTreeDecoder(recorder: reads)
    _ = try await LiveDogService(wiring).randomDogs(count: 3)
    #expect(reads.paths.map(\.description) == ["", "/message", "/message/*"])
  }

  @Test(
    "fetches a picture from the configured upstream, wherever its URL points",
    arguments: [
      ("https://images.dog.ceo/breeds/pug/1.jpg", "http://fake/pictures/breeds/pug/1.jpg"),
      ("https://elsewhere.example/breeds/pug/1.jpg", "http://fake/pictures/breeds/pug/1.jpg"),
      ("http://fake/pictures/breeds/pug/1.jpg", "http://fake/pictures/breeds/pug/1.jpg"),
    ])
  func picture(of url: String, asked: String) async throws {
    let base = try #require(WebURL("http://fake/pictures/"))
    let service = LiveDogService(Wiring(stub), picturesBaseURL: base)
    let bytes: [UInt8] = [0xFF, 0xD8, 0, 0x0A]
    stub.respond(
      url: asked, .response(200, headers: ["content-type": "image/jpeg"], body: bytes))
    let picture = try await service.picture(of: Dog(url: #require(WebURL(url))))
    #expect(picture == Picture(contentType: "image/jpeg", bytes: bytes))
    #expect(stub.requests.map { $0.headers["Accept"] } == ["image/*"])
  }

  @Test(
    "without a valid path for a picture, no request is sent",
    arguments: ["", "breeds", "/a b", "/../secret", "/a#b"])
  func paths(path: String) async {
    await #expect(throws: ServiceError.invalidURL(path)) { try await service.picture(at: path) }
    #expect(stub.requests.isEmpty)
  }
}
