import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyRecording
import UnderstudySchema
import UnderstudySecrets

/// The answer to a call, and whether it matches the contract.
struct CallReport {
  private enum Verdict {
    case keeps(Case)
    case hasNoSchema(Case)
    case breaks(Case, [SchemaComplaint])
    case notJSON(Case, JSONError)
    case unknownStatus(Int)
    case noAnswer(TransportError)
  }

  private let call: Call
  private let request: ClientRequest
  /// Masked.
  private let answer: LiveAnswer?
  private let verdict: Verdict

  init(of call: Call, _ exchange: Call.Exchange) {
    self.call = call
    request = exchange.request
    switch exchange.outcome {
    case .success(let response):
      answer = call.mask.masked(LiveAnswer(response))
      verdict = Self.verdict(on: response, of: call)
    case .failure(let error):
      answer = nil
      verdict = .noAnswer(error)
    }
  }

  private static func verdict(on response: ClientResponse, of call: Call) -> Verdict {
    // A fake names the case it played.
    let told = response.headers["Understudy-Case"].flatMap { call.contract.case(named: $0) }
    let own = [call.played, told].compactMap(\.self)
    let candidates = (own + call.contract.cases).filter { $0.status == response.status }
    guard let first = candidates.first else { return .unknownStatus(response.status) }
    guard let played = candidates.first(where: { $0.response?.schema != nil }),
      let schema = played.response?.schema?.schema
    else { return .hasNoSchema(first) }
    do throws(JSONError) {
      let complaints = schema.complaints(
        about: try JSONDocument(parsing: response.body).root, now: call.isLive ? .now : nil)
      return complaints.isEmpty ? .keeps(played) : .breaks(played, complaints)
    } catch {
      return .notJSON(played, error)
    }
  }

  var exitCode: ExitCode {
    switch verdict {
    case .keeps, .hasNoSchema: .pass
    case .breaks, .notJSON, .unknownStatus: .findings
    case .noAnswer: .couldNotCheck
    }
  }

  // MARK: - Text

  func writeText(to terminal: inout Terminal) {
    terminal.output.write(inLine: "\(request.method.rawValue) \(shownURL)", .bold)
    terminal.output.write("\n")
    if let answer {
      terminal.output.write(line: "\(answer.status) after \(answer.latency.words)")
      for field in answer.headers { terminal.output.write(line: "\(field.name): \(field.value)") }
      if !answer.body.isEmpty {
        terminal.output.write("\n")
        terminal.output.write(Self.text(of: answer))
      }
      terminal.output.write("\n")
    }
    switch verdict {
    case .breaks(_, let complaints):
      terminal.output.write(line: reason)
      for complaint in complaints {
        terminal.output.write(
          line: "  \(Self.path(complaint)): \(call.mask.masked(complaint.message))")
        terminal.output.write(line: "    schema at \(place(of: complaint))")
      }
    case .noAnswer: terminal.writeError(Failure(message: reason))
    default: terminal.output.write(line: reason)
    }
  }

  private static func text(of answer: LiveAnswer) -> String {
    if let root = try? JSONDocument(parsing: answer.body).root {
      var writer = JSONWriter(style: .pretty(indent: 2))
      writer.value(root)
      return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
    guard let text = String(validating: answer.body, as: UTF8.self) else {
      let type = answer.header("content-type").map { " of \($0)" } ?? ""
      return "\(answer.body.count.of("byte"))\(type)\n"
    }
    return text.hasSuffix("\n") ? text : text + "\n"
  }

  private var shownURL: String { call.mask.masked(target: request.url) }

  /// The verdict in a sentence.
  private var reason: String {
    let id = call.contract.id
    return switch verdict {
    case .keeps(let played): "matches the schema of \(id)#\(played.name)"
    case .hasNoSchema(let played): "\(id)#\(played.name) has no schema"
    case .breaks(let played, let complaints):
      "violates the schema of \(id)#\(played.name) in \(complaints.count.of("place"))"
    case .notJSON(let played, let error):
      "violates the schema of \(id)#\(played.name): the body is not valid JSON: \(error.position):"
        + " \(call.mask.masked(error.message))"
    case .unknownStatus(let status): "found status \(status), which no case of \(id) has"
    case .noAnswer(let error): "no answer from \(shownURL): \(call.mask.masked("\(error)"))"
    }
  }

  /// The place in the answer; the empty pointer is the whole body.
  private static func path(_ complaint: SchemaComplaint) -> String {
    let path = complaint.instancePointer.description
    return path.isEmpty ? "the body" : path
  }

  private func place(of complaint: SchemaComplaint) -> Place {
    Place(call.contract.file, complaint.schemaPlace.position)
  }

  // MARK: - JSON

  func writeJSON(to stream: inout TextStream) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.member("contract", call.contract.id)
      writer.member("case", judgedCase?.name)
      writer.member("method", request.method.rawValue)
      writer.member("url", shownURL)
      writer.member("status", answer?.status)
      writer.list("headers", answer?.headers ?? []) { writer, field in
        writer.object { writer in
          writer.member("name", field.name)
          writer.member("value", field.value)
        }
      }
      let body = answer.flatMap { try? JSONDocument(parsing: $0.body).root }
      writer.key("body")
      if let body { writer.value(body) } else { writer.null() }
      let text = answer.flatMap { $0.body.isEmpty ? nil : Self.text(of: $0) }
      writer.member("text", body == nil ? text : nil)
      writer.member("durationNanoseconds", answer.map { Int($0.latency.nanoseconds) })
      writer.member("verdict", verdictName)
      writer.member("reason", reason)
      writer.list("violations", violations) { write($1, to: &$0) }
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  private var violations: [SchemaComplaint] {
    if case .breaks(_, let complaints) = verdict { complaints } else { [] }
  }

  private var judgedCase: Case? {
    switch verdict {
    case .keeps(let played), .hasNoSchema(let played), .breaks(let played, _),
      .notJSON(let played, _):
      played
    case .unknownStatus, .noAnswer: nil
    }
  }

  private var verdictName: String {
    switch exitCode {
    case .pass: "pass"
    case .findings: "fail"
    case .couldNotCheck, .couldNotRun: "couldNotCheck"
    }
  }

  private func write(_ violation: SchemaComplaint, to writer: inout JSONWriter) {
    let schema = violation.schemaPlace.position
    writer.object { writer in
      writer.member("path", violation.instancePointer.description)
      writer.member("line", violation.instancePosition.line)
      writer.member("column", violation.instancePosition.column)
      writer.member("message", call.mask.masked(violation.message))
      writer.member("file", call.contract.file)
      writer.member("schemaLine", schema.line)
      writer.member("schemaColumn", schema.column)
    }
  }
}
