import Observation
import Synchronization
import Testing
import UnderstudyClient
import UnderstudyModels
import UnderstudyServices

@MainActor @Suite(.timeLimit(.minutes(5))) struct LettingGoTests {
  /// What a model waits for when it is let go.
  enum Errand: String, CaseIterable, CustomTestStringConvertible {
    case dogs, picture, joke, restaurants, addition, deletion, repositories

    var testDescription: String { rawValue }

    var contract: String {
      switch self {
      case .dogs: "dog-ceo/random-images"
      case .picture: "dog-ceo-images/picture"
      case .joke: "joke/random-joke"
      case .restaurants: "restaurants/list-restaurants"
      case .addition: "restaurants/add-favorite"
      case .deletion: "restaurants/delete-favorite"
      case .repositories: "github/org-repos"
      }
    }

    @MainActor
    func begin(on stage: any Stage) throws -> (model: AnyObject, run: () async -> Void) {
      switch self {
      case .dogs, .picture:
        let model = try DogsModel(
          service: LiveDogService(
            stage.wiring, baseURL: stage.baseURL(of: "dog-ceo"),
            picturesBaseURL: stage.baseURL(of: "dog-ceo-images")))
        guard self == .picture else { return (model, { await model.load() }) }
        let dog = Dog(
          url: try #require(
            stage.baseURL(of: "dog-ceo-images")
              .appending(["breeds", "hound-afghan", "n02088094_1003.jpg"])))
        return (model, { await model.loadPicture(of: dog) })
      case .joke:
        let model = try JokeModel(
          service: LiveJokeService(stage.wiring, baseURL: stage.baseURL(of: "joke")))
        return (model, { await model.tellAnother() })
      case .restaurants, .addition, .deletion:
        let model = try Menu.model(stage)
        return (
          model,
          {
            switch self {
            case .addition: await model.addToFavorites(Menu.kfc)
            case .deletion: await model.deleteFromFavorites(Menu.burgerKing)
            default: await model.load()
            }
          }
        )
      case .repositories:
        let model = try RepositoriesModel(
          service: LiveRepositoryService(stage.wiring, baseURL: stage.baseURL(of: "github")))
        return (model, { await model.load(organisations: ["apple"]) })
      }
    }
  }

  @Test(
    "a model let go in flight ends with its response", arguments: Venue.allCases, Errand.allCases)
  func release(venue: Venue, errand: Errand) async throws {
    try await venue.serve { stage in
      let target = errand == .repositories ? "/orgs/apple/repos?per_page=100" : nil
      try stage.use(errand.contract, "not-found", at: target, held: true)
      var (model, run): (AnyObject?, () async -> Void) = try errand.begin(on: stage)
      weak let trace = model
      let task = Task { [run] in await run() }
      run = {}
      let release = try await stage.nextHeld(errand.contract)
      model = nil
      #expect(trace != nil)
      await release()
      await task.value
      #expect(trace == nil)
    }
  }

  @Test("a view that observes a model is notified of its changes")
  func observation() async {
    let stub = StubTransport()
    stub.respondToOthers(.response(500))
    let model = JokeModel(service: LiveJokeService(Wiring(stub)))
    let isTold = Mutex(false)
    withObservationTracking {
      _ = model.state
    } onChange: {
      isTold.withLock { $0 = true }
    }
    await model.tellAnother()
    #expect(isTold.withLock { $0 })
  }
}
