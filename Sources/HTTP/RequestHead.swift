/// The positions of a request head's parts in its buffer, and what parsing has determined.
///
/// One value serves all requests of an event loop: parsing overwrites it and allocates nothing.
/// Ranges count from the first byte passed to `parse`.
public struct RequestHead: ~Copyable {
  /// One line of the head: the name as sent, and the value without surrounding whitespace.
  public struct Field: Sendable {
    public let name: ByteRange
    public let value: ByteRange
  }

  /// The form of the request target (RFC 9112, section 3.2).
  public enum TargetForm: Sendable {
    case origin
    /// With scheme and authority, as sent to proxies.
    case absolute
    /// The host and port that `CONNECT` asks a proxy for.
    case authority
    /// `OPTIONS *`
    case asterisk
  }

  /// What parsing found. Public with `parse`, so that the compiler inlines that in other modules.
  public enum Response: Hashable, Sendable {
    /// The head has not ended yet.
    case incomplete
    /// The head has this many bytes; the body follows.
    case complete(byteCount: Int)
    case malformed(Refusal)
  }

  public internal(set) var method = ByteRange()
  public internal(set) var isHead = false
  public internal(set) var target = ByteRange()
  public internal(set) var targetForm = TargetForm.origin
  /// Percent-encoded as sent; empty in absolute form, where it means `/`, and in authority form.
  public internal(set) var path = ByteRange()
  /// Without the question mark; `nil` without one.
  public internal(set) var query: ByteRange?
  /// The host, and the port if given, from the target or else the Host field. Empty only in
  /// HTTP/1.0.
  public internal(set) var authority = ByteRange()
  /// The authority without a port.
  public internal(set) var host = ByteRange()
  /// 1 in HTTP/1.1, 0 in HTTP/1.0.
  public internal(set) var minorVersion: UInt8 = 1
  public internal(set) var body = BodyFraming.none
  /// Whether the client wants to send further requests.
  public internal(set) var keepsAlive = true
  /// Whether the client waits for `100 Continue` before it sends the body.
  public internal(set) var expectsContinue = false
  public internal(set) var fieldCount = 0

  public let limits: MessageLimits
  // SAFETY: has room for `limits.fieldsMax` fields, the first `fieldCount` of which are set.
  private let table: UnsafeMutablePointer<Field>

  public init(limits: MessageLimits = MessageLimits()) {
    self.limits = limits
    table = .allocate(capacity: max(limits.fieldsMax, 1))
  }

  deinit { table.deallocate() }

  /// In the order sent.
  public func field(at index: Int) -> Field {
    precondition(index >= 0 && index < fieldCount, "a request has no such field")
    return table[index]
  }

  /// In the order sent; valid until the next head is parsed.
  public var fields: UnsafeBufferPointer<Field> {
    UnsafeBufferPointer(start: table, count: fieldCount)
  }

  /// The first value of a field; `name` is in lowercase.
  public func value(of name: StaticString, in bytes: UnsafeRawBufferPointer) -> ByteRange? {
    guard let start = bytes.baseAddress else { return nil }
    let scan = ByteScan(start, count: bytes.count)
    for index in 0..<fieldCount where scan.matches(name, in: table[index].name.offsets) {
      return table[index].value
    }
    return nil
  }

  mutating func append(_ field: Field) -> Bool {
    guard fieldCount < limits.fieldsMax else { return false }
    table[fieldCount] = field
    fieldCount &+= 1
    return true
  }
}
