import UnderstudyClient
import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

extension CaptureFile {
  /// Reads what `json` writes. `file` is named in errors.
  package init(parsing bytes: [UInt8], file: String) throws(Failure) {
    let root = try JSONDocument(parsing: bytes, file: file, fix: "name another run").root
    guard root["schemaVersion"]?.int == Self.schemaVersion, let caseID = root["case"]?.string,
      let at = root["at"]?.int, let exchanges = root["exchanges"], exchanges.kind == .array
    else {
      throw Failure(
        message: "\(file) is not a valid capture of this version",
        fix: "name a folder below .understudy/drift/captures")
    }
    self.caseID = caseID
    self.at = Moment(unixSeconds: at)
    var baseURLs: [String: WebURL] = [:]
    for member in root["baseURLs"].map({ Array($0.members) }) ?? [] {
      baseURLs[member.key] = member.value.string.flatMap(WebURL.init(base:))
    }
    self.baseURLs = baseURLs
    var kept: [KeptExchange] = []
    for element in exchanges.elements {
      guard let exchange = KeptExchange(element) else {
        throw Failure(
          message: "\(file):\(element.position): found an exchange that cannot be read",
          fix: "name another run")
      }
      kept.append(exchange)
    }
    self.exchanges = kept
  }
}

extension KeptExchange {
  fileprivate init?(_ value: JSONValue) {
    guard let round = value["round"]?.int, let upstream = value["upstream"]?.string,
      let method = value["method"]?.string, let target = value["target"]?.string
    else { return nil }
    consumer = value["consumer"]?.string
    self.round = round
    self.upstream = upstream
    self.method = method
    self.target = target
    cutFromByteCount = value["cutFromBytes"]?.int
    selectors = value["selectors"]?.string
    if let failure = value["failure"] {
      guard let error = TransportError(failure) else { return nil }
      outcome = .failure(error)
    } else if let reason = value["withheld"]?.string {
      outcome = .withheld(Inconclusive(reason))
    } else {
      guard let response = LiveResponse(value) else { return nil }
      outcome = .response(response)
    }
  }
}

extension LiveResponse {
  fileprivate init?(_ value: JSONValue) {
    guard let status = value["status"]?.int, let latency = value["latencyNanoseconds"]?.int,
      let body = value["body"]?.string.map({ Array($0.utf8) })
        ?? value["base64"]?.string.flatMap(Base64.decode)
    else { return nil }
    guard let headers = value["headers"].map([HeaderField].init) ?? [] else { return nil }
    self.init(
      status: status, headers: headers, body: body, latency: .nanoseconds(latency),
      wholeAt: (value["wholeAt"]?.int).map(Moment.init(unixSeconds:)))
  }
}

extension [HeaderField] {
  fileprivate init?(_ value: JSONValue) {
    self = []
    for pair in value.elements {
      let words = pair.elements.compactMap(\.string)
      guard words.count == 2 else { return nil }
      append(HeaderField(name: words[0], value: words[1]))
    }
  }
}

extension TransportError {
  fileprivate init?(_ value: JSONValue) {
    guard let name = value["kind"]?.string,
      let kind = Kind(name: name, detail: value["detail"]?.string)
    else { return nil }
    self.init(kind, value["message"]?.string ?? "", curlCode: value["curlCode"]?.int)
  }
}

extension TransportError.Kind {
  fileprivate init?(name: String, detail: String?) {
    let plain: [Self] = [
      .cannotResolve, .cannotConnect, .reset, .emptyReply, .truncated, .badEncoding, .tooLarge,
      .malformedResponse, .cancelled, .tooManyRedirects, .invalidRequest, .cannotStore, .failed,
    ]
    if let kind = plain.first(where: { $0.name == name }) {
      self = kind
    } else if name == "timedOut", let phase = detail.flatMap(TransportError.Phase.init) {
      self = .timedOut(phase)
    } else if name == "tls", let failure = detail.flatMap(TransportError.TLSFailure.init) {
      self = .tls(failure)
    } else {
      return nil
    }
  }
}
