import ContractModel
import HTTP
import JSON

/// Why the server itself has to answer, as `application/problem+json` (RFC 9457).
enum Problem {
  case noContract(Explanation)
  case noSuchCase(ChoiceError)
  case unplayable(Contract, CaseChoice)
  case refused(Refusal)
  case tooManyClients(max: Int)

  var status: Int {
    switch self {
    case .noContract: 404
    case .noSuchCase: 400
    case .unplayable: 500
    case .refused(let refusal): refusal.status
    case .tooManyClients: 503
    }
  }

  private var title: String {
    switch self {
    case .noContract: "No contract answers this request"
    case .noSuchCase: "The request asks for a case that is not there"
    case .unplayable: "The case cannot be played"
    case .refused: "The request is malformed"
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
    case .tooManyClients(let max): "the most allowed are connected, \(max)"
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
      members(&object)
    }
    OwnAnswer(status: status, contentType: "application/problem+json", json: writer)
      .append(to: &output, for: context)
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
    case .unplayable, .refused, .tooManyClients: break
    }
  }
}
