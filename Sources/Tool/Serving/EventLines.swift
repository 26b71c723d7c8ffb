import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyRecording

/// The events of a running server for programs: one object a line.
struct EventLines {
  private var targets = TargetTexts()
  /// The members with contract and case, by the number of the served case.
  private var cases: [Int: [UInt8]] = [:]

  private static func line(
    _ event: String, to stream: inout TextStream, _ members: (inout JSONWriter) -> Void
  ) {
    var writer = JSONWriter(style: .compact)
    writer.object { writer in
      writer.member("event", event)
      members(&writer)
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }

  static func listening(
    at url: String, page: String, proxy: String?, _ upstreams: [(name: String, baseURL: String)],
    _ trustFile: String?, environment: [String: String]?, to stream: inout TextStream
  ) {
    line("listening", to: &stream) { writer in
      writer.member("url", url)
      writer.member("page", page)
      writer.member("proxy", proxy)
      write(upstreams, to: &writer)
      writer.member("certificate", trustFile)
      guard let environment else { return writer.member("environment", String?.none) }
      writer.key("environment")
      writer.object { writer in
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
          writer.member(name, value)
        }
      }
    }
  }

  private static func write(
    _ upstreams: [(name: String, baseURL: String)], to writer: inout JSONWriter
  ) {
    writer.key("upstreams")
    writer.object { writer in
      for upstream in upstreams { writer.member(upstream.name, upstream.baseURL) }
    }
  }

  static func callback(
    _ attempt: CallbackAttempt, of served: ServedCase, to stream: inout TextStream
  ) {
    line("callback", to: &stream) { writer in
      writer.member("contract", served.contract)
      writer.member("case", served.caseName)
      writer.member("name", attempt.name)
      writer.member("method", attempt.method)
      writer.member("url", attempt.url)
      writer.member("outcome", attempt.outcome.rawValue)
      writer.member("status", attempt.status)
      writer.member("expectedStatus", attempt.expectedStatus)
      writer.member("message", attempt.problem?.message)
      writer.member("fix", attempt.problem?.fix)
    }
  }

  static func request(_ exchange: Exchange, to stream: inout TextStream) {
    let record = exchange.record
    line("request", to: &stream) { writer in
      writer.member("time", record.receivedAt.exactRFC3339)
      writer.member("method", exchange.method)
      writer.member("target", exchange.target)
      var served: ServedCase?
      var message: String?
      var nearMisses: [NearMiss]?
      switch exchange.source {
      case .served(let servedCase): served = servedCase
      case .server(let words, _), .mode(let words): message = words
      case .unmatched(let explanation):
        message = explanation.complaint
        nearMisses = explanation.nearMisses
      }
      writer.member("contract", served?.contract)
      writer.member("case", served?.caseName)
      writer.member("status", record.status)
      let (delay, configured) = (record.delayActual, record.delayConfigured)
      writer.member(
        "delayActualMilliseconds", exchange.isTimed ? RequestLines.milliseconds(delay) : nil)
      writer.member(
        "delayConfiguredMilliseconds",
        exchange.isTimed ? RequestLines.milliseconds(configured) : nil)
      writer.member("sentBytes", record.sentByteCount)
      writer.member("outcome", record.outcome.rawValue)
      writer.member("message", message)
      UnmatchedReport.write(nearMisses, to: &writer)
    }
  }

  /// Writes the line of a request that is kept as bytes.
  mutating func request(
    _ brief: ExchangeBatch.Brief, of batch: ExchangeBatch, to stream: inout TextStream
  ) {
    let target = targets.text(of: brief.target) {
      let text = Self.quoted(batch.exchange(brief).target)
      return TargetTexts.Text(bytes: text, width: text.count)
    }
    if cases[brief.served] == nil {
      let served = batch.cases[brief.served]
      cases[brief.served] =
        #","contract":"#.utf8 + Self.quoted(served.contract) + #","case":"#.utf8
        + Self.quoted(served.caseName) + #","status":"#.utf8
    }
    var line: [UInt8] = []
    line.reserveCapacity(256)
    line += #"{"event":"request","time":""#.utf8
    line += brief.record.receivedAt.exactRFC3339.utf8
    line += #"","method":""#.utf8
    line += brief.method
    line += #"","target":"#.utf8
    line += target.bytes
    line += cases[brief.served] ?? []
    line += String(brief.record.status ?? 0).utf8
    line += #","delayActualMilliseconds":null,"delayConfiguredMilliseconds":null,"sentBytes":"#.utf8
    line += String(brief.record.sentByteCount).utf8
    line += #","outcome":"responded","message":null,"nearest":null}"#.utf8
    line.append(.newline)
    stream.write(bytes: line)
  }

  private static func quoted(_ text: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(text)
    return writer.bytes.inertJSON
  }

  static func dropped(_ count: Int, to stream: inout TextStream) {
    line("dropped", to: &stream) { $0.member("requests", count) }
  }

  static func reload(
    _ outcome: ContractWatch.Outcome,
    upstreams: (ContractLibrary) -> [(name: String, baseURL: String)], to stream: inout TextStream
  ) {
    switch outcome {
    case .changed(let library, let change):
      line("reloaded", to: &stream) { writer in
        writer.member("changes", change.description)
        write(upstreams(library), to: &writer)
      }
    case .mended(let library):
      line("reloaded", to: &stream) { writer in
        writer.member("changes", String?.none)
        write(upstreams(library), to: &writer)
      }
    case .broken(let library):
      let report = LintReport(library, only: .error)
      line("rejected", to: &stream) { writer in
        writer.member("message", report.summary)
        writer.diagnostics(report.findings)
      }
    case .unreadable(let error):
      line("rejected", to: &stream) { writer in
        writer.member("message", error.message)
        writer.key("diagnostics")
        writer.array { _ in }
      }
    }
  }

  static func recorded(_ outcome: ServeRecorder.Outcome, to stream: inout TextStream) {
    if !outcome.files.isEmpty {
      line("recorded", to: &stream) { $0.member("files", outcome.files) }
    }
    for error in outcome.errors { unrecorded(error.message, [], to: &stream) }
    if !outcome.findings.isEmpty { unrecorded(nil, outcome.findings, to: &stream) }
  }

  private static func unrecorded(
    _ message: String?, _ findings: [Finding], to stream: inout TextStream
  ) {
    line("unrecorded", to: &stream) { writer in
      writer.member("message", message)
      writer.diagnostics(findings)
    }
  }

  static func stopped(_ requestCount: Int, cutOffCount: Int, to stream: inout TextStream) {
    line("stopped", to: &stream) { writer in
      writer.member("requests", requestCount)
      writer.member("cutOff", cutOffCount)
    }
  }
}
