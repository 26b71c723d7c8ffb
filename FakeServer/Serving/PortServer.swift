import Synchronization
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyHTTP
import UnderstudySecrets
import UnderstudySystem

/// A server on one port of one loop, with its request log.
///
/// Created anywhere, then owned by its loop and used only on the loop's thread.
///
/// The folder joins all others of the server. Read `ServerConfiguration`, then `ServerCore`, which
/// is the state that all ports share, then this file and `PortServer+Responding`, which reads a
/// request in full, finds its upstream and contract in the `CurrentLayer`, and serves the case that
/// its session chooses. `PortServer+ShortPath` does this for most requests with an
/// `ArrivedRequest`, which is decoded only as far as needed, and writes the same bytes.
/// `PortServer+Holding`, `PortServer+Modes` and `Relay` are for responses that wait or come from
/// elsewhere; `OwnResponse` and `Problem` are those of the server itself.
///
/// A port keeps the layer of its last request until the core announces a change. `AccessGate`
/// decides about every request that steers the server or leads from it to a live API.
final class PortServer: RequestHandler {
  let authority: String
  /// The session whose cases break the handshakes on this port, in place of the main one's.
  let ownSession: Session?
  /// The upstream of this port, whose name clients then leave out of the path.
  let upstreamName: String?
  let core: ServerCore
  /// The core's signal.
  private let arrivals: ChangeSignal
  /// The core's feed.
  private let events: EventFeed
  let mainSession: Session
  /// Whether it is the port of live APIs, where the `Host` of a request alone says whose.
  let standsForHosts: Bool
  /// Whether responses name their contract and case.
  let namesCases: Bool
  /// Whether a ready response's bytes need no changes, and a path's bytes alone decide.
  let isPlain: Bool
  /// Whether it listens on all addresses.
  let hasManyNames: Bool
  /// Whether only programs on this machine can reach it.
  let isLoopback: Bool
  /// Whether clients may begin TLS.
  let speaksTLS: Bool
  /// Whether clients may ask it for the hosts of upstreams.
  let isProxy: Bool
  private let limits: Listener.Limits
  // `unchecked` is for values used by every request: checking costs as much as parsing the request.
  // No access calls code that accesses them again.
  /// The contracts at the time of the last request.
  @exclusivity(unchecked) private(set) var current: CurrentLayer
  @exclusivity(unchecked) var journal: JournalRing
  @exclusivity(unchecked) var reporter: ExchangeReporter?
  /// The numbers of requests whose responses are followed by callbacks, by their slots in the
  /// request log.
  var followed: [Int: UInt64] = [:]
  /// The last request that came in between.
  var proxied: ProxiedRequest
  /// The host of a client that was just refused TLS on a port of hosts, since no upstream has it.
  var refusedHost: String?
  /// The time of the last request.
  @exclusivity(unchecked) private(set) var moment = ResponseTime.epoch

  init(
    authority: String, upstreamName: String? = nil, ownSession: Session? = nil,
    standsForHosts: Bool = false, core: ServerCore
  ) {
    let configuration = core.configuration
    self.ownSession = ownSession
    self.authority = authority
    self.upstreamName = upstreamName
    self.standsForHosts = standsForHosts
    self.core = core
    arrivals = core.arrivals
    events = core.events
    mainSession = core.mainSession
    namesCases = configuration.namesCases
    isPlain =
      !configuration.allowsCORS && configuration.allowedOrigins.isEmpty
      && configuration.relay == nil
    hasManyNames = configuration.address.isWildcard
    isLoopback = configuration.address.isLoopback
    speaksTLS = configuration.certificates != nil
    isProxy = configuration.proxy != nil && upstreamName == nil
    limits = Listener.Limits(configuration.limits)
    proxied = ProxiedRequest(limits: configuration.limits.message)
    current = CurrentLayer(of: core, forPortOf: upstreamName)
    journal = JournalRing(
      of: core.servedCases, core.callbacks,
      recordCountMax: configuration.limits.journalRecordCountMax,
      byteCountMax: configuration.limits.journalByteCountMax,
      bodyByteCountMax: configuration.limits.journalBodyByteCountMax)
    reporter = configuration.listener.map {
      ExchangeReporter($0, ExchangeBatch(core.servedCases, core.mask))
    }
  }

  /// The top layer of the current contracts.
  @inline(__always)
  var currentLayer: CurrentLayer {
    if core.contractNumber != current.number {
      current = CurrentLayer(of: core, forPortOf: upstreamName, after: current)
    }
    return current
  }

  /// A listener for this server; it owns the descriptor.
  func listener(_ descriptor: Int32) -> Listener {
    Listener(
      descriptor: descriptor, limits: limits, tls: core.configuration.certificates?.context,
      bodyRoom: core.bodyRoom, timeScale: core.configuration.timeScale, handler: self)
  }

  func respond(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply {
    moment.update(to: arrival.receivedAt)
    if standsForHosts || arrival.tunnel != nil || head.targetForm != .origin,
      let reply = responseInBetween(arrival, head, into: &output)
    {
      return reply
    }
    return responseHere(arrival, head, into: &output)
  }

  /// Responds to a request whose path begins with the name of an upstream, or whose `Host` leads to
  /// one.
  func responseHere(
    _ arrival: Arrival, _ head: borrowing RequestHead, into output: inout ByteBuffer
  ) -> Reply {
    responseAtOnce(arrival, head, into: &output) ?? responseInFull(arrival, head, into: &output)
  }

  /// Rejected requests are not in the request log.
  func refuse(_ refusal: Refusal?, at time: Moment, into output: inout ByteBuffer) {
    moment.update(to: time)
    let problem = refusal.map(Problem.refused) ?? .tooManyClients(max: limits.connectionCountMax)
    let words = refusal?.message ?? "a client was turned away: \(problem.detail)"
    let bytes =
      refusal == .http2Preface
      ? HTTP2Farewell.bytes(words)
      : problem.response.bytes(for: ServingContext(wish: .close, now: moment))
    output.append(bytes)
    var record = JournalRecord(sequence: 0, receivedAt: time)
    record.status = problem.status
    record.sentByteCount = bytes.count
    record.outcome = .responded
    reporter?.add(
      Exchange(record, method: "", target: "", .server(words)))
  }

  var followsTurns: Bool { reporter != nil }

  func turnEnded() { reporter?.report() }

  func left() {
    core.leftJournal.withLock { $0 += journal.copies(after: 0) { _ in true } }
    reporter?.report()
  }
}

// MARK: - The journal

extension PortServer {
  @discardableResult
  func journalize(_ record: JournalRecord, _ arrival: Arrival) -> JournalRing.Slot {
    let slot = journal.append(record, head: arrival.head, body: arrival.body)
    arrivals.ring()
    if events.isCollecting, !record.outcome.isOpen { tellListeners(of: slot) }
    return slot
  }

  func note(_ event: ResponseEvent, of response: ResponseMark) {
    let slot = JournalRing.Slot(index: response.number)
    switch event {
    case .ready(let script):
      follow(script, at: slot)
      if core.events.isCollecting { tellListeners(ofRelease: script, at: slot, response.group) }
      update(slot) { record in
        if record.outcome == .held { record.outcome = .underWay }
        if let status = script.status { record.status = status }
        if let number = script.caseNumber {
          record.servedNumber = number
          record.reason = .hand
          record.delayConfiguredNanoseconds = script.delayConfigured.nanoseconds(
            scaledBy: core.configuration.timeScale)
        }
      }
      core.outcomeBecameKnown()
      if let problem = script.problem { reporter?.update(slot, .server(problem)) }
      if let number = script.caseNumber {
        reporter?.update(slot, .served(core.servedCases[Int(number)]))
      }
    case .began(let delay): update(slot) { $0.delayActualNanoseconds = delay }
    case .sent(let byteCount): update(slot) { $0.sentByteCount += byteCount }
    case .ended(let end):
      // Listeners, too, are told only of the first end.
      let isNews = core.events.isCollecting && journal.record(at: slot)?.outcome.isOpen == true
      update(slot) { $0.outcome = JournalRecord.Outcome(end) }
      core.outcomeBecameKnown()
      if isNews { tellListeners(of: slot) }
      responseEnded(end, at: slot.index)
      reporter?.finish(slot)
    }
  }

  private func update(_ slot: JournalRing.Slot, _ change: (inout JournalRecord) -> Void) {
    journal.update(slot, change)
    reporter?.update(slot, change)
  }

  /// `nil` when newer records have replaced it.
  func entry(at slot: JournalRing.Slot) -> JournalEntry? {
    guard let copy = journal.copy(at: slot) else { return nil }
    var reader = JournalReader(limits: limits.message)
    return reader.entry(copy)
  }

  /// The matching requests recorded here, oldest first.
  func entries(_ query: JournalQuery) -> [JournalEntry] {
    var reader = JournalReader(limits: limits.message)
    return reader.entries(query, in: journal.copies(after: query.since, where: query.meansRecord))
  }
}

extension JournalRecord.Outcome {
  fileprivate init(_ end: ResponseEvent.End) {
    switch end {
    case .responded: self = .responded
    case .cutOff: self = .cutOff
    case .reset: self = .reset
    case .stalled: self = .stalled
    case .clientLeft: self = .clientLeft
    case .passedThrough: self = .passedThrough
    case .cancelled: self = .cancelled
    }
  }
}
