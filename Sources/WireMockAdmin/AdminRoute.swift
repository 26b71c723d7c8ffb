import UnderstudyFakeServer

/// The resources of WireMock's admin API.
enum AdminRoute: CaseIterable {
  case listStubs, listAll, addStub, deleteStubs, resetStubs, saveStubs, importStubs
  case oldAdd, oldEdit, oldRemove, findStubs, removeStubs, unmatchedStubs, deleteUnmatched
  case getStub, putStub, deleteStub
  case listRequests, deleteRequests, resetRequests, count, find, remove, removeOfStubs, unmatched
  case nearOfUnmatched, getRequest, deleteRequest, nearOfRequest, nearOfPattern
  case scenarios, resetScenarios, setScenario
  case getSettings, postSettings, putSettings, patchSettings
  case reset, health, version, shutdown
  case startRecording, stopRecording, recordingStatus, snapshot
  case listFiles, getFile, putFile, deleteFile

  /// The method, and the path after `/__admin`. If two match a path, the first counts.
  private var route: (method: String, path: String) {
    switch self {
    case .listStubs: ("GET", "/mappings")
    case .listAll: ("GET", "/")
    case .addStub: ("POST", "/mappings")
    case .deleteStubs: ("DELETE", "/mappings")
    case .resetStubs: ("POST", "/mappings/reset")
    case .saveStubs: ("POST", "/mappings/save")
    case .importStubs: ("POST", "/mappings/import")
    case .oldAdd: ("POST", "/mappings/new")
    case .oldEdit: ("POST", "/mappings/edit")
    case .oldRemove: ("POST", "/mappings/remove")
    case .findStubs: ("POST", "/mappings/find-by-metadata")
    case .removeStubs: ("POST", "/mappings/remove-by-metadata")
    case .unmatchedStubs: ("GET", "/mappings/unmatched")
    case .deleteUnmatched: ("DELETE", "/mappings/unmatched")
    case .getStub: ("GET", "/mappings/{id}")
    case .putStub: ("PUT", "/mappings/{id}")
    case .deleteStub: ("DELETE", "/mappings/{id}")
    case .listRequests: ("GET", "/requests")
    case .deleteRequests: ("DELETE", "/requests")
    case .resetRequests: ("POST", "/requests/reset")
    case .count: ("POST", "/requests/count")
    case .find: ("POST", "/requests/find")
    case .remove: ("POST", "/requests/remove")
    case .removeOfStubs: ("POST", "/requests/remove-by-metadata")
    case .unmatched: ("GET", "/requests/unmatched")
    case .nearOfUnmatched: ("GET", "/requests/unmatched/near-misses")
    case .getRequest: ("GET", "/requests/{id}")
    case .deleteRequest: ("DELETE", "/requests/{id}")
    case .nearOfRequest: ("POST", "/near-misses/request")
    case .nearOfPattern: ("POST", "/near-misses/request-pattern")
    case .scenarios: ("GET", "/scenarios")
    case .resetScenarios: ("POST", "/scenarios/reset")
    case .setScenario: ("PUT", "/scenarios/{name}/state")
    case .getSettings: ("GET", "/settings")
    case .postSettings: ("POST", "/settings")
    case .putSettings: ("PUT", "/settings")
    case .patchSettings: ("PATCH", "/settings/extended")
    case .reset: ("POST", "/reset")
    case .health: ("GET", "/health")
    case .version: ("GET", "/version")
    case .shutdown: ("POST", "/shutdown")
    case .startRecording: ("POST", "/recordings/start")
    case .stopRecording: ("POST", "/recordings/stop")
    case .recordingStatus: ("GET", "/recordings/status")
    case .snapshot: ("POST", "/recordings/snapshot")
    case .listFiles: ("GET", "/files")
    case .getFile: ("GET", "/files/{name...}")
    case .putFile: ("PUT", "/files/{name...}")
    case .deleteFile: ("DELETE", "/files/{name...}")
    }
  }

  /// Whether it has to ask for requests.
  var readsJournal: Bool {
    switch self {
    case .listRequests, .deleteRequests, .resetRequests, .count, .find, .remove, .removeOfStubs,
      .unmatched, .nearOfUnmatched, .getRequest, .deleteRequest, .nearOfPattern, .reset,
      .unmatchedStubs, .deleteUnmatched, .stopRecording, .snapshot:
      true
    default: false
    }
  }

  /// The route of a request, and the values of its parameters.
  static func find(_ method: String, _ path: Substring) -> (AdminRoute, [String])? {
    for candidate in allCases where candidate.route.method == method {
      if let values = RoutePattern.values(of: candidate.route.path, in: path) {
        return (candidate, values)
      }
    }
    return nil
  }
}
