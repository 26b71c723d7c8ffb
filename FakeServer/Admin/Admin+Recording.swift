import UnderstudyContractModel
import UnderstudyJSON

extension Admin {
  /// Sends a request of the request log to the live API, where the server records what comes back.
  func record(_ values: [String], _ then: @escaping Then) throws(Problem) -> Errand {
    guard let relay = core.configuration.relay else { throw .noRecording }
    let id = values.first ?? ""
    let problem = Problem.missing("request", id, among: [])
    guard let number = UInt64(id) else { throw problem }
    return Errand { [self] in
      let query = JournalQuery {
        $0.session = scope
        $0.sequence = number
      }
      guard let found = await core.journal(query).first else { return then(problem.response) }
      let layer = core.layer(of: core.session(named: found.session))
      let route = layer.route(found.request) { relay.baseURL(of: $0) != nil }
      guard let relayed = relay.request(found.request, route) else {
        return then(Problem.unknownLiveAPI(of: found.request.path).response)
      }
      guard found.body.count == found.bodyByteCount else {
        return then(Problem.cutBody.response)
      }
      var errand: Errand?
      let response = await withCheckedContinuation { continuation in
        errand = relay.ask(relayed.without(token: core.configuration.adminToken)) {
          continuation.resume(returning: $0)
        }
      }
      withExtendedLifetime(errand) {
        then(
          .members { object in
            object.member("upstream", relayed.upstreamName)
            object.member("status", response.status)
          })
      }
    }
  }
}

extension Problem {
  fileprivate static let noRecording = Self(
    status: 403, title: "The server does not record",
    detail: "only a server that was started with --record asks the live API and writes contracts",
    fix: "understudy serve --record")

  fileprivate static func unknownLiveAPI(of path: String) -> Self {
    Self(
      status: 409, title: "The live API is unknown",
      detail: "no upstream for \(path) that the server records",
      fix: "send it below a base URL that the server printed, or add --upstream NAME=URL")
  }

  fileprivate static let cutBody = Self(
    status: 409, title: "The request log has only the beginning of the body",
    detail: "the request cannot be sent again", fix: "let the client send it again")
}
