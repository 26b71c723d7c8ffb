import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyJSON

/// The shell command that makes a running server serve a case.
struct CurlCommand {
  let text: String

  /// Why there is none.
  struct Missing: Error {
    let reason: String
  }

  init(
    for served: Case, of contract: Contract, of upstream: Upstream, in index: RequestIndex,
    at server: WebURL
  ) throws(Missing) {
    var example = try Self.example(for: served, of: contract)
    let path = "/\(PercentEncoding.encode(upstream.name))\(upstream.basePath)\(example.path)"
    if !example.body.isEmpty, example.headerValue("content-type") == nil,
      (try? JSONDocument(parsing: example.body)) != nil
    {
      example.headers.append(HeaderField(name: "Content-Type", value: "application/json"))
    }
    var complaint = "no request leads to it"
    // The case by itself, then without the headers that curl adds, then by name.
    for (prefers, isBare) in [(false, false), (false, true), (true, false), (true, true)]
    where prefers || !contract.mayChange {
      let preferences =
        prefers ? [HeaderField(name: "Prefer", value: "example=\(served.name)")] : []
      var sent = Request(
        example.method, example.query.map { "\(path)?\($0)" } ?? path,
        headers: example.headers + preferences, body: example.body)
      let given = sent.headers
      if !isBare {
        sent.headers += Self.added.filter { added in !given.contains { $0.key == added.key } }
      }
      switch Prediction(of: sent, in: index) {
      case .serves(let found, let other, _):
        if other === contract, found.name == served.name {
          let left = isBare ? Self.added.map(\.name) : []
          text = Self.text(of: sent, headers: given, without: left, at: server)
          return
        }
        complaint = "its request leads to \(other.id)#\(found.name)"
      case .unmatched(let explanation):
        complaint = Self.unknownBody(explanation, contract) ?? explanation.complaint
      case .refuses(_, let reason): complaint = reason
      }
    }
    throw Missing(reason: complaint)
  }

  /// The headers that curl sends by itself.
  private static let added = [
    HeaderField(name: "User-Agent", value: "curl"), HeaderField(name: "Accept", value: "*/*"),
  ]

  /// The request of a case. A path's parameter without an example gets some text.
  private static func example(
    for served: Case, of contract: Contract
  ) throws(Missing) -> Request {
    var values: [String: String] = [:]
    while true {
      do throws(MissingExample) {
        return try contract.exampleRequest(for: served, replacing: values)
      } catch {
        guard error.key.hasPrefix("path."), values[error.key] == nil else {
          throw Missing(reason: "\(error.key) has no \"example\" in \(contract.file)")
        }
        values[error.key] = "1"
      }
    }
  }

  /// The reason of a request whose body is all that is wrong with it.
  private static func unknownBody(_ explanation: Explanation, _ contract: Contract) -> String? {
    let differences = explanation.nearMisses.first { $0.contract.id == contract.id }?.differences
    guard let differences, differences.allSatisfy(\.concernsBody) else { return nil }
    let words = differences.map(\.description).joined(separator: "; ")
    return "the body of its request has no \"example\" in \(contract.file) (\(words))"
  }

  private static func text(
    of request: Request, headers: [HeaderField], without left: [String], at server: WebURL
  ) -> String {
    let url = "\(server)\(request.path)\(request.query.map { "?\($0)" } ?? "")"
    var words = ["curl"]
    switch request.method {
    case "HEAD": words.append("-I")
    case "GET" where request.body.isEmpty: words.append("-i")
    default: words += ["-i", "-X", request.method]
    }
    // curl gives brackets and braces a meaning, and removes dots.
    if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { words.append("-g") }
    if request.path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
      words.append("--path-as-is")
    }
    let lines =
      headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
      + left.filter { name in !headers.contains { $0.name == name } }.map { "\($0):" }
    for line in lines { words += ["-H", ShellText.quoted(line)] }
    var source = ""
    if !request.body.isEmpty {
      if ShellText.canQuote(request.body) {
        let body = String(decoding: request.body, as: UTF8.self)
        words += ["--data-raw", ShellText.quoted(body)]
      } else {
        words += ["--data-binary", "@-"]
        source = "\(ShellText.printing(request.body)) | "
      }
    }
    words.append(ShellText.quoted(url))
    return source + words.joined(separator: " ")
  }
}

extension Contract {
  /// Whether equal requests may serve different cases, by state, count or chance.
  fileprivate var mayChange: Bool {
    cases.contains { served in served.when.map { !$0.asksOnlyRequest } ?? false }
  }
}
