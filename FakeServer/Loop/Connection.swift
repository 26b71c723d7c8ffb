import UnderstudyHTTP
import UnderstudySystem
import UnderstudyTLS

/// A client's connection, as its loop keeps it.
///
/// Lives in a `ConnectionTable` and is used only on the loop's thread. The transitions: `reading` →
/// `responding` (the response takes time) → `reading`; either → `draining` (all is sent, the client
/// may not have received it) → gone; `responding` → `resetting` → gone.
struct Connection {
  enum Phase {
    case reading
    /// A response is being served or held; further input stays in the kernel.
    case responding
    /// Writing is shut; further input is discarded, so that no reset destroys the response.
    case draining
    /// Everything before a reset is sent; it must reach the client's machine first.
    case resetting
  }

  let descriptor: Int32
  let listener: Listener
  var phase = Phase.reading
  var conversation: Conversation
  /// Whether its first byte, which tells TLS from HTTP, is still to come.
  var mayBeginTLS: Bool
  /// `nil` for a client that speaks to the server itself.
  var tunnel: Tunnel?
  /// `nil` for a connection that is not encrypted.
  var tls: TLSSession?
  /// Bytes that wait for the rest of a request, or for the previous response.
  var input = ByteBuffer()
  /// Bytes that the kernel has not taken yet, as they are sent.
  var output = ByteBuffer()
  /// The head, and the body so far, of an incomplete request.
  var request: PartialRequest?
  /// The response in progress, when it takes time.
  var pending: PendingResponse?
  /// Whether `since` is the start of a request rather than of idling.
  var isRequestUnderWay = false
  /// Whether the client has shut its side; earlier input may still have to be read.
  var hasHungUp = false
  /// Whether the connection is closed once `output` is sent.
  var closesOnceSent = false
  /// Whether it is already scheduled to continue.
  var isReady = false
  /// The start of the current wait: for a request, the next one, or room to send.
  var since: Int64
  /// The number of unacknowledged bytes when last checked.
  var unacknowledgedByteCount: Int32 = 0
  /// The interest last given to the poller.
  var watched = Poller.Interest.reads

  init(descriptor: Int32, listener: Listener, now: Int64) {
    self.descriptor = descriptor
    self.listener = listener
    conversation = Conversation(limits: listener.limits.message)
    mayBeginTLS = listener.tls != nil
    since = now
  }

  /// How long the client may take for the current step.
  var patience: Int64 {
    isRequestUnderWay && output.isEmpty ? listener.limits.request : listener.limits.idle
  }

  /// Whether the client gets no further response to its input.
  var waitsForNothing: Bool {
    if let pending { return (pending.isStalled || pending.isIdle) && output.isEmpty }
    return isIdle
  }

  /// Whether no request has begun, and no response is in progress.
  var isIdle: Bool {
    pending == nil && phase == .reading && !isRequestUnderWay && input.isEmpty && output.isEmpty
  }
}

/// A request with an incomplete body.
struct PartialRequest {
  let head: [UInt8]
  var body: [UInt8] = []
  /// The body's share of the server's memory; `nil` before any of it had to be kept.
  var share: BodyShare?
  /// Whether reading is paused because there is no room for more of the body.
  var waitsForRoom = false

  // SAFETY: the bytes are copied, and not kept.
  init(head: UnsafeRawBufferPointer) {
    self.head = Array(head)
  }

  /// Returns false, and keeps nothing, where there is no memory for more.
  mutating func keep(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    let needed = body.count + bytes.count
    if needed > body.capacity {
      let capacity = max(needed, 2 * body.capacity)
      guard capacity < Self.largeByteCount || Memory.has(piecesOf: capacity) else { return false }
      body.reserveCapacity(capacity)
    }
    body += bytes
    return true
  }

  /// Whether there is memory to respond to it: reading a body takes several times its size.
  var canBeServed: Bool {
    body.count < Self.largeByteCount || Memory.has(16, piecesOf: body.count)
  }

  /// Smaller bodies are not worth a question.
  private static let largeByteCount = 1 << 20
}

/// A response that takes time, and its progress.
///
/// Owned by its connection and used only on its loop's thread.
struct PendingResponse {
  var script: WireScript
  /// `nil` for a response whose progress is not reported.
  let mark: ResponseMark?
  /// When the next step is due, in monotonic nanoseconds. Steps do not drift, since each is
  /// computed from the one before.
  var due: Int64
  let requestedAt: Int64
  var hasBegun = false
  var isStalled = false
  /// Whether it waits for a piece of its body.
  var isIdle = false
  /// The number of the ticket whose holder must still provide the script; 0 when it is there.
  var ticket: UInt64 = 0
  /// The work that makes the script; released when the script is there, or no client waits.
  var errand: Errand?

  /// Whether it stalled for good, as its case defines, rather than waiting for its script.
  var hasStalled: Bool { isStalled && ticket == 0 }
}
