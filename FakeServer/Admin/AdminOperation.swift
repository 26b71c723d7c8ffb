import UnderstudyContractModel

/// All operations of the admin API, named as in its description.
enum AdminOperation: String, CaseIterable, Sendable {
  case getHealth, getVersion, getDescription
  case getContractSchema
  case listContracts, getContract, putContract, deleteContract, checkContract, saveContract,
    getSource
  case chooseCase, clearCase, startScript, startScenario
  case holdContract, endHold, listHeld, releaseHeld, dropHeld
  case setMode, clearMode, setUpstreamMode, clearUpstreamMode, setContractMode, clearContractMode
  case getRecording, startRecording, stopRecording, takeSnapshot
  case getState, setState, clearState
  case listSessions, deleteSession
  case listJournal, archiveJournal, countJournal, countServed, listUnmatched, clearJournal
  case recordRequest
  case listenToEvents
  case reset, shutdown

  /// The method, and the path after `/__understudy`.
  var route: (method: String, path: String) {
    switch self {
    case .getHealth: ("GET", "/health")
    case .getVersion: ("GET", "/version")
    case .getDescription: ("GET", "/openapi.json")
    case .getContractSchema: ("GET", "/contract.schema.json")
    case .listContracts: ("GET", "/contracts")
    case .getContract: ("GET", "/contracts/{upstream}/{contract}")
    case .putContract: ("PUT", "/contracts/{upstream}/{contract}")
    case .deleteContract: ("DELETE", "/contracts/{upstream}/{contract}")
    case .checkContract: ("POST", "/contracts/{upstream}/{contract}/check")
    case .saveContract: ("POST", "/contracts/{upstream}/{contract}/save")
    case .getSource: ("GET", "/contracts/{upstream}/{contract}/source")
    case .chooseCase: ("PUT", "/contracts/{upstream}/{contract}/case")
    case .clearCase: ("DELETE", "/contracts/{upstream}/{contract}/case")
    case .startScript: ("POST", "/contracts/{upstream}/{contract}/script")
    case .holdContract: ("PUT", "/contracts/{upstream}/{contract}/hold")
    case .endHold: ("DELETE", "/contracts/{upstream}/{contract}/hold")
    case .listHeld: ("GET", "/held")
    case .releaseHeld: ("POST", "/held/{id}/release")
    case .dropHeld: ("DELETE", "/held/{id}")
    case .startScenario: ("POST", "/scenarios/{upstream}/{scenario}")
    case .setMode: ("PUT", "/mode")
    case .clearMode: ("DELETE", "/mode")
    case .setUpstreamMode: ("PUT", "/upstreams/{upstream}/mode")
    case .clearUpstreamMode: ("DELETE", "/upstreams/{upstream}/mode")
    case .setContractMode: ("PUT", "/contracts/{upstream}/{contract}/mode")
    case .clearContractMode: ("DELETE", "/contracts/{upstream}/{contract}/mode")
    case .getRecording: ("GET", "/recording")
    case .startRecording: ("POST", "/recording/start")
    case .stopRecording: ("POST", "/recording/stop")
    case .takeSnapshot: ("POST", "/recording/snapshot")
    case .getState: ("GET", "/state")
    case .setState: ("PUT", "/state")
    case .clearState: ("DELETE", "/state")
    case .listSessions: ("GET", "/sessions")
    case .deleteSession: ("DELETE", "/sessions/{session}")
    case .listJournal: ("GET", "/journal")
    case .archiveJournal: ("GET", "/journal.har")
    case .countJournal: ("POST", "/journal/count")
    case .countServed: ("GET", "/journal/served")
    case .listUnmatched: ("GET", "/journal/unmatched")
    case .recordRequest: ("POST", "/journal/{sequence}/record")
    case .clearJournal: ("DELETE", "/journal")
    case .listenToEvents: ("GET", "/events")
    case .reset: ("POST", "/reset")
    case .shutdown: ("POST", "/shutdown")
    }
  }

  /// The operation of a request, and the values of its path parameters.
  static func find(
    _ method: String, _ path: String, below prefix: String
  ) throws(Problem) -> (operation: AdminOperation, values: [String]) {
    // The prefix alone returns the description.
    let isDoor = path.count <= prefix.count + 1
    let rest = isDoor ? "/openapi.json" : path.dropFirst(prefix.count)
    let matching = allCases.compactMap { operation in
      RoutePattern.values(of: operation.route.path, in: rest).map {
        (operation: operation, values: $0)
      }
    }
    guard !matching.isEmpty else {
      var known: [String] = []
      for path in allCases.map({ prefix + $0.route.path }) where !known.contains(path) {
        known.append(path)
      }
      throw .missing("admin resource", path, among: known)
    }
    let wanted = method == "HEAD" ? "GET" : method
    guard let found = matching.first(where: { $0.operation.route.method == wanted }) else {
      throw .wrongMethod(method, path: path, allowed: matching.map(\.operation.route.method))
    }
    return found
  }
}
