import UnderstudyContractModel

/// The case to serve, and what chose it.
struct CaseChoice: Sendable {
  let index: Int
  let reason: JournalRecord.Reason
  /// The values that the response has of the upstream's state, as the request found it.
  var state = UpstreamState()
  /// What was drawn for the state that the case sets.
  var drawn = ByteTemplate.ResponseValues()
}

/// Why no case can be served.
enum ChoiceError: Error {
  /// The request prefers a case that does not exist.
  case noSuchCase(String, Contract)
  /// The request prefers this case, which breaks the TLS handshake.
  case inHandshake(String)
  case stateFull(SessionMemory.Full)
}

/// The case a request asks for in its `Prefer` header (RFC 7240): `code=404` or
/// `example=not-found`. An example takes precedence over a code.
enum Preference: Hashable, Sendable {
  /// As sent, not necessarily a number.
  case code(String)
  case example(String)

  /// Reads the values of all `Prefer` headers and ignores other preferences, as the RFC requires.
  /// `nil` when there is no preference for a case.
  init?(_ values: some Sequence<String>) {
    var (code, example): (String?, String?) = (nil, nil)
    for value in values {
      for preference in value.split(separator: ",") {
        let pair = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
        guard pair.count == 2 else { continue }
        var text = pair[1].drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
          text = text.dropFirst().dropLast()
        }
        switch pair[0].lowercased().filter({ $0 != " " }) {
        case "code" where code == nil: code = String(text)
        case "example" where example == nil: example = String(text)
        default: continue
        }
      }
    }
    guard let preference = example.map(Self.example) ?? code.map(Self.code) else { return nil }
    self = preference
  }
}

extension Preference {
  /// The case that a request with this preference gets, whatever else it asks for.
  func choice(in contract: Contract) throws(ChoiceError) -> CaseChoice {
    let index: Int?
    let wish: String
    switch self {
    case .example(let name): (index, wish) = (contract.caseIndex(named: name), "\"\(name)\"")
    case .code(let text):
      guard let code = Int(text) else {
        throw .noSuchCase(
          "found code=\(text) in Prefer, expected a status such as code=404", contract)
      }
      (index, wish) = (contract.cases.firstIndex { $0.status == code }, "with status \(code)")
    }
    guard let index else {
      throw .noSuchCase("no case \(wish) in \(contract.id)", contract)
    }
    let preferred = contract.cases[index]
    guard !preferred.breaksHandshake else { throw .inHandshake(preferred.name) }
    return CaseChoice(index: index, reason: .preference)
  }
}

extension ChoiceError {
  var message: String {
    switch self {
    case .noSuchCase(let message, _): message
    case .inHandshake(let name):
      "the case \"\(name)\" breaks the TLS handshake, which comes before the request: choose it"
        + " with \"understudy use\", for an upstream that has a port of its own"
    case .stateFull(let full): "the state of this session would have more than \(full.limit)"
    }
  }
}
