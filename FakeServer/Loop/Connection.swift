import UnderstudyHTTP
import UnderstudySystem

/// One client's connection, as its loop keeps it.
///
/// Lives in a `ConnectionTable` and is touched on the loop's thread alone. The transitions:
/// `reading` → `answering` (an answer takes its time) → `reading`; either → `draining` (everything
/// is said, the client may not have listened to it all) → gone; `answering` → `resetting` → gone.
struct Connection {
  enum Phase {
    case reading
    /// An answer is played or held; what the client sends meanwhile waits in the kernel.
    case answering
    /// Writing is shut; what still comes is thrown away, so that no reset destroys the answer.
    case draining
    /// Everything before a reset is sent; it must have reached the client's machine first.
    case resetting
  }

  let descriptor: Int32
  let listener: Listener
  var phase = Phase.reading
  var conversation: Conversation
  /// Bytes that wait for the rest of a request, or for the answer to the one before.
  var input = ByteBuffer()
  /// Bytes the kernel did not take yet.
  var output = ByteBuffer()
  /// The head, and what has come of the body, of a request that is not complete.
  var request: PartialRequest?
  /// The answer under way, when it takes its time.
  var pending: PendingAnswer?
  /// Whether `since` is the beginning of a request, rather than of doing nothing.
  var isRequestUnderWay = false
  /// Whether the client has shut its side; what it sent before may still wait to be read.
  var hasHungUp = false
  /// Whether the connection ends once everything in `output` is sent.
  var closesOnceSent = false
  /// Whether its turn to go on is noted already.
  var isReady = false
  /// When what the connection waits for began: a request, its next one, room for what is to be sent.
  var since: Int64
  /// What was on its way to the client when that was last looked at.
  var unacknowledgedByteCount: Int32 = 0
  /// What the poller was last told.
  var watched = Poller.Interest.reads

  init(descriptor: Int32, listener: Listener, now: Int64) {
    self.descriptor = descriptor
    self.listener = listener
    conversation = Conversation(limits: listener.limits.message)
    since = now
  }

  /// How long the client may take for what it has to do.
  var patience: Int64 {
    isRequestUnderWay && output.isEmpty ? listener.limits.request : listener.limits.idle
  }

  /// Whether the client gets no more answer to what it has sent.
  var waitsForNothing: Bool {
    if let pending { return pending.isStalled && output.isEmpty }
    return phase == .reading && !isRequestUnderWay && input.isEmpty && output.isEmpty
  }
}

/// The connections of a loop, each in a slot whose number is also its timer's.
///
/// Owned by its loop. Slots never move, so a pointer to one is good until it is freed.
struct ConnectionTable: ~Copyable {
  typealias Pointer = UnsafeMutablePointer<Connection>
  private static let chunkCount = 256
  /// A poller's token has two more bits for other purposes.
  private static let generationMask: UInt32 = 1 << 30 - 1

  // SAFETY: a slot is initialized exactly while `generations` has an odd number for it.
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

  /// Tells this connection from any other that had or will have its slot.
  func token(of slot: Int) -> UInt64 {
    UInt64(generations[slot] & Self.generationMask) << 32 | UInt64(slot)
  }

  /// `nil` when the connection the token was made for is gone.
  func slot(of token: UInt64) -> Int? {
    let slot = Int(token & 0xFFFF_FFFF)
    return find(slot) != nil && self.token(of: slot) == token ? slot : nil
  }

  /// The connection in a slot that is taken.
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

/// A request whose body is on its way.
struct PartialRequest {
  let head: [UInt8]
  var body: [UInt8] = []
  /// What the body takes of the server's room; `nil` before any of it had to be kept.
  var share: BodyShare?
  /// Whether nothing is read because there is no room for more of the body.
  var waitsForRoom = false

  init(head: UnsafeRawBufferPointer) {
    self.head = Array(head)
  }
}

/// An answer that takes its time, and how far it has got.
///
/// Belongs to its connection and lives on its loop's thread.
struct PendingAnswer {
  var script: WireScript
  /// `nil` for an answer whose course nobody follows.
  let mark: AnswerMark?
  /// When the next step is due, in monotonic nanoseconds; steps do not drift, since each is reckoned
  /// from the one before.
  var due: Int64
  let requestedAt: Int64
  var hasBegun = false
  var isStalled = false
  /// The number of the ticket whose holder has yet to give the script; 0 when it is there.
  var ticket: UInt64 = 0
  /// What makes the script meanwhile: it is let go of when the script is there, or nobody waits.
  var errand: AnyObject?

  /// Whether it stopped for good, as its case asks, rather than to wait for its script.
  var hasStalled: Bool { isStalled && ticket == 0 }
}
