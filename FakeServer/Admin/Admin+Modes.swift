import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

// Where responses come from: contracts, the live API, or nowhere.
extension Admin {
  /// Sets or clears the mode of the server, an upstream or a contract.
  func changeMode(
    _ operation: AdminOperation, _ values: [String], _ request: Request, _ gate: AccessGate,
    _ then: @escaping Then
  ) throws(Problem) {
    let origin = origin(of: request, gate)
    switch operation {
    case .setUpstreamMode, .clearUpstreamMode:
      let upstream = try upstream(values)
      let mode = operation == .setUpstreamMode ? try mode(in: request, for: [upstream]) : nil
      set(mode, for: .upstream(upstream.name), then) {
        .members { writeMembers(of: upstream, at: origin, to: &$0) }
      }
    case .setContractMode, .clearContractMode:
      let contract = try contract(values)
      let upstream = try upstream(values)
      let mode = operation == .setContractMode ? try mode(in: request, for: [upstream]) : nil
      set(mode, for: .contract(contract.name, of: contract.upstreamName), then) {
        describe(contract)
      }
    default:
      let mode = operation == .setMode ? try mode(in: request, for: layer.upstreams) : nil
      set(mode, for: .server, then) {
        .members { $0.member("mode", modeInForce(of: .server).rawValue) }
      }
    }
  }

  func modeInForce(of place: ModePlace) -> Mode { core.mode(of: place, for: session) }

  func writeMembers(of upstream: Upstream, at origin: Origin, to object: inout JSONWriter) {
    object.member("name", upstream.name)
    object.member("summary", upstream.summary)
    let baseURL = core.baseURL(of: upstream, at: origin, session: session.name)
    object.member("baseURL", baseURL)
    object.member("exampleURL", upstream.exampleGet.map { $0.url(below: baseURL) })
    object.member("hosts", upstream.ownPlaces.map(\.shown))
    object.member("basePath", upstream.basePath)
    object.member("mode", modeInForce(of: .upstream(upstream.name)).rawValue)
  }

  private func set(
    _ mode: Mode?, for place: ModePlace, _ then: @escaping Then,
    _ response: @escaping @Sendable () -> OwnResponse
  ) {
    session.set(mode, for: place)
    followModes(then, response)
  }

  /// Responds once all ports are as the modes say.
  func followModes(_ then: @escaping Then, _ response: @escaping @Sendable () -> OwnResponse) {
    core.modesChanged(of: session) { unopened in
      then(unopened.isEmpty ? response() : Problem.closedPorts(of: unopened).response)
    }
  }

  /// The mode in the body of a request; one of the upstreams must be able to have it.
  private func mode(in request: Request, for upstreams: [Upstream]) throws(Problem) -> Mode {
    let body = try AdminBody(request)
    try body.expectKeys(["mode"])
    let name = try body.string("mode")
    guard let mode = Mode(rawValue: name) else {
      throw .badRequest(
        "found mode \"\(name)\", expected \(Mode.list)",
        fix: Spelling.suggestion(for: name, among: Mode.allCases.map(\.rawValue)),
        at: body["mode"]?.position)
    }
    if mode == .live {
      guard core.configuration.live != nil else { throw .noWayToLive }
      guard upstreams.contains(where: { $0.baseURL != nil }) else {
        throw .noLiveAPI(of: upstreams.map(\.name), status: 409)
      }
    }
    return mode
  }
}

extension Problem {
  /// - Parameter status: 409 for a wish that cannot be met, 502 for a request that cannot be passed on.
  static func noLiveAPI(of names: [String], status: Int) -> Self {
    let upstream = names.count == 1 ? "\(names[0]) has" : "the upstreams have"
    return Self(
      status: status, title: "The live API is unknown",
      detail: "mode \"live\" needs a live API: \(upstream) no \"baseURL\" in upstream.json",
      fix: "add \"baseURL\", or choose \"fake\" or \"off\"")
  }

  static let noWayToLive = Self(
    status: 501, title: "The server cannot reach live APIs",
    detail: "only understudy serve and understudy run can serve mode \"live\"",
    fix: "choose \"fake\" or \"off\"")

  static func closedPorts(of names: [String]) -> Self {
    Self(
      status: 500, title: "A port could not be opened again",
      detail:
        "while its upstream was off, another program took the port of \(names.joined(separator: ", "))",
      fix: "use the shared port, or restart the server")
  }
}
