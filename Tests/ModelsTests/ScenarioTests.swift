import Testing
import UnderstudyClient
import UnderstudyModels
import UnderstudyServices

/// Both fakes of the article, as scenarios of the contracts, served over HTTP.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ScenarioTests {
  private func states(
    _ scenario: String, _ act: (RestaurantsModel) async -> Void
  ) async throws -> [RestaurantsModel.State] {
    let stage = try await FakeStage.open()
    stage.use(scenario: scenario, of: "restaurants")
    let states = try await ModelsTests.states(of: { try Menu.model(stage) }, act)
    #expect(await stage.close() == [])
    return states
  }

  @Test("the first load, addition and deletion fail; the second ones succeed, and stay so")
  func serveThrough() async throws {
    let states = try await states("serve-through") { model in
      await model.load()
      await model.retry()
      for _ in 1...2 {
        await model.addToFavorites(Menu.kfc)
        model.dismissAlert()
      }
      for _ in 1...2 {
        await model.deleteFromFavorites(Menu.burgerKing)
        model.dismissAlert()
      }
      model.select(Menu.carls)
      model.select(nil)
      await model.load()
    }
    let notFound = Menu.error("Error 404", isRetry: true)
    let refused = Menu.error("Error 400", isRetry: false)
    let gone = Menu.error("Error 404", isRetry: false)
    let added = RestaurantsModel.Status.loaded(
      restaurants: [Menu.mcDonalds, Menu.carls], favorites: [Menu.burgerKing, Menu.kfc])
    let moved = RestaurantsModel.Status.loaded(
      restaurants: [Menu.mcDonalds, Menu.carls, Menu.burgerKing], favorites: [Menu.kfc])
    var selected = RestaurantsModel.State(moved)
    selected.selected = Menu.carls
    #expect(
      states == [
        .init(), .init(.pending, errors: [notFound]),
        .init(), .init(Menu.loaded),
        .init(Menu.loaded, pendingNames: ["KFC"]), .init(Menu.loaded, errors: [refused]),
        .init(Menu.loaded),
        .init(Menu.loaded, pendingNames: ["KFC"]), .init(added),
        .init(added, pendingNames: ["BURGER KING"]), .init(added, errors: [gone]), .init(added),
        .init(added, pendingNames: ["BURGER KING"]), .init(moved),
        selected, .init(moved),
        .init(), .init(moved),
      ])
  }

  @Test("a place without restaurants stays empty, however often it is requested")
  func alwaysEmpty() async throws {
    let states = try await states("always-empty") { model in
      await model.load()
      await model.load()
    }
    #expect(states == [.init(), .init(.empty), .init(), .init(.empty)])
  }
}
