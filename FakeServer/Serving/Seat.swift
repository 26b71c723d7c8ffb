import UnderstudyContractModel
import UnderstudyHTTP

/// A server's place on one loop: the socket it listens on, and its journal there.
///
/// Made anywhere, then owned by its loop and touched on the loop's thread alone.
final class Seat {
  // Unchecked is what every request touches; to check it costs as much as to parse the request. The
  // head is written by parsing alone, which is over before anything reads it; accesses to the others
  // call no code that has another.

  /// The limits in the form loops use: nanoseconds.
  struct Limits {
    let message: MessageLimits
    let connectionCountMax: Int
    let idle: Int64
    let request: Int64
    let drain: Int64

    init(_ limits: ServerLimits) {
      message = limits.message
      connectionCountMax = limits.connectionCountMax
      idle = limits.idleMax.nanoseconds
      request = limits.requestMax.nanoseconds
      drain = limits.drainMax.nanoseconds
    }
  }

  /// Closed by the loop when it is to listen no more.
  let listener: Int32
  var isListening = true
  let authority: String
  /// The upstream this port is for, whose name clients then leave out of the path.
  let upstreamName: String?
  let core: ServerCore
  /// The core's.
  let arrivals: Lent<Bell>
  let mainSession: Session
  /// Whether answers tell the contract and the case they come from.
  let namesCases: Bool
  let limits: Limits
  /// What was in force when the last request came.
  @exclusivity(unchecked) var repertoire: Repertoire
  @exclusivity(unchecked) var journal: JournalRing
  var labels = LabelTable()
  /// The head that is parsed or answered at this moment, within this server's limits.
  @exclusivity(unchecked) var head: RequestHead
  /// Clients that are connected, those being turned away included.
  var connectionCount = 0
  /// Whether only requests that are under way are still answered.
  @exclusivity(unchecked) var isRetiring = false
  /// Whether the bytes of a ready answer and of a path are all there is to it.
  let isPlain: Bool
  var whenEmpty: (@Sendable () -> Void)?
  @exclusivity(unchecked) var reporter: ExchangeReporter?

  init(listener: Int32, authority: String, upstreamName: String? = nil, core: ServerCore) {
    self.listener = listener
    self.authority = authority
    self.upstreamName = upstreamName
    self.core = core
    arrivals = Lent(core.arrivals)
    isPlain =
      upstreamName == nil && !core.configuration.allowsCORS
      && core.configuration.allowedOrigins.isEmpty && core.configuration.relay == nil
    mainSession = core.mainSession
    namesCases = core.configuration.namesCases
    repertoire = Repertoire(of: core)
    let limits = core.configuration.limits
    self.limits = Limits(limits)
    head = RequestHead(limits: limits.message)
    journal = JournalRing(
      recordCountMax: limits.journalRecordCountMax, byteCountMax: limits.journalByteCountMax,
      bodyByteCountMax: limits.journalBodyByteCountMax)
    reporter = core.configuration.listener.map(ExchangeReporter.init)
  }

  func scaled(_ duration: Duration) -> Int64 {
    let scaled = Double(duration.nanoseconds) * core.configuration.timeScale
    return Int64(min(max(0, scaled), Double(Duration.nanosecondsMax)))
  }

  func note(_ slot: JournalRing.Slot?, _ outcome: JournalRing.Outcome) {
    guard let slot else { return }
    journal.update(slot) { $0.outcome = outcome }
    if reporter != nil { reporter?.finish(slot, outcome, journal.record(at: slot)) }
  }

  /// What was answered, where it was not known when the request came.
  func note(_ slot: JournalRing.Slot?, status: Int) {
    guard let slot else { return }
    journal.update(slot) { $0.status = UInt16(clamping: status) }
    reporter?.note(slot, status: status)
  }

  func noteBegin(_ slot: JournalRing.Slot?, delay: Int64) {
    guard let slot else { return }
    journal.update(slot) { $0.delayGiven = delay }
  }

  func noteSent(_ slot: JournalRing.Slot?, byteCount: Int) {
    guard let slot else { return }
    journal.update(slot) { $0.sentByteCount += UInt64(byteCount) }
  }
}

/// What a request was answered by.
struct Played: Hashable, Sendable {
  /// `dog-ceo/random-images`
  let contract: String
  let caseName: String
}

/// Gives each contract and case a small number that a journal can keep.
struct LabelTable {
  private var numbers: [Played: Int32] = [:]
  private var all: [Played] = []

  mutating func number(of played: Played) -> Int32 {
    if let number = numbers[played] { return number }
    let number = Int32(all.count)
    numbers[played] = number
    all.append(played)
    return number
  }

  func played(by number: Int32) -> Played? {
    all.indices.contains(Int(number)) ? all[Int(number)] : nil
  }
}
