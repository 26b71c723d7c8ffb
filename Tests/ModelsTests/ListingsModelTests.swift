import Observation
import Synchronization
import Testing
import UnderstudyClient
import UnderstudyModels
import UnderstudyServices

@MainActor @Suite(.timeLimit(.minutes(5))) struct ListingsModelTests {
  private static let contract = "dogpatch/dogs"

  private static func model(_ stage: any Stage) throws -> ListingsModel {
    try ListingsModel(
      service: LiveDogPatchService(stage.wiring, baseURL: stage.baseURL(of: "dogpatch")))
  }

  @Test("uses the live server unless told otherwise")
  func url() async {
    let stub = StubTransport()
    stub.respondToOthers(.json("[]"))
    let model = ListingsModel(service: LiveDogPatchService(Wiring(stub)))
    #expect(stub.requests == [])
    model.refresh()
    await model.task?.value
    #expect(
      stub.requests.map(\.url) == ["https://dogpatchserver.herokuapp.com/api/v1/dogs"])
  }

  @Test("refresh sets the task and begins refreshing", arguments: Venue.allCases)
  func begins(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok", held: true)
      let model = try Self.model(stage)
      #expect(model.task == nil)
      model.refresh()
      #expect(model.task != nil)
      #expect(model.isRefreshing)
      let release = try await stage.nextHeld(Self.contract)
      await release()
      await model.task?.value
    }
  }

  @Test("a refresh while one runs does not call again", arguments: Venue.allCases)
  func twice(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok", held: true)
      let model = try Self.model(stage)
      model.refresh()
      let task = model.task
      model.refresh()
      #expect(model.task == task)
      let release = try await stage.nextHeld(Self.contract)
      await release()
      await task?.value
      #expect(await stage.requests().count == 1)
    }
  }

  @Test(
    "completion clears the task, sets the view models and ends refreshing",
    arguments: Venue.allCases)
  func completes(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok")
      let states = try await states(of: { try Self.model(stage) }) { model in
        model.refresh()
        await model.task?.value
        #expect(model.task == nil)
        #expect(!model.isRefreshing)
        #expect(model.viewModels.map(\.name) == ["Jack", "Lulu"])
        #expect(model.viewModels.map(\.breed) == ["German Shepherd", "Poodle"])
        #expect(model.viewModels.map(\.price) == ["$399.99", "$225.99"])
        #expect(
          model.viewModels.map(\.imageURL.text) == [
            "https://live.staticflickr.com/65535/48259180871_271e9cae35_m.png",
            "https://live.staticflickr.com/65535/48259180361_e385cbaa94_m.png",
          ])
      }
      #expect(states.map(\.isRefreshing) == [false, true, false])
    }
  }

  @Test("a list that observes the view models is told to reload", arguments: Venue.allCases)
  func reloads(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok", held: true)
      let model = try Self.model(stage)
      model.refresh()
      let release = try await stage.nextHeld(Self.contract)
      let reloads = Mutex(0)
      withObservationTracking {
        _ = model.viewModels
      } onChange: {
        reloads.withLock { $0 += 1 }
      }
      await release()
      await model.task?.value
      #expect(reloads.withLock { $0 } == 1)
    }
  }

  @Test(
    "a failure empties the list and shows the error, and a retry removes it",
    arguments: Venue.allCases,
    [
      ("reset", "No connection"), ("since-1970", "Invalid response"), ("asleep", "Error 503"),
    ])
  func fails(venue: Venue, failure: (name: String, message: String)) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok", failure.name, "empty")
      let states = try await states(of: { try Self.model(stage) }) { model in
        for _ in 1...3 {
          model.refresh()
          await model.task?.value
        }
      }
      let full = states[2].viewModels
      #expect(full.count == 2)
      #expect(
        states.dropFirst(3) == [
          .init(isRefreshing: true, viewModels: full), .init(errorMessage: failure.message),
          .init(isRefreshing: true), .init(),
        ])
    }
  }

  @Test(
    "cancel ends the refresh, leaves the list, and lets another begin", arguments: Venue.allCases)
  func cancels(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok", held: true)
      let model = try Self.model(stage)
      model.cancel()
      model.refresh()
      let cancelled = model.task
      _ = try await stage.nextHeld(Self.contract)
      model.cancel()
      #expect(model.task == nil)
      #expect(model.state == ListingsModel.State())
      model.refresh()
      await cancelled?.value
      #expect(model.isRefreshing)
      let release = try await stage.nextHeld(Self.contract)
      await release()
      await model.task?.value
      #expect(model.viewModels.count == 2)
    }
  }

  @Test("a refresh that its transport cancels leaves the list, and shows no error")
  func cancelledBelow() async throws {
    let stub = StubTransport()
    let body = try #require(Shipped.contract(Self.contract).case(named: "ok")).bodyBytes
    stub.respondToOthers(.response(200, body: body), .failure(.cancelled))
    let model = ListingsModel(service: LiveDogPatchService(Wiring(stub)))
    model.refresh()
    await model.task?.value
    let before = model.state
    #expect(before.viewModels.count == 2)
    model.refresh()
    await model.task?.value
    #expect(model.state == before)
    #expect(model.task == nil)
  }

  @Test("a model let go in flight goes at once, and its request with it", arguments: Venue.allCases)
  func release(venue: Venue) async throws {
    try await venue.serve { stage in
      try stage.use(Self.contract, "ok", held: true)
      var model: ListingsModel? = try Self.model(stage)
      weak let trace = model
      model?.refresh()
      let task = model?.task
      _ = try await stage.nextHeld(Self.contract)
      model = nil
      await task?.value
      #expect(trace == nil)
    }
  }
}
