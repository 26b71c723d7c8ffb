import ContractModel
import HTTP

/// A server's place on one loop: the socket it listens on, and its journal there.
///
/// Made anywhere, then owned by its loop and touched on the loop's thread alone.
final class Seat {
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

  let listener: Int32
  let authority: String
  let core: ServerCore
  let limits: Limits
  var journal: JournalRing
  var labels = LabelTable()
  /// Clients turned away because there were too many.
  var refusedCount = 0

  init(listener: Int32, authority: String, core: ServerCore) {
    self.listener = listener
    self.authority = authority
    self.core = core
    let limits = core.configuration.limits
    self.limits = Limits(limits)
    journal = JournalRing(
      recordCountMax: limits.journalRecordCountMax, byteCountMax: limits.journalByteCountMax,
      bodyByteCountMax: limits.journalBodyByteCountMax)
  }

  func scaled(_ duration: Duration) -> Int64 {
    Int64(Double(duration.nanoseconds) * core.configuration.timeScale)
  }

  func note(_ slot: JournalRing.Slot?, _ outcome: JournalRing.Outcome) {
    guard let slot else { return }
    journal.update(slot) { $0.outcome = outcome }
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

/// Gives each contract and case, and each session, a small number that a journal can keep.
struct LabelTable {
  private var numbers: [String: Int32] = [:]
  private(set) var texts: [String] = []

  mutating func number(of text: String) -> Int32 {
    if let number = numbers[text] { return number }
    let number = Int32(texts.count)
    numbers[text] = number
    texts.append(text)
    return number
  }

  func text(of number: Int32) -> String? {
    texts.indices.contains(Int(number)) ? texts[Int(number)] : nil
  }
}
