import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// `understudy explain` reports how a server would respond to a request, without starting one.
enum ExplainCommand {
  private static let request = Parameter.argument(
    "REQUEST", RequestLine.format, "The request to a fake: 'GET /dog-ceo/api/breeds/list/all'.")
  private static let headers = Parameter.options(
    "header", short: "H", "HEADER", .headerLine, "A header line: 'Prefer: code=404'.")
  private static let data = Parameter.option(
    "data", short: "d", "BODY", .word, "The body of the request.")

  static let command = Command(
    name: "understudy explain",
    summary: "Shows which contract and case would serve a request, or why none does",
    discussion: """
      Shows what a newly started server would serve; scripts, chosen cases and state of a running \
      server are not known. The method defaults to GET. A full URL selects its upstream by host.
      """,
    parameters: [
      request.declaration, Selection.wholeContracts.declaration, Selection.folder.declaration,
      headers.declaration, data.declaration, OutputFormat.option.declaration,
    ],
    jsonOutput: """
      An object with contract, file, case, status, reason, message and nearest, an array of \
      objects with contract, request and differences.
      """,
    examples: [
      "understudy explain 'GET /dog-ceo/api/breed/hound/images/random'":
        "Show which contract below ./Contracts responds to this.",
      "understudy explain https://dog.ceo/api/breed/hound/images/random":
        "The same for a request to the live API's address.",
    ],
    exitCodes: [
      .pass: "A contract responds.",
      .findings: "No contract matches, or none as the request prefers.",
      .couldNotRun:
        "Could not run: wrong usage, a path without contracts, or contracts with errors.",
    ],
    run: { arguments, terminal throws(Failure) in
      let format = try arguments.value(of: OutputFormat.option)
      let line = try arguments.value(of: request)
      let fields = try arguments.value(of: headers)
      let body = try arguments.value(of: data) ?? ""
      let library = try Selection(arguments, by: Selection.wholeContracts)
        .loadSound(for: .reading, &terminal)
      let prediction = Prediction(
        of: line.request(headers: fields, body: Array(body.utf8)),
        in: library.index)
      switch format {
      case .text: writeText(prediction, to: &terminal.output)
      case .json: writeJSON(prediction, to: &terminal.output)
      }
      if case .serves = prediction { return .pass }
      return .findings
    })

  private static func writeText(_ prediction: Prediction, to stream: inout TextStream) {
    switch prediction {
    case .serves(let served, let contract, let reason):
      stream.write("\(contract.id)#\(served.name)", .bold)
      stream.write(", \(reason)\n")
      let rows =
        [
          ["file", contract.file],
          ["request", "\(contract.request.method) \(contract.request.path)"],
          ["status", served.status.map(String.init) ?? "-"], ["kind", served.kind.rawValue],
        ] + served.callbacks.map { ["callback", "\($0.name): \($0.method) \($0.url)"] }
      for line in TextLayout.aligned(rows, indent: 2) { stream.write("\(line)\n") }
    case .unmatched(let explanation):
      UnmatchedReport(SecretMask.standard.masked(explanation)).write(to: &stream)
    case .refuses(let contract, let message):
      stream.write("\(SecretMask.standard.masked(message))\n  the cases are ")
      stream.write("\(contract.cases.map(\.name).joined(separator: ", "))\n")
    }
  }

  private static func writeJSON(_ prediction: Prediction, to stream: inout TextStream) {
    var contract: Contract?
    var (served, reason, message): (Case?, String?, String?) = (nil, nil, nil)
    var nearMisses: [NearMiss]?
    switch prediction {
    case .serves(let one, let owner, let words): (contract, served, reason) = (owner, one, words)
    case .refuses(let owner, let words):
      (contract, message) = (owner, SecretMask.standard.masked(words))
    case .unmatched(let explanation):
      let shown = SecretMask.standard.masked(explanation)
      (message, nearMisses) = (shown.complaint, shown.nearMisses)
    }
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.member("contract", contract?.id)
      writer.member("file", contract?.file)
      writer.member("case", served?.name)
      writer.member("status", served?.status)
      writer.member("reason", reason)
      writer.member("message", message)
      UnmatchedReport.write(nearMisses, to: &writer)
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }
}

/// `POST /x?y=1`, or only the target of a GET.
private struct RequestLine: Sendable {
  static let format = ValueFormat(
    .other("a method and a path, such as 'GET /joke/random_joke'"),
    fix: RequestLine.fix,
    parse: RequestLine.init)

  private let method: String
  private let target: String
  private let host: String?

  @Sendable private static func fix(for word: String) -> String? {
    if word.contains("://") {
      return "write a full address: http or https, a host, an optional port, and a path"
    }
    if RequestPattern.methods.contains(word) {
      return "quote both as one word: understudy explain '\(word) /path'"
    }
    return FindingType(rawValue: word).map { "for a finding: understudy help \($0.rawValue)" }
  }

  init?(argument: String) {
    let words = argument.split(separator: " ")
    guard let last = words.last, words.count <= 2 else { return nil }
    method = words.count == 2 ? String(words[0]) : "GET"
    if let scheme = ["http://", "https://"].first(where: last.lowercased().hasPrefix) {
      guard WebURL(base: String(last.prefix { $0 != "?" && $0 != "#" })) != nil else { return nil }
      let rest = last.dropFirst(scheme.count)
      let authority = rest.prefix { $0 != "/" && $0 != "?" }
      let path = rest.dropFirst(authority.count)
      host = String(authority)
      target = path.hasPrefix("/") ? String(path) : "/\(path)"
    } else {
      guard last.hasPrefix("/") else { return nil }
      host = nil
      target = String(last)
    }
  }

  func request(headers: [HeaderField], body: [UInt8]) -> Request {
    let hostField = host.map { HeaderField(name: "Host", value: $0) }
    return Request(method, target, headers: [hostField].compactMap { $0 } + headers, body: body)
  }
}
