import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// Lists upstreams, their endpoints, and the cases of each.
struct ContractListing {
  let upstreams: [Upstream]

  /// The text form. Columns are aligned over the whole page, so that a status or kind is easy to
  /// find.
  ///
  /// - Parameter width: of the terminal; the summaries get what is left.
  func writeText(width: Int? = nil, to stream: inout TextStream) {
    let contracts = upstreams.flatMap(\.contracts)
    var caseLines = TextLayout.aligned(
      contracts.flatMap { $0.cases.map(Self.row) }, indent: 4)[...]
    for upstream in upstreams {
      stream.write(inLine: upstream.name, .bold)
      let notes = [
        upstream.summary, upstream.baseURL?.description, upstream.retired.map { "retired: \($0)" },
      ]
      let line = notes.compactMap { $0.map { "  \($0)" } }.joined()
      stream.write(line: TextLayout.fitted(line, to: width.map { $0 - upstream.name.count }))
      for contract in upstream.contracts {
        stream.write(inLine: "  \(contract.name)", .bold)
        let request = "  \(contract.request.method) \(contract.request.path)"
        stream.write(inLine: request)
        if let summary = contract.summary {
          let used = contract.name.count + 2 + request.count
          stream.write(
            inLine: TextLayout.fitted("  \(summary)", to: width.map { $0 - used }), .dim)
        }
        stream.write("\n")
        for line in caseLines.prefix(contract.cases.count) {
          stream.write(line: TextLayout.fitted(line, to: width))
        }
        caseLines = caseLines.dropFirst(contract.cases.count)
      }
      stream.write("\n")
    }
    let caseCount = contracts.reduce(0) { $0 + $1.cases.count }
    let counts = [
      upstreams.count.of("upstream"), contracts.count.of("contract"), caseCount.of("case"),
    ]
    stream.write(counts.joined(separator: ", ") + "\n")
  }

  private static func row(_ one: Case) -> [String] {
    [
      one.name, one.status.map(String.init) ?? "-", one.kind.rawValue, one.isLive ? "live" : "",
      one.summary ?? "",
    ]
  }

  func writeJSON(with commands: Commands? = nil, to stream: inout TextStream) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.list("upstreams", upstreams) { Self.write($1, commands, to: &$0) }
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  private static func write(
    _ upstream: Upstream, _ commands: Commands?, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("name", upstream.name)
      writer.member("summary", upstream.summary)
      writer.member("baseURL", upstream.baseURL?.description)
      writer.member("retired", upstream.retired)
      writer.list("contracts", upstream.contracts) { write($1, of: upstream, commands, to: &$0) }
    }
  }

  private static func write(
    _ contract: Contract, of upstream: Upstream, _ commands: Commands?,
    to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("id", contract.id)
      writer.member("summary", contract.summary)
      writer.member("file", contract.file)
      writer.member("method", contract.request.method)
      writer.member("path", contract.request.path)
      writer.list("cases", contract.cases) { writer, one in
        writer.object { writer in
          writer.member("name", one.name)
          writer.member("summary", one.summary)
          writer.member("status", one.status)
          writer.member("kind", one.kind.rawValue)
          writer.key("live")
          writer.bool(one.isLive)
          if let commands {
            writer.member("curl", try? commands.command(for: one, of: contract, of: upstream))
          }
        }
      }
    }
  }
}
