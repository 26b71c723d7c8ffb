import UnderstudyFindings

/// What every report says, in one order: what broke comes before what could not be checked, that
/// before what changed, and what passed or did not run comes last.
///
/// The folder has what several formats share, so that they agree on order and words: this outline,
/// its `Headline`, the phrases of `Wording`, and what a `ReportContext` adds to a run. `Escaping`
/// and `XMLWriter` write texts from outside so that no format takes them for markup.
struct Outline {
  enum Part: Hashable {
    case brokenConsumers
    /// The findings on the run as a whole.
    case run
    case cases(DriftState)
  }

  /// An endpoint with some or all of its cases.
  struct Endpoint {
    /// `dog-ceo/random-images`
    let id: String
    let upstream: String
    fileprivate(set) var cases: [ServedCase] = []
  }

  /// A case with its consumers.
  struct ServedCase {
    let id: String
    let name: String
    let checks: [Check]
    let history: CaseHistory
    let state: DriftState
    /// The last run on which it drifted, if it could not be checked this time.
    let unendedDrift: CaseHistory.Run?
    /// The part of a report that it belongs to: a drift that could not be checked has not ended.
    let standing: DriftState

    fileprivate init(_ identity: Check.Identity, _ checks: [Check], _ history: CaseHistory) {
      (id, name) = (identity.caseID, identity.caseName)
      (self.checks, self.history) = (checks, history)
      state = DriftState(of: checks)
      unendedDrift = state == .unreachable ? history.unendedDrift : nil
      standing = unendedDrift == nil ? state : .drifting
    }
  }

  let report: Report
  /// In order of their first checks.
  let endpoints: [Endpoint]

  var cases: [ServedCase] { endpoints.flatMap(\.cases) }

  init(_ report: Report, _ history: History) {
    self.report = report
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
    var endpoints: [Endpoint] = []
    var endpointPlaces: [String: Int] = [:]
    for checks in groups {
      guard let identity = checks.first?.identity else { continue }
      let place = endpointPlaces[identity.contract] ?? endpoints.count
      if place == endpoints.count {
        endpointPlaces[identity.contract] = place
        endpoints.append(Endpoint(id: identity.contract, upstream: identity.upstream))
      }
      endpoints[place].cases.append(ServedCase(identity, checks, history[identity.caseID]))
    }
    self.endpoints = endpoints
  }

  /// All parts, of which some may have nothing to say.
  var parts: [Part] {
    let fails = report.findings.contains { $0.severity <= report.run.failsOn }
    let cases = DriftState.byUrgency.map(Part.cases)
    return [.brokenConsumers, cases[0]] + (fails ? [.run] : []) + cases[1...2]
      + (fails ? [] : [.run]) + cases[3...]
  }

  /// The endpoints with cases that belong to this part, and with those cases alone.
  func endpoints(_ standing: DriftState) -> [Endpoint] {
    endpoints.compactMap { endpoint in
      var part = endpoint
      part.cases = endpoint.cases.filter { $0.standing == standing }
      return part.cases.isEmpty ? nil : part
    }
  }

  func count(_ standing: DriftState) -> Int { cases.count { $0.standing == standing } }

  /// The single checks that belong to this part.
  func checks(_ standing: DriftState) -> [Check] {
    let unended = Set(cases.filter { $0.unendedDrift != nil }.map(\.id))
    return report.checks.filter { check in
      let state = DriftState(check.result, check.findings)
      let isUnended = state == .unreachable && unended.contains(check.identity.caseID)
      return (isUnended ? .drifting : state) == standing
    }
  }
}

extension DriftState {
  /// The order in which readers look for states.
  static let byUrgency: [DriftState] = [.drifting, .unreachable, .changed, .passing, .notRun]
}
