import UnderstudyCore

/// The last requests: a ring of records and a ring of their bytes.
///
/// Owned and written by one thread; others get copies. Writing a request copies its bytes and
/// allocates nothing. A record is gone once newer requests have taken its place or that of its
/// bytes.
///
/// The folder keeps the request log. Read this file first, then `JournalEntry`, which is what tests
/// and the admin API get, `JournalQuery`, which selects entries, and `JournalReader`, which makes
/// entries from copies on another thread. `ServedCases` numbers the cases that records name.
/// `Exchange` and `ExchangeBatch` carry completed requests to whoever prints them.
///
/// Records and entries have the request as it was sent, secrets included. Whatever shows them masks
/// them first.
struct JournalRing: ~Copyable {
  struct Record: Sendable {
    var sequence: UInt64 = 0
    /// When the request was complete, in nanoseconds since 1970.
    var receivedAt = Moment.epoch
    var delayConfigured: Int64 = 0
    var delayActual: Int64 = 0
    /// The number of the served case.
    var label: Int32 = -1
    /// The hash of its session. Hashes may collide, so readers must also compare the names.
    var sessionMark = JournalRing.mainMark
    var status: UInt16 = 0
    var reason: JournalEntry.Reason?
    /// Whether no contract matched.
    var isUnmatched = false
    var outcome = JournalEntry.Outcome.underWay
    var sentByteCount: UInt64 = 0
    fileprivate var isForgotten = false
    fileprivate var offset: UInt64 = 0
    fileprivate(set) var headByteCount: UInt32 = 0
    fileprivate(set) var bodyByteCount: UInt32 = 0
    /// The size of the whole body, before it was cut off at the request log's limit.
    var bodyByteCountSent: UInt64 = 0
  }

  private let records: UnsafeMutableBufferPointer<Record>
  private let bytes: UnsafeMutableRawBufferPointer
  /// The total number of written records and bytes; the rings hold the last of them.
  private var recordsWritten = 0
  private var bytesWritten: UInt64 = 0
  /// The next write positions.
  private var recordPosition = 0
  private var bytePosition = 0

  private let servedCases: ServedCases
  private let bodyByteCountMax: Int

  init(
    of servedCases: ServedCases, recordCountMax: Int, byteCountMax: Int, bodyByteCountMax: Int
  ) {
    self.servedCases = servedCases
    // SAFETY: both are freed by deinit. Records are read only after they are written, bytes only
    // where a record says they were: a ring uses no memory before it is needed.
    records = .allocate(capacity: max(1, recordCountMax))
    bytes = .allocate(byteCount: max(1 << 16, byteCountMax), alignment: 16)
    self.bodyByteCountMax = min(bodyByteCountMax, bytes.count / 4)
  }

  deinit {
    records.deallocate()
    bytes.deallocate()
  }

  /// Writes a request, and returns the slot for completing its record later.
  mutating func append(
    _ record: Record, head: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer
  ) -> Slot {
    var record = record
    let headByteCount = min(head.count, bytes.count / 4)
    let bodyByteCount = min(body.count, bodyByteCountMax)
    // A record's bytes stay in one piece: a remainder at the end that is too small is skipped.
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

  private mutating func copy(_ source: UnsafeRawBufferPointer, _ count: Int) {
    guard count > 0, let source = source.baseAddress, let target = bytes.baseAddress else { return }
    // SAFETY: `append` has made sure that this many bytes are left in the ring.
    (target + bytePosition).copyMemory(from: source, byteCount: count)
    bytePosition += count
    bytesWritten += UInt64(count)
  }

  struct Slot: Hashable, Sendable {
    let index: Int
  }

  /// Changes a record unless newer ones have replaced it.
  mutating func update(_ slot: Slot, _ change: (inout Record) -> Void) {
    guard recordsWritten - slot.index <= records.count else { return }
    change(&records[slot.index % records.count])
  }

  /// The current record; `nil` when newer ones have replaced it.
  func record(at slot: Slot) -> Record? {
    recordsWritten - slot.index <= records.count ? records[slot.index % records.count] : nil
  }

  /// Removes a record. A response in progress can still complete it without effect.
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
    let served: ServedCase?
    let head: [UInt8]
    let body: [UInt8]
  }

  /// The matching records after the one with this number, oldest first. Earlier records are not
  /// visited, since most queries need only the end of a long journal.
  func copies(after sequence: UInt64, where isMeant: (Record) -> Bool) -> [Copy] {
    var found: [Copy] = []
    for index in (max(0, recordsWritten - records.count)..<recordsWritten).reversed() {
      let record = records[index % records.count]
      // Numbers increase from record to record.
      if record.sequence <= sequence { break }
      if isMeant(record), let copy = copy(at: Slot(index: index)) { found.append(copy) }
    }
    return found.reversed()
  }

  /// `nil` when the record was removed or its bytes were overwritten.
  func copy(at slot: Slot) -> Copy? {
    guard let record = record(at: slot), !record.isForgotten,
      bytesWritten - record.offset <= UInt64(bytes.count)
    else { return nil }
    let start = Int(record.offset % UInt64(bytes.count))
    let middle = start + Int(record.headByteCount)
    return Copy(
      slot: slot, record: record,
      served: record.label < 0 ? nil : servedCases[Int(record.label)],
      head: Array(bytes[start..<middle]),
      body: Array(bytes[middle..<middle + Int(record.bodyByteCount)]))
  }
}

extension JournalRing {
  /// No other session has the main session's mark.
  static let mainMark: UInt32 = 0

  static func mark(ofSession name: String) -> UInt32 {
    name.isEmpty ? mainMark : max(1, name.fnv1a)
  }
}

extension String {
  /// A hash that is the same in every process.
  var fnv1a: UInt32 {
    utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}
