import UnderstudyContractModel
import UnderstudyHTTP
import UnderstudyJSON

/// Why the server itself has to answer, as `application/problem+json` (RFC 9457).
enum Problem {
  case noContract(Explanation)
  case noSuchCase(ChoiceError)
  case unplayable(Contract, CaseChoice)
  case refused(Refusal)
  case notRelayed(AccessGate.Refusal, authority: String)
  case tooManyClients(max: Int)

  var status: Int {
    switch self {
    case .noContract: 404
    case .noSuchCase: 400
    case .unplayable: 500
    case .refused(let refusal): refusal.status
    case .notRelayed(.token, _): 401
    case .notRelayed: 403
    case .tooManyClients: 503
    }
  }

  private var title: String {
    switch self {
    case .noContract: "No contract answers this request"
    case .noSuchCase: "The request asks for a case that is not there"
    case .unplayable: "The case cannot be played"
    case .refused: "The request is malformed"
    case .notRelayed: "The live API is not asked"
    case .tooManyClients: "Too many clients are connected"
    }
  }

  var detail: String {
    switch self {
    case .noContract(let explanation): explanation.complaint
    case .noSuchCase(let error): error.message
    case .unplayable(let contract, let choice):
      "\(contract.id)#\(contract.cases[choice.index].name) has mistakes: see understudy lint"
    case .refused(let refusal): refusal.message
    case .notRelayed(.host(let host), let authority):
      "found Host \"\(host)\", expected \(authority), a name of this machine, or the host of an upstream"
    case .notRelayed(.origin(let origin), let authority):
      "found Origin \"\(origin)\", expected none, http://\(authority), or one allowed at the start"
    case .notRelayed(.token, _):
      "found no valid token in the header Understudy-Token, which is needed where others can reach"
        + " the server"
    case .tooManyClients(let max): "the most allowed are connected, \(max)"
    }
  }

  /// What to do about it, as an instruction.
  private var fix: String? {
    switch self {
    case .notRelayed(.host, _): "use the address the server printed when it started"
    case .notRelayed(.origin, _):
      "if pages from there may use the live API, start the server with --allow-origin and their origin"
    case .notRelayed(.token, _):
      "send Understudy-Token with the token the server was started with; it is not passed on"
    default: nil
    }
  }

  func append(to output: inout [UInt8], for context: PlayContext) {
    var writer = JSONWriter(style: .compact)
    writer.object { object in
      object.key("title")
      object.string(title)
      object.key("status")
      object.int(status)
      object.key("detail")
      object.string(detail)
      if let fix { object.member("fix", fix) }
      members(&object)
    }
    // RFC 9110, section 15.5.2, wants a challenge.
    let headers =
      status == 401 ? [HeaderField(name: "WWW-Authenticate", value: "Understudy-Token")] : []
    OwnAnswer(
      status: status, contentType: "application/problem+json", headers: headers, json: writer
    ).append(to: &output, for: context)
  }

  private func members(_ object: inout JSONWriter) {
    switch self {
    case .noContract(let explanation):
      object.key("nearest")
      object.array { array in
        for miss in explanation.nearMisses { array.object { miss.write(to: &$0) } }
      }
    case .noSuchCase(let error):
      object.key("cases")
      object.array { array in
        for probe in error.contract.cases { array.string(probe.name) }
      }
    case .unplayable, .refused, .notRelayed, .tooManyClients: break
    }
  }
}
