import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyRecording
import UnderstudySchema
import UnderstudySecrets

/// The response to a call, and whether it matches the contract.
struct CallReport {
  private enum Comparison {
    case keeps(Case)
    case hasNoSchema(Case)
    case breaks(Case, [SchemaComplaint])
    case notJSON(Case, JSONError)
    case unknownStatus(Int)
    case noResponse(TransportError)
  }

  private let call: Call
  private let request: ClientRequest
  /// Masked.
  private let received: LiveResponse?
  private let comparison: Comparison

  init(of call: Call, _ exchange: Call.Exchange) {
    self.call = call
    request = exchange.request
    switch exchange.outcome {
    case .success(let response):
      received = call.mask.masked(LiveResponse(response))
      comparison = Self.comparison(on: response, of: call)
    case .failure(let error):
      received = nil
      comparison = .noResponse(error)
    }
  }

  private static func comparison(on response: ClientResponse, of call: Call) -> Comparison {
    // A fake names the case it served.
    let told = response.headers["Understudy-Case"].flatMap { call.contract.case(named: $0) }
    let own = [call.served, told].compactMap(\.self)
    let candidates = (own + call.contract.cases).filter { $0.status == response.status }
    guard let first = candidates.first else { return .unknownStatus(response.status) }
    guard let served = candidates.first(where: { $0.response?.schema != nil }),
      let schema = served.response?.schema?.schema
    else { return .hasNoSchema(first) }
    do throws(JSONError) {
      let complaints = schema.complaints(
        about: try JSONDocument(parsing: response.body).root, now: call.isLive ? .now : nil)
      return complaints.isEmpty ? .keeps(served) : .breaks(served, complaints)
    } catch {
      return .notJSON(served, error)
    }
  }

  var exitCode: ExitCode {
    switch comparison {
    case .keeps, .hasNoSchema: .pass
    case .breaks, .notJSON, .unknownStatus: .findings
    case .noResponse: .couldNotCheck
    }
  }

  // MARK: - Text

  func writeText(to terminal: inout Terminal) {
    terminal.output.write(inLine: "\(request.method.rawValue) \(shownURL)", .bold)
    terminal.output.write("\n")
    if let received {
      terminal.output.write(line: "\(received.status) after \(received.latency.words)")
      for field in received.headers { terminal.output.write(line: "\(field.name): \(field.value)") }
      if !received.body.isEmpty {
        terminal.output.write("\n")
        terminal.output.write(Self.text(of: received))
      }
      terminal.output.write("\n")
    }
    switch comparison {
    case .breaks(_, let complaints):
      terminal.output.write(line: reason)
      for complaint in complaints {
        terminal.output.write(
          line: "  \(Self.path(complaint)): \(call.mask.masked(complaint.message))")
        terminal.output.write(line: "    schema at \(place(of: complaint))")
      }
    case .noResponse: terminal.writeError(Failure(message: reason))
    default: terminal.output.write(line: reason)
    }
  }

  private static func text(of received: LiveResponse) -> String {
    if let root = try? JSONDocument(parsing: received.body).root {
      var writer = JSONWriter(style: .pretty(indent: 2))
      writer.value(root)
      return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
    guard let text = String(validating: received.body, as: UTF8.self) else {
      let type = received.header("content-type").map { " of \($0)" } ?? ""
      return "\(received.body.count.of("byte"))\(type)\n"
    }
    return text.hasSuffix("\n") ? text : text + "\n"
  }

  private var shownURL: String { call.mask.masked(target: request.url) }

  /// The result in a sentence.
  private var reason: String {
    let id = call.contract.id
    return switch comparison {
    case .keeps(let served): "matches the schema of \(id)#\(served.name)"
    case .hasNoSchema(let served): "\(id)#\(served.name) has no schema"
    case .breaks(let served, let complaints):
      "violates the schema of \(id)#\(served.name) in \(complaints.count.of("place"))"
    case .notJSON(let served, let error):
      "violates the schema of \(id)#\(served.name): the body is not valid JSON: \(error.position):"
        + " \(call.mask.masked(error.message))"
    case .unknownStatus(let status): "no case of \(id) has status \(status)"
    case .noResponse(let error): "no response from \(shownURL): \(call.mask.masked(error.reason))"
    }
  }

  /// The place in the response; the empty pointer is the whole body.
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
      writer.member("case", checkedCase?.name)
      writer.member("method", request.method.rawValue)
      writer.member("url", shownURL)
      writer.member("status", received?.status)
      writer.list("headers", received?.headers ?? []) { writer, field in
        writer.object { writer in
          writer.member("name", field.name)
          writer.member("value", field.value)
        }
      }
      let body = received.flatMap { try? JSONDocument(parsing: $0.body).root }
      writer.key("body")
      if let body { writer.value(body) } else { writer.null() }
      let text = received.flatMap { $0.body.isEmpty ? nil : Self.text(of: $0) }
      writer.member("text", body == nil ? text : nil)
      writer.member("durationNanoseconds", received.map { Int($0.latency.nanoseconds) })
      writer.member("result", resultName)
      writer.member("reason", reason)
      writer.list("violations", violations) { write($1, to: &$0) }
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  private var violations: [SchemaComplaint] {
    if case .breaks(_, let complaints) = comparison { complaints } else { [] }
  }

  private var checkedCase: Case? {
    switch comparison {
    case .keeps(let served), .hasNoSchema(let served), .breaks(let served, _),
      .notJSON(let served, _):
      served
    case .unknownStatus, .noResponse: nil
    }
  }

  private var resultName: String {
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
