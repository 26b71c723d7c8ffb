import Testing
import UnderstudyClient
import UnderstudyModels
import UnderstudyServices

@MainActor @Suite(.timeLimit(.minutes(5))) struct DogsModelTests {
  private static let contract = "dog-ceo/random-images"
  private static let pictures = "dog-ceo-images/picture"

  private static func model(_ stage: any Stage) throws -> DogsModel {
    try DogsModel(
      service: LiveDogService(
        stage.wiring, baseURL: stage.baseURL(of: "dog-ceo"),
        picturesBaseURL: stage.baseURL(of: "dog-ceo-images")))
  }

  private static func states(
    _ stage: any Stage, _ act: (DogsModel) async throws -> Void
  ) async throws -> [DogsModel.State] {
    try await ModelsTests.states(of: { try model(stage) }, act)
  }

  private static let threeDogs = [
    "setter-english/n02100735_10038.jpg", "retriever-golden/n02099601_6331.jpg",
    "komondor/n02105505_1657.jpg",
  ].compactMap { WebURL("https://images.dog.ceo/breeds/\($0)") }.map(Dog.init)

  @Test("on init, status is idle; no error, an empty alert title, and no request")
  func initial() async {
    let stub = StubTransport()
    let model = DogsModel(service: LiveDogService(Wiring(stub)))
    #expect(model.state == DogsModel.State(.idle))
    #expect(model.alertTitle == "")
    #expect(DogsModel.title == "Dogs")
    #expect(DogsModel.retryTitle == "RETRY")
    #expect(stub.requests == [])
  }

  @Test("on load, uses the dog API's URL to get dogs' images, once")
  func url() async {
    let stub = StubTransport()
    stub.respondToOthers(.failure(.reset))
    await DogsModel(service: LiveDogService(Wiring(stub))).load()
    #expect(stub.requests.map(\.url) == ["https://dog.ceo/api/breeds/image/random/3"])
  }

  @Test(
    "load dogs updates status to loading, and sends one request however often it is called",
    arguments: Venue.allCases)
  func loading(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok", held: true)
      let model = try Self.model(stage)
      let load = Task { await model.load() }
      let release = try await stage.nextHeld(Self.contract)
      #expect(model.state == DogsModel.State(.loading))
      await model.load()
      await release()
      await load.value
      #expect(model.state == DogsModel.State(.loaded(Self.threeDogs)))
      #expect(await stage.requests() == ["GET /api/breeds/image/random/3"])
    }
  }

  @Test(
    "if load dogs failed, delivers .connectivity error, and displays an error message",
    arguments: Venue.allCases, ["reset", "hung-up", "closed-in-body", "noise"])
  func connectivity(venue: Venue, name: String) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, name)
      let states = try await Self.states(stage) { model in
        await model.load()
        #expect(model.alertTitle == "Error loading dogs")
      }
      #expect(
        states == [.init(.idle), .init(.loading), .init(.idle, .loadDogs)])
    }
  }

  @Test("an unexpected status shows as a failed load", arguments: Venue.allCases)
  func status(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "not-found")
      let states = try await Self.states(stage) { await $0.load() }
      #expect(states.last == DogsModel.State(.idle, .loadDogs))
    }
  }

  @Test("load dogs succeeds with a 200 response and no dogs", arguments: Venue.allCases)
  func empty(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "empty")
      let states = try await Self.states(stage) { await $0.load() }
      #expect(states == [.init(.idle), .init(.loading), .init(.loaded([]))])
    }
  }

  @Test("parsing succeeded, delivers dogs with names from their URLs", arguments: Venue.allCases)
  func loaded(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok")
      let states = try await Self.states(stage) { await $0.load() }
      #expect(states.last == DogsModel.State(.loaded(Self.threeDogs)))
      #expect(Self.threeDogs.map(\.name) == ["Setter English", "Retriever Golden", "Komondor"])
    }
  }

  @Test(
    "parsing failed, delivers .invalidData error, and displays an error message",
    arguments: Venue.allCases, ["cut-short", "no-body", "html-page"])
  func invalidData(venue: Venue, name: String) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, name)
      let states = try await Self.states(stage) { model in
        await model.load()
        #expect(model.alertTitle == "Error parsing dogs")
      }
      #expect(states.last == DogsModel.State(.idle, .parsingDogs))
    }
  }

  @Test(
    "the user can retry: no connection, then unreadable, then three dogs", arguments: Venue.allCases
  )
  func serveThrough(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "reset", "cut-short", "ok")
      let states = try await Self.states(stage) { model in
        await model.load()
        await model.retry()
        await model.retry()
        #expect(model.alertTitle == "")
      }
      #expect(
        states == [
          .init(.idle), .init(.loading), .init(.idle, .loadDogs),
          .init(.loading), .init(.idle, .parsingDogs), .init(.loading),
          .init(.loaded(Self.threeDogs)),
        ])
      #expect(await stage.requests().count == 3)
    }
  }

  @Test(
    "the user can retry a load that failed, and one whose response could not be parsed",
    arguments: Venue.allCases, [("reset", DogsModel.Problem.loadDogs), ("cut-short", .parsingDogs)])
  func retry(venue: Venue, failure: (name: String, problem: DogsModel.Problem)) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, failure.name, "ok")
      let states = try await Self.states(stage) { model in
        await model.load()
        await model.retry()
      }
      #expect(
        states == [
          .init(.idle), .init(.loading), .init(.idle, failure.problem), .init(.loading),
          .init(.loaded(Self.threeDogs)),
        ])
    }
  }

  @Test("a failed load leaves the dogs that were there", arguments: Venue.allCases)
  func keepsDogs(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok", "server-error")
      let states = try await Self.states(stage) { model in
        await model.load()
        await model.load()
      }
      #expect(states.last == DogsModel.State(.loaded(Self.threeDogs), .loadDogs))
    }
  }

  @Test("a cancelled load shows what was there before, and no error", arguments: Venue.allCases)
  func cancelled(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok", held: true)
      let model = try Self.model(stage)
      let load = Task { await model.load() }
      _ = try await stage.nextHeld(Self.contract)
      load.cancel()
      await load.value
      #expect(model.state == DogsModel.State(.idle))
    }
  }

  @Test("a picture is a placeholder, and then the image", arguments: Venue.allCases)
  func picture(venue: Venue) async throws {
    try await venue.serve { stage in
      let dog = Dog(
        url: try #require(WebURL("https://images.dog.ceo/breeds/hound-afghan/n02088094_1003.jpg")))
      try stage.use(Self.pictures, "ok", held: true)
      let model = try Self.model(stage)
      let stream = model.states
      #expect(model.picture(of: dog) == .placeholder)
      let load = Task { await model.loadPicture(of: dog) }
      let release = try await stage.nextHeld(Self.pictures)
      #expect(model.picture(of: dog) == .placeholder)
      await model.loadPicture(of: dog)
      await release()
      await load.value
      guard case .image(let picture) = model.picture(of: dog) else {
        Issue.record("found \(model.picture(of: dog)), expected an image")
        return
      }
      #expect(picture.contentType == "image/jpeg")
      #expect(picture.bytes.count == 370)
      #expect(picture.bytes.prefix(2) == [0xFF, 0xD8])
      #expect(
        await stream.first(3).map { $0.pictures[dog] } == [nil, .placeholder, .image(picture)])
      await model.loadPicture(of: dog)
      #expect(await stage.requests() == ["GET /breeds/hound-afghan/n02088094_1003.jpg"])
    }
  }

  @Test("a picture that comes after the dogs have changed is dropped", arguments: Venue.allCases)
  func latePicture(venue: Venue) async throws {
    try await venue.serve { stage in
      let dog = Dog(
        url: try #require(WebURL("https://images.dog.ceo/breeds/hound-afghan/n02088094_1003.jpg")))
      try stage.use(Self.contract, "ok")
      try stage.use(Self.pictures, "ok", held: true)
      let model = try Self.model(stage)
      let late = Task { await model.loadPicture(of: dog) }
      let release = try await stage.nextHeld(Self.pictures)
      await model.load()
      #expect(model.state.pictures == [:])
      await release()
      await late.value
      #expect(model.state == DogsModel.State(.loaded(Self.threeDogs)))
    }
  }

  @Test(
    "a picture that cannot be loaded is an error, and can be requested again",
    arguments: Venue.allCases, ["not-found", "text-file", "reset-in-body"])
  func pictureError(venue: Venue, name: String) async throws {
    try await venue.serve { stage in
      let dog = Dog(
        url: try #require(WebURL("https://images.dog.ceo/breeds/hound-afghan/n02088094_1003.jpg")))
      try stage.use(Self.pictures, name, "ok")
      let model = try Self.model(stage)
      await model.loadPicture(of: dog)
      #expect(model.picture(of: dog) == .failure)
      await model.loadPicture(of: dog)
      #expect(model.picture(of: dog) != .failure)
    }
  }
}
