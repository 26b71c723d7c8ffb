import UnderstudyCore

/// The last requests: a ring of records beside a ring of the bytes that came.
///
/// Owned and written by one thread; others get copies. Writing a request costs a copy of its bytes
/// and no allocation.
struct JournalRing: ~Copyable {
  struct Record: Sendable {
    var sequence: UInt64 = 0
    /// Nanoseconds since 1970 at which the request was complete.
    var receivedAt = Moment.epoch
    var delayAsked: Int64 = 0
    var delayGiven: Int64 = 0
    /// Of what was played, given by `label(of:)`.
    var label: Int32 = -1
    /// Of the session it came to. Two sessions may have the same: whoever asks for one has to compare
    /// the names as well.
    var sessionMark = JournalRing.mainMark
    var status: UInt16 = 0
    var reason: JournalEntry.Reason?
    /// Whether no contract answered.
    var isMiss = false
    var outcome = JournalEntry.Outcome.underWay
    var sentByteCount: UInt64 = 0
    fileprivate var isForgotten = false
    fileprivate var offset: UInt64 = 0
    fileprivate(set) var headByteCount: UInt32 = 0
    fileprivate(set) var bodyByteCount: UInt32 = 0
    /// What the body had before it was cut to what a journal keeps.
    var bodyByteCountSent: UInt64 = 0
  }

  private let records: UnsafeMutableBufferPointer<Record>
  private let bytes: UnsafeMutableRawBufferPointer
  /// How many records and bytes were ever written; the rings hold the last of them.
  private var recordsWritten = 0
  private var bytesWritten: UInt64 = 0
  /// Where the next of each goes.
  private var recordPosition = 0
  private var bytePosition = 0

  /// What records name by a small number.
  private var labels: [PlayedCase: Int32] = [:]
  private var played: [PlayedCase] = []

  private let bodyByteCountMax: Int

  init(recordCountMax: Int, byteCountMax: Int, bodyByteCountMax: Int) {
    // SAFETY: both are freed by deinit. Records are read only once they were written, bytes only
    // where a record says that they were: a ring touches no memory before it is needed.
    records = .allocate(capacity: max(1, recordCountMax))
    bytes = .allocate(byteCount: max(1 << 16, byteCountMax), alignment: 16)
    self.bodyByteCountMax = min(bodyByteCountMax, bytes.count / 4)
  }

  deinit {
    records.deallocate()
    bytes.deallocate()
  }

  /// Notes a request, and gives the slot by which its record can be completed later.
  mutating func append(
    _ record: Record, head: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer
  ) -> Slot {
    var record = record
    let headByteCount = min(head.count, bytes.count / 4)
    let bodyByteCount = min(body.count, bodyByteCountMax)
    // A record's bytes stay in one piece: what is left at the end is skipped when too small.
    if bytePosition + headByteCount + bodyByteCount > bytes.count {
      bytesWritten += UInt64(bytes.count - bytePosition)
      bytePosition = 0
    }
    record.offset = bytesWritten
    record.headByteCount = UInt32(headByteCount)
    record.bodyByteCount = UInt32(bodyByteCount)
    record.bodyByteCountSent = UInt64(body.count)
    copy(head, headByteCount)
    copy(body, bodyByteCount)
    records.initializeElement(at: recordPosition, to: record)
    recordPosition = recordPosition + 1 == records.count ? 0 : recordPosition + 1
    recordsWritten += 1
    return Slot(index: recordsWritten - 1)
  }

  /// The number that stands for a contract and its case in records.
  mutating func label(of new: PlayedCase) -> Int32 {
    if let label = labels[new] { return label }
    let label = Int32(played.count)
    labels[new] = label
    played.append(new)
    return label
  }

  private mutating func copy(_ source: UnsafeRawBufferPointer, _ count: Int) {
    guard count > 0, let source = source.baseAddress, let target = bytes.baseAddress else { return }
    // SAFETY: `append` has made sure that so many bytes are left in the ring.
    (target + bytePosition).copyMemory(from: source, byteCount: count)
    bytePosition += count
    bytesWritten += UInt64(count)
  }

  struct Slot: Hashable, Sendable {
    let index: Int
  }

  /// Changes a record unless newer ones have taken its place.
  mutating func update(_ slot: Slot, _ change: (inout Record) -> Void) {
    guard recordsWritten - slot.index <= records.count else { return }
    change(&records[slot.index % records.count])
  }

  /// A record as it stands now; `nil` when newer ones have taken its place.
  func record(at slot: Slot) -> Record? {
    recordsWritten - slot.index <= records.count ? records[slot.index % records.count] : nil
  }

  /// Forgets a record. An answer still under way completes it to no effect.
  mutating func remove(_ slot: Slot) {
    update(slot) { $0.isForgotten = true }
  }

  mutating func removeAll() {
    for index in 0..<min(recordsWritten, records.count) { records[index].isForgotten = true }
  }

  /// A record with its bytes, copied out of the ring.
  struct Copy: Sendable {
    let slot: Slot
    let record: Record
    let played: PlayedCase?
    let head: [UInt8]
    let body: [UInt8]
  }

  /// What the ring holds of the records that are meant and came after the one with this number, the
  /// oldest first. Looks at no others: of a long journal mostly the end is wanted.
  func copies(after sequence: UInt64, where isMeant: (Record) -> Bool) -> [Copy] {
    var found: [Copy] = []
    for index in (max(0, recordsWritten - records.count)..<recordsWritten).reversed() {
      let record = records[index % records.count]
      // Numbers grow from record to record.
      if record.sequence <= sequence { break }
      if isMeant(record), let copy = copy(at: Slot(index: index)) { found.append(copy) }
    }
    return found.reversed()
  }

  /// `nil` when the record is forgotten or newer bytes have taken the place of its own.
  func copy(at slot: Slot) -> Copy? {
    guard let record = record(at: slot), !record.isForgotten,
      bytesWritten - record.offset <= UInt64(bytes.count)
    else { return nil }
    let start = Int(record.offset % UInt64(bytes.count))
    let middle = start + Int(record.headByteCount)
    return Copy(
      slot: slot, record: record,
      played: played.indices.contains(Int(record.label)) ? played[Int(record.label)] : nil,
      head: Array(bytes[start..<middle]),
      body: Array(bytes[middle..<middle + Int(record.bodyByteCount)]))
  }
}

extension JournalRing {
  /// No other session has the mark of the main one.
  static let mainMark: UInt32 = 0

  static func mark(ofSession name: String) -> UInt32 {
    name.isEmpty ? mainMark : max(1, name.fnv1a)
  }
}

/// What a request was answered by.
struct PlayedCase: Hashable, Sendable {
  /// `dog-ceo/random-images`
  let contract: String
  let caseName: String
}

extension String {
  /// A hash that is the same in every process.
  var fnv1a: UInt32 {
    utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}
