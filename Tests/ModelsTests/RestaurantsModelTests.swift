import Testing
import UnderstudyClient
import UnderstudyModels
import UnderstudyServices

@MainActor @Suite(.timeLimit(.minutes(5))) struct RestaurantsModelTests {
  typealias State = RestaurantsModel.State

  @Test("restaurants and favorites are loading, from the beginning", arguments: Venue.allCases)
  func pending(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Menu.restaurants, "ok", held: true)
      try stage.use(Menu.favorites, "ok")
      let model = try Menu.model(stage)
      #expect(model.state == State())
      let load = Task { await model.load() }
      let release = try await stage.nextHeld(Menu.restaurants)
      #expect(model.status == .pending)
      await model.load()
      await release()
      await load.value
      #expect(model.state == State(Menu.loaded))
      #expect(await stage.requests() == ["GET /restaurants", "GET /favorites"])
    }
  }

  @Test("if there are no restaurants, an image with a message is shown", arguments: Venue.allCases)
  func empty(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Menu.restaurants, "empty")
      try stage.use(Menu.favorites, "empty")
      let states = try await states(of: { try Menu.model(stage) }) { await $0.load() }
      #expect(states == [State(), State(.empty)])
      #expect(RestaurantsModel.emptyMessage == "There are no restaurants here yet")
      #expect(RestaurantsModel.emptyImageName == "no-restaurants")
    }
  }

  @Test("favorites alone are not empty", arguments: Venue.allCases)
  func onlyFavorites(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Menu.restaurants, "empty")
      try stage.use(Menu.favorites, "ok")
      let states = try await states(of: { try Menu.model(stage) }) { await $0.load() }
      #expect(states.last == State(.loaded(restaurants: [], favorites: [Menu.burgerKing])))
    }
  }

  @Test(
    "if at least one request failed, an error message is delivered, and the user can retry",
    arguments: Venue.allCases,
    [
      (Menu.restaurants, "not-found", "Error 404"), (Menu.restaurants, "reset", "No connection"),
      (Menu.restaurants, "cut-short", "Invalid response"),
      (Menu.favorites, "not-found", "Error 404"), (Menu.favorites, "unavailable", "Error 503"),
      (Menu.favorites, "hung-up", "No connection"),
    ])
  func failed(
    venue: Venue, failure: (contract: String, name: String, message: String)
  ) async throws {
    try await venue.serve { stage in
      for contract in [Menu.restaurants, Menu.favorites] {
        let names = contract == failure.contract ? [failure.name, "ok"] : ["ok"]
        try stage.use(contract, names, at: nil, held: false)
      }
      let error = Menu.error(failure.message, isRetry: true)
      let states = try await states(of: { try Menu.model(stage) }) { model in
        await model.load()
        #expect(model.errorDetails == error)
        #expect(model.isPresentAlert)
        await model.retry()
        #expect(!model.isPresentAlert)
      }
      #expect(
        states == [
          State(), State(.pending, errors: [error]), State(), State(Menu.loaded),
        ])
    }
  }

  @Test("a load that fails later leaves what was loaded before", arguments: Venue.allCases)
  func keeps(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Menu.restaurants, "ok", "server-error")
      try stage.use(Menu.favorites, "ok")
      let states = try await states(of: { try Menu.model(stage) }) { model in
        await model.load()
        await model.load()
      }
      #expect(states.last == State(Menu.loaded, errors: [Menu.error("Error 500", isRetry: true)]))
    }
  }

  @Test("a load that succeeds takes the alert of the failed one away", arguments: Venue.allCases)
  func clears(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Menu.restaurants, "not-found", "ok")
      try stage.use(Menu.favorites, "ok")
      let model = try Menu.model(stage)
      await model.load()
      #expect(model.isPresentAlert)
      await model.load()
      #expect(model.state == State(Menu.loaded))
    }
  }

  @Test("the user can dismiss the alert of a failed load", arguments: Venue.allCases)
  func dismisses(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Menu.restaurants, "not-found")
      let model = try Menu.model(stage)
      await model.load()
      model.dismissAlert()
      #expect(model.state == State())
      #expect(!model.isPresentAlert)
    }
  }

  @Test("a cancelled load shows what was there before, and no error", arguments: Venue.allCases)
  func cancelled(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Menu.restaurants, "ok")
      try stage.use(Menu.favorites, "ok")
      let model = try Menu.model(stage)
      await model.load()
      try stage.use(Menu.restaurants, "ok", held: true)
      let load = Task { await model.load() }
      let release = try await stage.nextHeld(Menu.restaurants)
      load.cancel()
      await load.value
      #expect(model.state == State(Menu.loaded))
      await release()
    }
  }

  @Test("the user can select a favorite or a restaurant to display its details, and go back")
  func selection() throws {
    let model = try Menu.model(StubStage())
    for restaurant in [Menu.kfc, Menu.burgerKing] {
      model.select(restaurant)
      #expect(model.selectedRestaurant == restaurant)
      #expect(model.isPushToDetailsView)
    }
    model.select(nil)
    #expect(model.selectedRestaurant == nil)
    #expect(!model.isPushToDetailsView)
  }
}

/// What the contracts serve.
@MainActor
enum Menu {
  nonisolated static let restaurants = "restaurants/list-restaurants"
  nonisolated static let favorites = "restaurants/list-favorites"

  static let mcDonalds = Restaurant(
    imageName: "mc-donalds", imageNameFavorite: "mc-donalds-favorite", waitingTime: "25-35",
    name: "McDonald's", rate: "4.0 Good (500+)", type: "American, Burgers")
  static let kfc = Restaurant(
    imageName: "kfc", imageNameFavorite: "kfc-favorite", waitingTime: "15-25", name: "KFC",
    rate: "4.1 Good (500+)", type: "Sandwichs, Burgers")
  static let carls = Restaurant(
    imageName: "carls-jr", imageNameFavorite: "carls-jr-favorite", waitingTime: "15-25",
    name: "Carl's Jr", rate: "3.8 Good (61)", type: "Sandwichs, Burgers")
  static let burgerKing = Restaurant(
    imageName: "burger-king", imageNameFavorite: "burger-king-favorite", waitingTime: "25-35",
    name: "BURGER KING", rate: "4.3 Very good (500+)", type: "American, Burgers")

  static let loaded = RestaurantsModel.Status.loaded(
    restaurants: [mcDonalds, kfc, carls], favorites: [burgerKing])

  static func error(_ message: String, isRetry: Bool) -> RestaurantsModel.ErrorDetails {
    .init(title: "Request Failed", message: message, isRetry: isRetry)
  }

  static func model(_ stage: any Stage) throws -> RestaurantsModel {
    try RestaurantsModel(
      service: LiveRestaurantService(
        stage.wiring, baseURL: stage.baseURL(of: "restaurants")))
  }
}
