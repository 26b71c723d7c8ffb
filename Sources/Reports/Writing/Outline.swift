import UnderstudyFindings

/// The checks of a report by upstream, endpoint and case, each in order of first occurrence.
///
/// The folder has what several formats share, so that they agree on order and words: this outline,
/// the phrases of `Wording`, and what a `ReportContext` adds to a run. `Escaping` and `XMLWriter`
/// write texts from outside so that no format takes them for markup.
struct Outline {
  struct Upstream {
    let name: String
    fileprivate(set) var endpoints: [Endpoint] = []

    var cases: [ServedCase] { endpoints.flatMap(\.cases) }
    var urgency: Int { endpoints.map(\.urgency).min() ?? .max }
  }

  struct Endpoint {
    /// `dog-ceo/random-images`
    let id: String
    fileprivate(set) var cases: [ServedCase] = []

    var urgency: Int {
      cases.map { ($0.unendedDrift == nil ? $0.state : .drifting).urgency }.min() ?? .max
    }
  }

  /// A case with its consumers.
  struct ServedCase {
    let id: String
    let name: String
    fileprivate(set) var checks: [Check] = []
    let history: CaseHistory

    var state: DriftState { DriftState(of: checks) }

    /// The last run on which it drifted, if it could not be checked this time.
    var unendedDrift: CaseHistory.Run? { state == .unreachable ? history.unendedDrift : nil }
  }

  let upstreams: [Upstream]

  var cases: [ServedCase] { upstreams.flatMap(\.cases) }

  init(_ report: Report, _ history: History) {
    var places: [String: Int] = [:]
    var groups: [[Check]] = []
    for check in report.checks {
      if let place = places[check.identity.caseID] {
        groups[place].append(check)
      } else {
        places[check.identity.caseID] = groups.count
        groups.append([check])
      }
    }
    var upstreams: [Upstream] = []
    var upstreamPlaces: [String: Int] = [:]
    var endpointPlaces: [String: Int] = [:]
    for checks in groups {
      guard let identity = checks.first?.identity else { continue }
      let served = ServedCase(
        id: identity.caseID, name: identity.caseName, checks: checks,
        history: history[identity.caseID])
      let upstream = upstreamPlaces[identity.upstream] ?? upstreams.count
      if upstream == upstreams.count {
        upstreamPlaces[identity.upstream] = upstream
        upstreams.append(Upstream(name: identity.upstream))
      }
      let endpoint = endpointPlaces[identity.contract] ?? upstreams[upstream].endpoints.count
      if endpoint == upstreams[upstream].endpoints.count {
        endpointPlaces[identity.contract] = endpoint
        upstreams[upstream].endpoints.append(Endpoint(id: identity.contract))
      }
      upstreams[upstream].endpoints[endpoint].cases.append(served)
    }
    self.upstreams = upstreams
  }
}

extension DriftState {
  /// The order in which readers look for states.
  static let byUrgency: [DriftState] = [.drifting, .unreachable, .changed, .passing, .notRun]

  var urgency: Int { Self.byUrgency.firstIndex(of: self) ?? 0 }
}
