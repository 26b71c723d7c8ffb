import UnderstudyJSON

/// A stub for one of its methods and paths, with its conditions.
struct WireMockCandidate {
  let stub: WireMockStub
  let method: String
  let path: WireMockURL.Path
  /// Conditions on query and headers, by key: `query.page`.
  var parameters: [(key: String, condition: JSONText)]
  var body: JSONText?

  /// How WireMock orders stubs: lower priorities first, then the newest.
  static func precedes(_ left: Self, _ right: Self) -> Bool {
    (left.stub.priority, right.stub.number) < (right.stub.priority, left.stub.number)
  }

  /// The names of the query parameters that it has conditions on.
  var queryNames: [String] {
    parameters.map(\.key).filter { $0.hasPrefix("query.") && $0 != "query.*" }.map {
      String($0.dropFirst("query.".count))
    }
  }

  /// The condition on the state: that its scenario is where it must be.
  var state: JSONText? {
    guard let scenario = stub.scenario, let required = stub.value["requiredScenarioState"]?.string
    else { return nil }
    // The value is compared as it is; names and new values may have expressions.
    return [WireMockTemplate.plain(scenario): required == Self.start ? .null : .string(required)]
  }

  /// The change of the state.
  var change: JSONText? {
    guard let scenario = stub.scenario, let new = stub.value["newScenarioState"]?.string else {
      return nil
    }
    return [
      WireMockTemplate.plain(scenario):
        new == Self.start ? .null : .string(WireMockTemplate.plain(new))
    ]
  }

  /// The state in which scenarios begin: one that was never set.
  private static let start = "Started"
}
