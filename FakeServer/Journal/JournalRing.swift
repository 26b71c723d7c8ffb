/// The last requests: a ring of records and a ring of their bytes.
///
/// Owned and written by one thread; others get copies. Writing a request copies its bytes and
/// allocates nothing. A record is gone once newer requests have taken its place or that of its
/// bytes.
///
/// The folder keeps the request log. Read `JournalRecord` first, which everything here has or is
/// made of: a new column is a member of it, and a line in each of those who write it. Then this
/// file, then `JournalEntry`, which is what tests and the admin API get, `JournalQuery`, which
/// selects entries, and `JournalReader`, which makes entries from copies on another thread.
/// `ServedCases` numbers the cases that records name, and `CallbackLog` has what followed them. `Exchange` and `ExchangeBatch` carry
/// completed requests to whoever prints them.
///
/// Records and entries have the request as it was sent, secrets included. Whatever shows them masks
/// them first.
struct JournalRing: ~Copyable {
  /// A record, and where its bytes are.
  private struct Item {
    var record: JournalRecord
    var isForgotten = false
    let offset: UInt64
    let headByteCount: Int
    let bodyByteCount: Int
  }

  private let items: UnsafeMutableBufferPointer<Item>
  private let bytes: UnsafeMutableRawBufferPointer
  /// The total number of written records and bytes; the rings hold the last of them.
  private var recordsWritten = 0
  private var bytesWritten: UInt64 = 0
  /// The next write positions.
  private var recordPosition = 0
  private var bytePosition = 0

  private let servedCases: ServedCases
  private let callbacks: CallbackLog
  private let bodyByteCountMax: Int

  init(
    of servedCases: ServedCases, _ callbacks: CallbackLog, recordCountMax: Int,
    byteCountMax: Int, bodyByteCountMax: Int
  ) {
    self.servedCases = servedCases
    self.callbacks = callbacks
    // SAFETY: both are freed by deinit. Items are read only after they are written, bytes only
    // where an item says they were: a ring uses no memory before it is needed.
    items = .allocate(capacity: max(1, recordCountMax))
    bytes = .allocate(byteCount: max(1 << 16, byteCountMax), alignment: 16)
    self.bodyByteCountMax = min(bodyByteCountMax, bytes.count / 4)
  }

  deinit {
    items.deallocate()
    bytes.deallocate()
  }

  /// Writes a request, and returns the slot for completing its record later.
  mutating func append(
    _ record: JournalRecord, head: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer
  ) -> Slot {
    let headByteCount = min(head.count, bytes.count / 4)
    let bodyByteCount = min(body.count, bodyByteCountMax)
    // A record's bytes stay in one piece: a remainder at the end that is too small is skipped.
    if bytePosition + headByteCount + bodyByteCount > bytes.count {
      bytesWritten += UInt64(bytes.count - bytePosition)
      bytePosition = 0
    }
    var item = Item(
      record: record, offset: bytesWritten, headByteCount: headByteCount,
      bodyByteCount: bodyByteCount)
    item.record.bodyByteCount = body.count
    copy(head, headByteCount)
    copy(body, bodyByteCount)
    items.initializeElement(at: recordPosition, to: item)
    recordPosition = recordPosition + 1 == items.count ? 0 : recordPosition + 1
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

  private func has(_ slot: Slot) -> Bool { recordsWritten - slot.index <= items.count }

  /// Changes a record unless newer ones have replaced it.
  mutating func update(_ slot: Slot, _ change: (inout JournalRecord) -> Void) {
    if has(slot) { change(&items[slot.index % items.count].record) }
  }

  /// The current record; `nil` when newer ones have replaced it.
  func record(at slot: Slot) -> JournalRecord? {
    has(slot) ? items[slot.index % items.count].record : nil
  }

  /// Removes the records with these numbers. A response in progress can still complete its own
  /// without effect.
  mutating func remove(_ numbers: some Sequence<UInt64>) {
    for number in numbers {
      if let index = index(of: number) { items[index % items.count].isForgotten = true }
    }
  }

  mutating func removeAll() {
    for index in 0..<min(recordsWritten, items.count) { items[index].isForgotten = true }
  }

  /// Found by halves, since numbers increase from record to record.
  private func index(of number: UInt64) -> Int? {
    var (start, end) = (max(0, recordsWritten - items.count), recordsWritten)
    while start < end {
      let middle = (start + end) / 2
      let found = items[middle % items.count].record.sequence
      if found == number { return middle }
      if found < number { start = middle + 1 } else { end = middle }
    }
    return nil
  }

  /// A record with its bytes, copied out of the ring.
  struct Copy: Sendable {
    let record: JournalRecord
    let served: ServedCase?
    let callbacks: [CallbackAttempt]
    let head: [UInt8]
    let body: [UInt8]
  }

  /// The matching records after the one with this number, oldest first. Earlier records are not
  /// visited, since most queries need only the end of a long journal.
  func copies(after sequence: UInt64, where isMeant: (JournalRecord) -> Bool) -> [Copy] {
    var found: [Copy] = []
    for index in (max(0, recordsWritten - items.count)..<recordsWritten).reversed() {
      let record = items[index % items.count].record
      // Numbers increase from record to record.
      if record.sequence <= sequence { break }
      if isMeant(record), let copy = copy(at: Slot(index: index)) { found.append(copy) }
    }
    return found.reversed()
  }

  /// `nil` when the record was removed or its bytes were overwritten.
  func copy(at slot: Slot) -> Copy? {
    guard has(slot) else { return nil }
    let item = items[slot.index % items.count]
    guard !item.isForgotten, bytesWritten - item.offset <= UInt64(bytes.count) else { return nil }
    let start = Int(item.offset % UInt64(bytes.count))
    let middle = start + item.headByteCount
    return Copy(
      record: item.record,
      served: item.record.servedNumber < 0 ? nil : servedCases[Int(item.record.servedNumber)],
      callbacks: item.record.hasCallbacks ? callbacks.attempts(of: item.record.sequence) : [],
      head: Array(bytes[start..<middle]), body: Array(bytes[middle..<middle + item.bodyByteCount]))
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
