import Foundation
import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyModels
import UnderstudyServices

/// Where cases of our contracts are served to a model: the same test runs on each.
protocol Stage: Sendable {
  var wiring: Wiring { get }
  func baseURL(of upstream: String) throws -> WebURL
  /// Serves these cases one after the other, the last again and again.
  ///
  /// - Parameters:
  ///   - target: the path and query beneath the base URL, where the contract's examples do not
  ///     make the request a service sends.
  ///   - held: whether each response waits to be released.
  func use(_ contract: String, _ cases: [String], at target: String?, held: Bool) throws
  /// Waits for the next request to a contract whose responses are held; returns what releases it.
  func nextHeld(_ contract: String) async throws -> @Sendable () async -> Void
  /// Every request so far: `GET /random_joke`.
  func requests() async -> [String]
  /// Ends the serve; a line for each thing that should have come about and did not.
  func close() async -> [String]
}

extension Stage {
  func use(_ contract: String, _ cases: String..., at target: String? = nil, held: Bool = false)
    throws
  {
    try use(contract, cases, at: target, held: held)
  }
}

enum Venue: String, CaseIterable, CustomTestStringConvertible {
  case stub, fake

  var testDescription: String { rawValue }

  @MainActor
  func serve(_ test: @MainActor (any Stage) async throws -> Void) async throws {
    let stage: any Stage
    switch self {
    case .stub: stage = StubStage()
    case .fake: stage = try await FakeStage.open()
    }
    do {
      try await test(stage)
    } catch {
      _ = await stage.close()
      throw error
    }
    #expect(await stage.close() == [])
  }
}

enum Shipped {
  static let library = try? ContractLibrary.load([
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Contracts").standardized.path
  ])

  static func contract(_ id: String) throws -> Contract {
    try #require(library?.contracts.first { $0.id == id }, "no contract \(id)")
  }
}

/// Every state of a model from its beginning to its end, which is the end of this call: a model
/// that somebody keeps alive would never end it.
@MainActor
func states<Model: StatefulModel>(
  of make: () throws -> Model, _ act: (Model) async throws -> Void
) async throws -> [Model.State] {
  var stream: AsyncStream<Model.State>
  do {
    let model = try make()
    stream = model.states
    try await act(model)
  }
  var states: [Model.State] = []
  for await state in stream { states.append(state) }
  return states
}

extension AsyncStream {
  /// The first elements, this many.
  func first(_ count: Int) async -> [Element] {
    var elements: [Element] = []
    for await element in self {
      elements.append(element)
      if elements.count == count { break }
    }
    return elements
  }
}
