/// The connections of a loop. A slot's number is also its timer's.
///
/// Owned by its loop. Slots never move, so a pointer to one is valid until it is freed.
struct ConnectionTable: ~Copyable {
  typealias Pointer = UnsafeMutablePointer<Connection>
  private static let chunkCount = 256
  /// A poller's token uses two more bits for other purposes.
  private static let generationMask: UInt32 = 1 << 30 - 1

  // SAFETY: a slot is initialized exactly while its entry in `generations` is odd.
  private var chunks: [Pointer] = []
  private var generations: [UInt32] = []
  private var free: [Int] = []
  private(set) var count = 0

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  mutating func insert(_ connection: Connection) -> Int {
    if free.isEmpty { grow() }
    let slot = free.removeLast()
    generations[slot] &+= 1
    place(slot).initialize(to: connection)
    count += 1
    return slot
  }

  mutating func remove(_ slot: Int) {
    place(slot).deinitialize(count: 1)
    generations[slot] &+= 1
    free.append(slot)
    count -= 1
  }

  /// Distinguishes this connection from all others in its slot, past or future.
  func token(of slot: Int) -> UInt64 {
    UInt64(generations[slot] & Self.generationMask) << 32 | UInt64(slot)
  }

  /// `nil` when the token's connection is gone.
  func slot(of token: UInt64) -> Int? {
    let slot = Int(token & 0xFFFF_FFFF)
    return find(slot) != nil && self.token(of: slot) == token ? slot : nil
  }

  /// The connection in an occupied slot.
  subscript(slot: Int) -> Pointer { place(slot) }

  /// `nil` for a free slot.
  func find(_ slot: Int) -> Pointer? {
    slot < generations.count && generations[slot] & 1 == 1 ? place(slot) : nil
  }

  var slots: [Int] { generations.indices.filter { generations[$0] & 1 == 1 } }

  private func place(_ slot: Int) -> Pointer {
    chunks[slot / Self.chunkCount] + slot % Self.chunkCount
  }

  private mutating func grow() {
    let first = generations.count
    chunks.append(.allocate(capacity: Self.chunkCount))
    generations += repeatElement(0, count: Self.chunkCount)
    free += (first..<first + Self.chunkCount).reversed()
  }
}
