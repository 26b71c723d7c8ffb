import UnderstudySystem
import UnderstudyCCurl
import UnderstudyCore

/// One of curl's handles with everything it points to; it carries one transfer after another.
///
/// The sender of a request owns it, but lends it to the driver's thread from posting it until the
/// waiter is resumed.
// SAFETY: (`@unchecked Sendable`) the mailbox's lock hands it over, and the waiter hands it back.
final class CurlHandle: @unchecked Sendable {
  let curl: ccurl
  let easy: UnsafeMutableRawPointer
  var waiter: CurlWaiter?
  var reception: CurlResponse?
  private(set) var sink: BodySink?
  /// When its time is up. Curl also measures the time and knows the phase, so its limit comes
  /// first; but it does not while a request waits for a free connection.
  private(set) var endTime: Int64?
  private(set) var stallNanoseconds: Int64?
  let readsCertificates: Bool
  private let wordBytes: UnsafeMutablePointer<CChar>
  private let requestCount: UnsafeMutablePointer<CInt>
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var body: UnsafeMutableBufferPointer<UInt8>?

  // Used only on the driver's thread.
  /// Its index among the driver's active transfers, if it is one.
  var index: Int?
  let time: LoopTime
  var progress = TransferProgress(at: 0)

  /// How much earlier curl's own limit comes.
  private static let headStart: Int64 = 20_000_000

  init(
    _ curl: ccurl, _ configuration: CurlConfiguration, _ time: LoopTime
  ) throws(TransportError) {
    guard let easy = curl.pointee.easy_init() else { throw .outOfMemory }
    self.curl = curl
    self.easy = easy
    self.time = time
    readsCertificates = configuration.readsCertificates
    // SAFETY: curl writes into it, never more than this, until `deinit` has cleaned the handle up.
    wordBytes = .allocate(capacity: Int(CURL_ERROR_SIZE))
    wordBytes.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    ccurl_set_pointer(curl, easy, CURLOPT_ERRORBUFFER, wordBytes)
    // SAFETY: only the callback of this handle writes it, until `deinit` has cleaned the handle up.
    requestCount = .allocate(capacity: 1)
    requestCount.initialize(to: 0)
    ccurl_count_requests(curl, easy, requestCount)
    // SAFETY: not retained: the loop retains this object as long as curl may call back.
    let this = Unmanaged.passUnretained(self).toOpaque()
    ccurl_set_pointer(curl, easy, CURLOPT_PRIVATE, this)
    ccurl_set_pointer(curl, easy, CURLOPT_WRITEDATA, this)
    ccurl_set_callback(curl, easy, CURLOPT_WRITEFUNCTION, onBytes)
    if Self.readsHeadFirst(curl) {
      ccurl_set_long(curl, easy, CURLOPT_HEADER, 1)
    } else {
      ccurl_set_pointer(curl, easy, CURLOPT_HEADERDATA, this)
      ccurl_set_callback(curl, easy, CURLOPT_HEADERFUNCTION, onHeaderLine)
    }
    ccurl_set_progress(curl, easy, onProgress, this)
    ccurl_allow_http_alone(curl, easy)
    ccurl_abandon_lookups(curl, easy)
    ccurl_set_long(curl, easy, CURLOPT_NOSIGNAL, 1)
    ccurl_set_long(curl, easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    ccurl_set_long(curl, easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    try set(CURLOPT_ACCEPT_ENCODING, to: "")
    if let file = configuration.trustFile {
      try set(CURLOPT_CAINFO, to: file)
      try set(CURLOPT_CAPATH, to: nil)
    }
    // Where libcurl cannot read them, they stay unknown.
    if readsCertificates { ccurl_set_long(curl, easy, CURLOPT_CERTINFO, 1) }
    if let proxy = configuration.proxy {
      try set(CURLOPT_PROXY, to: proxy)
      try set(CURLOPT_NOPROXY, to: "")
    } else if configuration.ignoresProxies {
      try set(CURLOPT_PROXY, to: "")
    }
  }

  /// Whether this libcurl must not parse a line before we have read it: before 8.2, a handle keeps
  /// a pointer to the last header of a response, and uses it after it is freed when the next
  /// response begins with a folded line, so that a server could corrupt memory (curl's pull request
  /// 11103, May 2023). Where the head is delivered as part of the body, we get each line first, and
  /// can refuse that one.
  private static func readsHeadFirst(_ curl: ccurl) -> Bool {
    curl.pointee.version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0 < 0x08_0200
  }

  // MARK: texts

  private func set(_ option: CURLoption, to text: String?) throws(TransportError) {
    try Self.check(text)
    ccurl_set_string(curl, easy, option, text)
  }

  private func append(_ line: String) throws(TransportError) {
    try Self.check(line)
    guard let longer = curl.pointee.slist_append(headers, line) else { throw .outOfMemory }
    headers = longer
  }

  /// Every text passes here on its way to curl, for which one with a NUL would end there.
  private static func check(_ text: String?) throws(TransportError) {
    guard let text, text.hasNUL else { return }
    throw TransportError(
      .invalidRequest, "found a NUL in \"\(text.prefix { $0 != "\0" })…\", expected none")
  }

  deinit {
    curl.pointee.easy_cleanup(easy)
    clear()
    wordBytes.deallocate()
    requestCount.deallocate()
  }

  /// The object behind one of curl's handles.
  static func owner(of easy: UnsafeMutableRawPointer?, _ curl: ccurl) -> CurlHandle? {
    var this: UnsafeMutableRawPointer?
    guard let easy, ccurl_get_pointer(curl, easy, CURLINFO_PRIVATE, &this) == CURLE_OK else {
      return nil
    }
    // SAFETY: set by `init`, and the loop retains the object while curl uses its handle.
    return this.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: the sender's

  func prepare(_ request: ClientRequest, _ destination: BodyDestination) throws(TransportError) {
    let options = request.options
    var milliseconds = 0
    if let end = options.end(from: .now) {
      milliseconds = (end - .now).wholeMilliseconds
      if milliseconds <= 0 {
        throw TransportError(
          .timedOut(.resolving), "\(request.place): the deadline has passed",
          curlCode: Int(CURLE_OPERATION_TIMEDOUT.rawValue))
      }
      endTime = SystemClock.monotonic + Int64(milliseconds) * 1_000_000 + Self.headStart
    }
    stallNanoseconds = options.stallTimeout?.wholeNanoseconds
    reception = CurlResponse(limits: options)
    sink = try BodySink(destination, request)
    wordBytes[0] = 0
    requestCount.pointee = 0
    try set(CURLOPT_URL, to: request.url)
    ccurl_set_long(curl, easy, CURLOPT_TIMEOUT_MS, milliseconds)
    ccurl_set_long(
      curl, easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, options.connectTimeout.wholeMilliseconds))
    // For an open connection, no callback checks where it leads.
    ccurl_set_long(curl, easy, CURLOPT_FRESH_CONNECT, request.goesOnce || request.isLedAway ? 1 : 0)
    ccurl_set_open_socket(
      curl, easy, request.isLedAway ? onOpenSocket : nil, Unmanaged.passUnretained(self).toOpaque())
    ccurl_set_long(curl, easy, CURLOPT_FORBID_REUSE, request.goesOnce ? 1 : 0)
    try setMethod(request)
    try setHeaders(request)
  }

  private func setMethod(_ request: ClientRequest) throws(TransportError) {
    var isCustom = false
    if let bytes = request.body, !bytes.isEmpty {
      // SAFETY: curl reads it while it sends; freed by `clear`, when curl has released the handle.
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = copy.initialize(from: bytes)
      body = copy
    }
    if request.sendsBody {
      ccurl_set_long(curl, easy, CURLOPT_POST, 1)
      ccurl_set_offset(curl, easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body?.count ?? 0))
      // SAFETY: the literal is never freed. Without a pointer, curl would call a callback.
      let bytes = body.map { UnsafePointer($0.baseAddress) } ?? ("" as StaticString).utf8Start
      ccurl_set_pointer(curl, easy, CURLOPT_POSTFIELDS, bytes)
      isCustom = request.method != .post
    } else if request.method == .head {
      ccurl_set_long(curl, easy, CURLOPT_NOBODY, 1)
    } else {
      ccurl_set_long(curl, easy, CURLOPT_HTTPGET, 1)
      isCustom = request.method != .get
    }
    try set(CURLOPT_CUSTOMREQUEST, to: isCustom ? request.method.rawValue : nil)
  }

  private func setHeaders(_ request: ClientRequest) throws(TransportError) {
    var lines = request.headers.fields.map { field in
      // Curl's notation for a field without a value; with a colon it would remove one of its own.
      field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    if request.sendsBody {
      // Curl would declare a form, and wait for `100 Continue` before sending much.
      if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
      if request.headers["Expect"] == nil { lines.append("Expect:") }
    }
    for line in lines { try append(line) }
    ccurl_set_pointer(curl, easy, CURLOPT_HTTPHEADER, headers)
  }

  /// Resets the transfer; curl must have released the handle.
  func clear() {
    endTime = nil
    reception = nil
    sink = nil
    curl.pointee.slist_free_all(headers)
    headers = nil
    body?.deallocate()
    body = nil
  }

  /// Curl's words about a failed transfer; often empty.
  var words: String { String(cString: wordBytes) }

  /// How often curl itself sent the request again, since an open connection turned out to be gone.
  var resentCount: Int { max(0, Int(requestCount.pointee) - 1) }

  func offset(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    ccurl_get_offset(curl, easy, info, &value)
    return Int64(value)
  }

  // MARK: the driver's

  func begin(at index: Int) {
    self.index = index
    progress = TransferProgress(at: time.now)
  }

  /// Its index and waiter; `nil` if it is not active, and then possibly owned by a sender.
  func end() -> (index: Int, waiter: CurlWaiter)? {
    guard let index, let waiter else { return nil }
    self.index = nil
    self.waiter = nil
    return (index, waiter)
  }

  func lastProgress() -> Int64 {
    progress.lastMove(connected: offset(CURLINFO_PRETRANSFER_TIME_T) * 1000, at: time.now)
  }
}
