import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyRecording

/// The output of a running server, as text or JSON Lines.
struct ServeLog {
  private let format: OutputFormat
  /// The live addresses of recorded upstreams, by name.
  private let recording: [String: WebURL]
  /// `nil` for a server without HTTPS.
  private let trust: ServeTrust?
  /// By which other hosts pass through; `nil` where they are refused.
  private let parents: ParentProxies?
  private var lines = RequestLines()
  private var events = EventLines()
  private var pace = RequestPace()
  private var requestCount = 0

  init(
    _ format: OutputFormat, recording: [String: WebURL] = [:], trust: ServeTrust? = nil,
    parents: ParentProxies? = nil
  ) {
    self.format = format
    self.recording = recording
    self.trust = trust
    self.parents = parents
  }

  /// Scripts read the first line, so it never changes.
  func opening(
    _ library: ContractLibrary, _ server: FakeServer, to terminal: inout Terminal
  ) {
    let address = server.url
    let known = Self.addresses(library, server)
    let new = recording.filter { name, _ in !known.contains { $0.name == name } }
      .map { (name: $0, baseURL: "\(address)/\($0)\($1.path)") }.sorted { $0.name < $1.name }
    let upstreams = known + new
    guard format == .text else {
      let hosts = library.upstreams.flatMap(\.hostNames) + recording.values.map(\.host)
      return EventLines.listening(
        at: address, page: server.dashboardURL, proxy: server.proxyURL, upstreams,
        trust?.certificateFile, environment: trust?.variables(for: server, asking: hosts),
        to: &terminal.output)
    }
    terminal.output.write("listening on ")
    terminal.output.write("\(address)\n", .bold)
    let rows = upstreams.map { name, baseURL in
      [name, baseURL, recorded(name)]
    }
    for line in TextLayout.aligned(rows, indent: 2) {
      terminal.output.write("\(line)\n")
    }
    if server.isSecure {
      terminal.output.write("http:// works at the same addresses\n")
    }
    if let parents { terminal.output.write("\(parents.words)\n") }
    if let suggestion = Suggestion(library, server, trust?.certificateFile) {
      terminal.output.write("try\n  \(suggestion.plain)\n")
      for line in [suggestion.withOtherCase, suggestion.throughProxy].compactMap(\.self) {
        terminal.output.write("  \(line)\n")
      }
    }
    terminal.output.write("dashboard at \(server.dashboardURL)\n")
    terminal.output.write("\n")
  }

  private func recorded(_ upstreamName: String) -> String {
    recording[upstreamName].map { "records \($0)" } ?? ""
  }

  func unrecorded(endpointCount: Int, to terminal: inout Terminal) {
    guard endpointCount > 0 else { return }
    let words = "\(endpointCount.of("endpoint")), since the server is stopping"
    recorded(ServeRecorder.Outcome(error: Failure(message: words)), to: &terminal)
  }

  /// The files written, or why writing failed.
  func recorded(_ outcome: ServeRecorder.Outcome, to terminal: inout Terminal) {
    guard format == .text else {
      return EventLines.recorded(outcome, to: &terminal.output)
    }
    for file in outcome.files {
      terminal.output.write("recorded: ", .green)
      terminal.output.write(line: file)
    }
    for finding in outcome.findings { terminal.output.write("\(finding)\n") }
    for error in outcome.errors {
      terminal.output.write("not recorded: ", .red)
      terminal.output.write(line: error.message)
      if let fix = error.fix { terminal.output.write(line: "  fix: \(fix)") }
    }
  }

  private static func addresses(
    _ library: ContractLibrary, _ server: FakeServer
  ) -> [(name: String, baseURL: String)] {
    library.upstreams.map { ($0.name, server.baseURL(of: $0)) }
  }

  /// When counted requests are to be printed.
  var deadline: ContinuousClock.Instant? { pace.deadline }

  /// Prints requests, or counts them where people could not read so many.
  mutating func requests(
    _ batch: ExchangeQueue.Batch, at now: ContinuousClock.Instant = .now, isLast: Bool = false,
    to terminal: inout Terminal
  ) {
    requestCount += (batch.exchanges?.count ?? 0) + batch.lostCount
    writeRest(pace.finish(now), to: &terminal.output)
    if let exchanges = batch.exchanges {
      let countsSome = format == .text && terminal.isOutputShown
      if countsSome { pace.begin(now) }
      exchanges.visit { entry in
        if countsSome, pace.meet(entry, of: exchanges) == .counted { return }
        write(entry, of: exchanges, to: &terminal.output)
      }
    }
    for (served, attempt) in batch.callbacks {
      switch format {
      case .text: RequestLines.write(attempt, of: served, to: &terminal.output)
      case .json: EventLines.callback(attempt, of: served, to: &terminal.output)
      }
    }
    if isLast { writeRest(pace.finish(now, isLast: true), to: &terminal.output) }
    guard batch.lostCount > 0 else { return }
    switch format {
    case .text:
      terminal.output.write("\(batch.lostCount.of("request")) came too fast to show\n", .dim)
    case .json: EventLines.dropped(batch.lostCount, to: &terminal.output)
    }
  }

  private mutating func write(
    _ entry: ExchangeBatch.Entry, of batch: ExchangeBatch, to stream: inout TextStream
  ) {
    switch entry {
    case .brief(let brief):
      switch format {
      case .text: lines.write(brief, of: batch, to: &stream)
      case .json: events.request(brief, of: batch, to: &stream)
      }
    case .whole(let exchange):
      switch format {
      case .text: lines.write(exchange, to: &stream)
      case .json: EventLines.request(exchange, to: &stream)
      }
    }
  }

  private mutating func writeRest(_ rest: RequestPace.Rest, to stream: inout TextStream) {
    switch rest {
    case .nothing: break
    case .each(let exchanges):
      for exchange in exchanges { lines.write(exchange, to: &stream) }
    case .summary(let counts):
      for (words, count) in counts { stream.write("\(count.grouped) × \(words)\n") }
    }
  }

  func reload(
    _ outcome: ContractWatch.Outcome, _ server: FakeServer, to terminal: inout Terminal
  ) {
    guard format == .text else {
      return EventLines.reload(
        outcome, upstreams: { Self.addresses($0, server) }, to: &terminal.output)
    }
    switch outcome {
    case .changed(let library, let change):
      terminal.output.write("reloaded: ", .green)
      terminal.output.write("\(change)\n")
      for line in moves(change, Self.addresses(library, server), server) {
        terminal.output.write("\(line)\n")
      }
    case .mended:
      terminal.output.write("reloaded: ", .green)
      terminal.output.write("the contracts are valid again and unchanged\n")
    case .broken(let library):
      let report = LintReport(library, only: .error)
      report.writeText(to: &terminal.output)
      rejected("\(report.summary)", to: &terminal.output)
    case .unreadable(let error):
      terminal.output.write("\(error)\n")
      rejected("the contracts cannot be read", to: &terminal.output)
    }
  }

  /// The places of new upstreams, and the ports of removed ones: ports are assigned once, when the
  /// server starts.
  private func moves(
    _ change: LibraryChange, _ addresses: [(name: String, baseURL: String)], _ server: FakeServer
  ) -> [String] {
    let came = addresses.filter { change.added.contains($0.name) }.map { name, baseURL in
      let waits = server.givesPorts && !server.hasOwnPort(name)
      let place = baseURL + (waits ? ", and on its own port after a restart" : "")
      return [name, place, recorded(name)]
    }
    let went = change.removed.filter(server.hasOwnPort).map { name in
      [name, "its port stays and responds with 404"]
    }
    return TextLayout.aligned(came + went, indent: 2)
  }

  private func rejected(_ reason: String, to stream: inout TextStream) {
    stream.write("not reloaded: ", .red)
    stream.write("\(reason), so the previous contracts are still served\n")
  }

  /// - Parameter requestCount: that of a server whose requests are not printed.
  func closing(requestCount: Int?, cutOffCount: Int, to terminal: inout Terminal) {
    let requestCount = requestCount ?? self.requestCount
    guard format == .text else {
      return EventLines.stopped(requestCount, cutOffCount: cutOffCount, to: &terminal.output)
    }
    let cutOff = cutOffCount > 0 ? "; \(cutOffCount.of("client")) cut off" : ""
    terminal.output.write("stopped after \(requestCount.of("request"))\(cutOff)\n")
  }
}
