import Testing
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyContractModel

/// What is said of whole folders, and what they respond: the files of `Fixtures/Transcripts`.
@Suite struct LibraryTranscriptTests {
  private static func text(_ value: JSONValue) -> String {
    String(decoding: value.compact, as: UTF8.self)
  }

  private static func complaint(_ finding: Finding) -> String {
    "\(finding.severity) \(finding.file)\(finding.position.map { ":\($0)" } ?? "")"
      + " \(finding.type.rawValue): \(finding.message)\(finding.fix.map { " (\($0))" } ?? "")"
  }

  /// A line has the files by their paths, and `requests`: a target, with method, headers and body
  /// where they matter. With `all`, it has the warnings of missing cases.
  @Test("folders")
  func libraries() throws {
    let transcript = try Transcript("libraries", near: NearInputs.few(4, NearInputs.ofJSON)) {
      line in
      let root = try JSONDocument(parsing: Array(line.utf8)).root
      var files: [String: [UInt8]] = [:]
      for member in root.members where member.key.contains(".") {
        files[member.key] = member.value.string.map { Array($0.utf8) } ?? member.value.compact
      }
      let library = ContractLibrary(readingBytes: files)
      var lines = library.findings.filter {
        root["all"] != nil || !Set.missingCases.contains($0.type)
      }.map(Self.complaint)
      lines += library.consumers.map(Self.words)
      for contract in library.contracts {
        for served in contract.cases where served.isLive {
          let sent = try? contract.exampleRequest(for: served)
          lines.append("\(contract.id)#\(served.name) sends \(sent.map(Self.words) ?? "nothing")")
        }
        if let table = LiveCases(of: contract), let template = contract.request.paths.first {
          lines.append("\(contract.id) lives at \(table.otherPaths(by: template).sorted())")
        }
      }
      for sent in (root["requests"] ?? .null).elements {
        let request = Self.request(sent)
        let explanation = library.index.explain(request)
        let words =
          explanation.candidate.map { candidate in
            let route = library.index.route(request)?.request ?? request
            let served = candidate.unsteeredCase(for: RequestParts(route))
            return "\(candidate.contract.id)#\(served?.name ?? "nothing")"
          }
          ?? ([explanation.complaint]
          + explanation.nearMisses.map {
            "\($0.contract.id) \($0.distance) \($0.differences.map(\.description))"
          }).joined(separator: "; ")
        lines.append("\(Self.text(sent)): \(words)")
      }
      return lines.map(\.visible)
    }
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }

  /// A target, or an array of a method, a target, headers and a body.
  private static func request(_ value: JSONValue) -> Request {
    let parts = value.string.map { _ in [value] } ?? Array(value.elements)
    let target = parts.count > 1 ? parts[1].string : parts.first?.string
    return Request(
      parts.count > 1 ? parts[0].string ?? "GET" : "GET", target ?? "/",
      headers: parts.count > 2
        ? parts[2].members.map { HeaderField(name: $0.key, value: $0.value.string ?? "") } : [],
      body: parts.count > 3 ? Array((parts[3].string ?? text(parts[3])).utf8) : [])
  }

  private static func words(_ request: Request) -> String {
    "\(request.method) \(request.path)\(request.query.map { "?\($0)" } ?? "")"
      + request.headers.map { " \($0.name): \($0.value)" }.joined()
      + (request.body.isEmpty ? "" : " \(String(decoding: request.body, as: UTF8.self))")
  }

  private static func words(_ consumer: Consumer) -> String {
    var words = ["consumer \(consumer.name) \(consumer.upstreamNames)"]
    if let command = consumer.command { words.append("runs \(command) in \(consumer.folder)") }
    if !consumer.sources.isEmpty { words.append("reads \(consumer.sources)") }
    if !consumer.variableNames.isEmpty { words.append("gets \(consumer.variableNames)") }
    words += [consumer.summary, consumer.toolName.map { "in \($0)" }].compactMap(\.self)
    words += consumer.arguments.map { "\($0.name): \($0.type)" }
    words += consumer.errors.map { "error \($0.name)\($0.payload.map { " \($0)" } ?? "")" }
    return words.joined(separator: ", ")
  }

  /// Those that a consumer declares, for all kinds of values.
  @Test("which values are of a type")
  func types() throws {
    let values = ["null", "true", "1", "1.0", "1.5", "1e2", "\"1\"", "[]", "{}"]
    for (type, expected) in zip(
      Consumer.PayloadType.allCases,
      [
        ["\"1\""], ["1", "1.0", "1e2"], ["1", "1.0", "1.5", "1e2"], ["true"], ["[]"], ["{}"],
        values,
      ])
    {
      let accepted = try values.filter {
        type.accepts(try JSONDocument(parsing: Array($0.utf8)).root)
      }
      #expect(accepted == expected, "\(type)")
    }
  }
}
