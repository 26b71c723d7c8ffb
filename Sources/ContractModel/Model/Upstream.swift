package import UnderstudyCore
package import UnderstudyJSON

/// An API that contracts describe: its live address, and limits for using it.
package final class Upstream: Sendable {
  package let name: String
  package let summary: String?
  /// The base URL of the live API; `nil` when there is none.
  package let baseURL: WebURL?
  /// The values of `Host` that its file names in place of the host of `baseURL`.
  package let hosts: [String]
  /// Where callbacks may lead besides this machine.
  package let callbackHosts: CallbackHosts
  package let headers: [HeaderField]
  package let secrets: [Secret]
  package let rate: RateBudget?
  /// From which percentage of failed requests on a run warns.
  package let failedPercent: Int
  package let owner: String?
  /// Why the live API is no longer checked.
  package let retired: String?
  /// The state that a session begins with.
  package let state: [StateValue]
  package let scenarios: [Scenario]
  /// For all its contracts.
  package let waivers: [Waiver]
  /// Sorted by name.
  package let contracts: [Contract]
  /// By contract name: of several contracts that match a request, the one with the lowest rank
  /// responds. `nil` where it is the most specific one.
  let ranks: [String: ContractRank]?
  package let file: String
  /// The position of `baseURL` in the file.
  package let basePosition: SourcePosition?
  /// What the file says; `null` where there is none.
  package let source: JSONValue

  init(
    name: String, summary: String?, baseURL: WebURL?, hosts: [String],
    callbackHosts: CallbackHosts, headers: [HeaderField], secrets: [Secret], rate: RateBudget?,
    failedPercent: Int?, owner: String?, retired: String?,
    state: [StateValue], scenarios: [Scenario], waivers: [Waiver], contracts: [Contract],
    ranks: [String: ContractRank]? = nil, file: String, basePosition: SourcePosition?,
    source: JSONValue
  ) {
    self.name = name
    self.summary = summary
    self.baseURL = baseURL
    self.hosts = hosts
    self.callbackHosts = callbackHosts
    self.headers = headers
    self.secrets = secrets
    self.rate = rate
    self.failedPercent = failedPercent ?? 50
    self.owner = owner
    self.retired = retired
    self.state = state
    self.scenarios = scenarios
    self.waivers = waivers
    self.contracts = contracts
    self.ranks = ranks
    self.file = file
    self.basePosition = basePosition
    self.source = source
  }

  /// The base URL's path without a trailing slash: empty, or `/api/v1`.
  package var basePath: String { baseURL?.path ?? "" }

  package func contract(named name: String) -> Contract? {
    index(ofContract: name).map { contracts[$0] }
  }

  func index(ofContract name: String) -> Int? {
    var range = contracts.indices
    while let middle = range.dropFirst(range.count / 2).first {
      let found = contracts[middle]
      if found.name == name { return middle }
      range = found.name < name ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}

/// The turn of a contract among those of which the first that matches responds. Of equal ranks, the
/// contract whose name comes first has the first turn.
package struct ContractRank: Hashable, Comparable, Sendable {
  /// Lower ones come first.
  package let priority: Int
  /// Higher ones come first among contracts of one priority.
  package let number: Int
  /// Lower ones come first among contracts of one number.
  package let place: Int

  package init(priority: Int, number: Int, place: Int = 0) {
    self.priority = priority
    self.number = number
    self.place = place
  }

  /// Before any other.
  package static let first = ContractRank(priority: .min, number: .max)

  package static func < (left: Self, right: Self) -> Bool {
    (left.priority, right.number, left.place) < (right.priority, left.number, right.place)
  }
}

/// A header of live requests whose value comes from the environment, such as `Bearer
/// {UNDERSTUDY_TOKEN}`.
package struct Secret: Hashable, Sendable {
  package let header: String
  /// With the variable's name in braces.
  package let template: String
  package let environmentName: String
  /// Whether requests can be sent without it.
  package let isOptional: Bool

  /// The header's value; `nil` when the variable is not set.
  package func value(from environment: (String) -> String?) -> String? {
    guard let text = environment(environmentName), !text.isEmpty else { return nil }
    return template.replacing("{\(environmentName)}", with: text)
  }
}

/// The rate limit for a live API.
package struct RateBudget: Hashable, Sendable {
  package let requestCountMax: Int?
  package let period: Duration?
  package let concurrencyMax: Int?
}

/// What several endpoints do from the same moment: scripts, modes, and the state they begin with.
package struct Scenario: Hashable, Sendable {
  package let name: String
  package let summary: String?
  /// The mode of the whole upstream; `nil` to leave it as it is.
  package let mode: Mode?
  /// By contract name.
  package let modes: [String: Mode]
  package let state: [StateValue]
  /// By contract name.
  package let scripts: [Script]
}

extension Upstream {
  /// Whether both files say the same, whatever their contracts are.
  package func isDeclaredAs(_ other: Upstream) -> Bool {
    name == other.name && summary == other.summary && baseURL == other.baseURL
      && hosts == other.hosts && callbackHosts == other.callbackHosts && headers == other.headers
      && secrets == other.secrets
      && rate == other.rate && failedPercent == other.failedPercent && owner == other.owner
      && retired == other.retired && state == other.state && scenarios == other.scenarios
  }

  /// This upstream with only these contracts, sorted by name.
  package func with(contracts: [Contract], scenarios: [Scenario]? = nil) -> Upstream {
    with(contracts, ranks: nil, scenarios: scenarios)
  }

  /// This upstream with only these contracts; of several that match a request, the first responds.
  package func with(ordered contracts: [Contract]) -> Upstream {
    let ranks = contracts.enumerated().map {
      ($0.element.name, ContractRank(priority: $0.offset, number: 0))
    }
    return with(
      contracts.sorted { $0.name < $1.name },
      ranks: Dictionary(ranks, uniquingKeysWith: { first, _ in first }))
  }

  /// A copy of the upstream with only these contracts, sorted by name; where each has a rank, the
  /// one with the lowest responds.
  package func with(
    _ contracts: [Contract], ranks: [String: ContractRank]?, scenarios: [Scenario]? = nil
  ) -> Upstream {
    Upstream(
      name: name, summary: summary, baseURL: baseURL, hosts: hosts,
      callbackHosts: callbackHosts, headers: headers, secrets: secrets, rate: rate,
      failedPercent: failedPercent, owner: owner, retired: retired,
      state: state, scenarios: scenarios ?? self.scenarios, waivers: waivers,
      contracts: contracts, ranks: ranks, file: file, basePosition: basePosition,
      source: source)
  }

  /// An upstream that no file declares.
  package convenience init(named name: String) {
    self.init(
      name: name, summary: nil, baseURL: nil, hosts: [], callbackHosts: CallbackHosts(),
      headers: [], secrets: [], rate: nil,
      failedPercent: nil, owner: nil, retired: nil, state: [], scenarios: [], waivers: [],
      contracts: [],
      file: "\(name)/upstream.json", basePosition: nil, source: .null)
  }
}
