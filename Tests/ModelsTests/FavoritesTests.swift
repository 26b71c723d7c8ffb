import Testing
import UnderstudyClient
import UnderstudyModels
import UnderstudyServices

/// Both halves of it: adding to favorites, and deleting from them.
@MainActor @Suite(.timeLimit(.minutes(5))) struct FavoritesTests {
  typealias State = RestaurantsModel.State

  enum Half: String, CaseIterable, CustomTestStringConvertible {
    case add, delete

    var testDescription: String { rawValue }

    var contract: String {
      self == .add ? "restaurants/add-favorite" : "restaurants/delete-favorite"
    }
    var success: String { self == .add ? "added" : "deleted" }
    var failure: (name: String, message: String) {
      self == .add ? ("refused", "Error 400") : ("forbidden", "Error 403")
    }
    var request: String { self == .add ? "POST /favorites" : "DELETE /favorites/BURGER%20KING" }

    @MainActor var restaurant: Restaurant { self == .add ? Menu.kfc : Menu.burgerKing }

    @MainActor var result: RestaurantsModel.Status {
      self == .add
        ? .loaded(
          restaurants: [Menu.mcDonalds, Menu.carls], favorites: [Menu.burgerKing, Menu.kfc])
        : .loaded(
          restaurants: [Menu.mcDonalds, Menu.kfc, Menu.carls, Menu.burgerKing], favorites: [])
    }

    @MainActor func run(_ model: RestaurantsModel) async {
      switch self {
      case .add: await model.addToFavorites(restaurant)
      case .delete: await model.deleteFromFavorites(restaurant)
      }
    }
  }

  private func withLoadedModel(
    _ venue: Venue, _ test: (any Stage, RestaurantsModel) async throws -> Void
  ) async throws {
    try await venue.serve { stage in
      try stage.use(Menu.restaurants, "ok")
      try stage.use(Menu.favorites, "ok")
      let model = try Menu.model(stage)
      await model.load()
      try await test(stage, model)
    }
  }

  @Test(
    "status is pending for the restaurant; on success it moves to the other list",
    arguments: Venue.allCases, Half.allCases)
  func success(venue: Venue, half: Half) async throws {
    try await withLoadedModel(venue) { stage, model in
      try stage.use(half.contract, half.success, held: true)
      #expect(!model.isPending(half.restaurant))
      let move = Task { await half.run(model) }
      let release = try await stage.nextHeld(half.contract)
      #expect(model.state == State(Menu.loaded, pendingNames: [half.restaurant.name]))
      #expect(model.isPending(half.restaurant))
      #expect(!model.isPending(Menu.carls))
      await half.run(model)
      await release()
      await move.value
      #expect(model.state == State(half.result))
      #expect(
        await stage.requests() == ["GET /restaurants", "GET /favorites", half.request])
    }
  }

  @Test(
    "if it failed, an error is delivered that offers no retry, and nothing moves",
    arguments: Venue.allCases, Half.allCases)
  func failure(venue: Venue, half: Half) async throws {
    try await withLoadedModel(venue) { stage, model in
      try stage.use(half.contract, half.failure.name, half.success)
      await half.run(model)
      let error = Menu.error(half.failure.message, isRetry: false)
      #expect(model.state == State(Menu.loaded, errors: [error]))
      #expect(model.errorDetails == error)
      #expect(model.isPresentAlert)
      model.dismissAlert()
      #expect(model.errorDetails == nil)
      #expect(!model.isPresentAlert)
      await half.run(model)
      #expect(model.state == State(half.result))
    }
  }

  @Test(
    "when it is cancelled nothing moves and no error is shown",
    arguments: Venue.allCases, Half.allCases)
  func cancelled(venue: Venue, half: Half) async throws {
    try await withLoadedModel(venue) { stage, model in
      try stage.use(half.contract, half.success, held: true)
      let move = Task { await half.run(model) }
      _ = try await stage.nextHeld(half.contract)
      move.cancel()
      await move.value
      #expect(model.state == State(Menu.loaded))
    }
  }

  @Test(
    "a reset is an error, and the request was sent once", arguments: Venue.allCases, Half.allCases)
  func reset(venue: Venue, half: Half) async throws {
    try await withLoadedModel(venue) { stage, model in
      try stage.use(half.contract, "reset")
      await half.run(model)
      #expect(model.errorDetails == Menu.error("No connection", isRetry: false))
      #expect(await stage.requests().count { $0 == half.request } == 1)
    }
  }

  @Test(
    "when two fail, the first error is shown, and the second when that is dismissed",
    arguments: Venue.allCases)
  func bothFail(venue: Venue) async throws {
    try await withLoadedModel(venue) { stage, model in
      try stage.use(Half.add.contract, Half.add.failure.name, held: true)
      let addition = Task { await Half.add.run(model) }
      let release = try await stage.nextHeld(Half.add.contract)
      try stage.use(Half.delete.contract, Half.delete.failure.name)
      await Half.delete.run(model)
      await release()
      await addition.value
      #expect(model.errorDetails == Menu.error("Error 403", isRetry: false))
      model.dismissAlert()
      #expect(model.errorDetails == Menu.error("Error 400", isRetry: false))
      model.dismissAlert()
      #expect(model.state == State(Menu.loaded))
    }
  }

  @Test(
    "a load that succeeds leaves the error of a favorite there", arguments: Venue.allCases,
    Half.allCases)
  func errorStays(venue: Venue, half: Half) async throws {
    try await withLoadedModel(venue) { stage, model in
      try stage.use(half.contract, half.failure.name)
      await half.run(model)
      await model.load()
      let error = Menu.error(half.failure.message, isRetry: false)
      #expect(model.state == State(Menu.loaded, errors: [error]))
    }
  }

  @Test("lists requested before a restaurant moved do not move it back", arguments: Venue.allCases)
  func moveWhileLoading(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Menu.restaurants, "ok", held: true)
      try stage.use(Menu.favorites, "ok")
      try stage.use(Half.add.contract, Half.add.success)
      let model = try Menu.model(stage)
      let load = Task { await model.load() }
      let release = try await stage.nextHeld(Menu.restaurants)
      await Half.add.run(model)
      #expect(model.status == .pending)
      await release()
      await load.value
      #expect(model.state == State(Half.add.result))
    }
  }
}
