import CCurl

/// One of curl's handles with all that it points to; it carries one transfer after the other.
///
/// The driver's thread alone uses it.
final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  private(set) var order: CurlOrder?
  private(set) var waiter: CurlWaiter?
  var reception = Reception()
  private let words: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var body: UnsafeMutableBufferPointer<UInt8>?
  private var progressTime: Int64 = 0
  private var byteCount: Int64 = 0
  /// When its time is over. Curl counts that too and knows the phase, so it comes first; but it does
  /// not while a request waits for a free connection.
  private(set) var endTime: Int64?
  private var sink: BodySink?
  private let time: LoopTime
  /// Of curl's own count of the time.
  private static let headStart: Int64 = 20_000_000

  /// Fails for lack of memory.
  init?(_ configuration: CurlConfiguration, _ time: LoopTime) {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    self.time = time
    // SAFETY: curl writes into it, never more than this, until `deinit` has cleaned the handle up.
    words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, words)
    // SAFETY: not retained: the loop keeps this object as long as curl may call back.
    let this = Unmanaged.passUnretained(self).toOpaque()
    for option in [CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA] {
      ccurl_set_pointer(easy, option, this)
    }
    ccurl_set_callback(easy, CURLOPT_WRITEFUNCTION, onBody)
    ccurl_set_callback(easy, CURLOPT_HEADERFUNCTION, onHeaderLine)
    ccurl_allow_http_alone(easy)
    ccurl_abandon_lookups(easy)
    ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    ccurl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    ccurl_set_long(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    ccurl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
    if let file = configuration.trustFile {
      ccurl_set_string(easy, CURLOPT_CAINFO, file)
      ccurl_set_string(easy, CURLOPT_CAPATH, nil)
    }
    if configuration.ignoresProxies { ccurl_set_string(easy, CURLOPT_PROXY, "") }
  }

  deinit {
    curl_easy_cleanup(easy)
    clear()
    words.deallocate()
  }

  /// The object behind one of curl's handles.
  static func owner(of easy: UnsafeMutableRawPointer?) -> CurlHandle? {
    var this: UnsafeMutableRawPointer?
    guard let easy, ccurl_get_pointer(easy, CURLINFO_PRIVATE, &this) == CURLE_OK else { return nil }
    // SAFETY: set by `init`, and the loop keeps the object as long as its handle is curl's.
    return this.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
  }

  var place: String { order?.request.place ?? "" }

  // MARK: before

  func prepare(_ order: CurlOrder, _ waiter: CurlWaiter) throws(TransportError) {
    let request = order.request
    if let complaint = request.complaint {
      throw TransportError(.invalidRequest, "\(request.place): \(complaint)")
    }
    var milliseconds = 0
    if let end = order.end {
      milliseconds = (end - .now).wholeMilliseconds
      if milliseconds <= 0 {
        throw TransportError(
          .timedOut(.resolving), "\(request.place): too late",
          curlCode: Int(CURLE_OPERATION_TIMEDOUT.rawValue))
      }
    }
    self.order = order
    self.waiter = waiter
    endTime = order.end.map { _ in
      LoopTime.nanoseconds() + Int64(milliseconds) * 1_000_000 + Self.headStart
    }
    reception = Reception(limits: request.options)
    sink = try BodySink(order.destination, request)
    progressTime = time.now
    byteCount = 0
    words[0] = 0
    ccurl_set_string(easy, CURLOPT_URL, request.url)
    ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, milliseconds)
    ccurl_set_long(
      easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, request.options.connectTimeout.wholeMilliseconds))
    ccurl_set_long(easy, CURLOPT_FRESH_CONNECT, request.goesOnce ? 1 : 0)
    ccurl_set_long(easy, CURLOPT_FORBID_REUSE, request.goesOnce ? 1 : 0)
    setMethod(request)
    try setHeaders(request)
  }

  private func setMethod(_ request: HTTPRequest) {
    var isCustom = false
    if let bytes = request.body, !bytes.isEmpty {
      // SAFETY: curl reads it while it sends; freed by `clear`, when curl has let go of the handle.
      let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = copy.initialize(from: bytes)
      body = copy
    }
    if request.sendsBody {
      ccurl_set_long(easy, CURLOPT_POST, 1)
      ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body?.count ?? 0))
      // SAFETY: the literal lives for ever. With no pointer at all, curl would ask a callback.
      let bytes = body.map { UnsafePointer($0.baseAddress) } ?? ("" as StaticString).utf8Start
      ccurl_set_pointer(easy, CURLOPT_POSTFIELDS, bytes)
      isCustom = request.method != .post
    } else if request.method == .head {
      ccurl_set_long(easy, CURLOPT_NOBODY, 1)
    } else {
      ccurl_set_long(easy, CURLOPT_HTTPGET, 1)
      isCustom = request.method != .get
    }
    ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, isCustom ? request.method.rawValue : nil)
  }

  private func setHeaders(_ request: HTTPRequest) throws(TransportError) {
    var lines = request.headers.fields.map { field in
      // Curl's spelling of a field without a value; with a colon it would remove one of its own.
      field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    if request.sendsBody {
      // It would claim to send a form, and wait for leave to send much.
      if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
      if request.headers["Expect"] == nil { lines.append("Expect:") }
    }
    for line in lines {
      guard let longer = curl_slist_append(headers, line) else {
        throw TransportError(.failed, "libcurl lacks memory")
      }
      headers = longer
    }
    ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, headers)
  }

  /// Forgets the transfer; curl must have let go of it.
  func clear() {
    order = nil
    waiter = nil
    reception = Reception()
    sink = nil
    curl_slist_free_all(headers)
    headers = nil
    body?.deallocate()
    body = nil
  }

  // MARK: during

  var stallNanoseconds: Int64? { order?.request.options.stallTimeout?.wholeNanoseconds }

  /// When the last byte was sent or received, as far as is known. Until the connection stands that
  /// is now: another time-out counts for that.
  func lastProgress() -> Int64 {
    let count = offset(CURLINFO_SIZE_UPLOAD_T) + offset(CURLINFO_SIZE_DOWNLOAD_T)
    if count != byteCount || offset(CURLINFO_PRETRANSFER_TIME_T) == 0 {
      byteCount = count
      progressTime = time.now
    }
    return progressTime
  }

  fileprivate func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
    progressTime = time.now
    return reception.readLine(line)
  }

  fileprivate func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    progressTime = time.now
    guard let sink, !reception.isRedirect else { return reception.readBody(bytes) }
    guard reception.count(bytes.count) else { return false }
    if let complaint = sink.take(bytes) {
      reception.failure = TransportError(.cannotStore, complaint)
      return false
    }
    return true
  }

  // MARK: after

  func outcome(_ code: CURLcode) -> CurlOutcome {
    if code != CURLE_OK {
      return .failure(error(code))
    }
    guard var response = reception.response else {
      return .failure(TransportError(.malformedResponse, "\(place): found no head"))
    }
    if let sink, !reception.isRedirect, let complaint = sink.complete() {
      return .failure(TransportError(.cannotStore, "\(place): \(complaint)"))
    }
    response.url = order?.request.url ?? ""
    response.timing = timing
    return .success(response)
  }

  /// That its time is over, for a reason curl does not see.
  func timedOut(_ reason: String) -> CurlOutcome {
    .failure(
      TransportError(
        .timedOut(facts(CURLE_OPERATION_TIMEDOUT).phase), "\(place): \(reason)",
        curlCode: Int(CURLE_OPERATION_TIMEDOUT.rawValue)))
  }

  private func error(_ code: CURLcode) -> TransportError {
    if let failure = reception.failure {
      return TransportError(
        failure.kind, "\(place): \(failure.message)", curlCode: Int(code.rawValue))
    }
    let facts = facts(code)
    return TransportError(
      facts.kind, "\(place): \(facts.harmlessWords)", curlCode: Int(code.rawValue))
  }

  private func facts(_ code: CURLcode) -> CurlFailure {
    let found = String(cString: words)
    return CurlFailure(
      code: Int(code.rawValue),
      words: found.isEmpty ? String(cString: curl_easy_strerror(code)) : found,
      certificateCode: long(CURLINFO_SSL_VERIFYRESULT),
      timing: timing, isReady: offset(CURLINFO_PRETRANSFER_TIME_T) > 0,
      hasBegunAnswer: reception.hasBegun)
  }

  private var timing: HTTPTiming {
    var timing = HTTPTiming()
    timing.resolved = .microseconds(offset(CURLINFO_NAMELOOKUP_TIME_T))
    timing.connected = .microseconds(offset(CURLINFO_CONNECT_TIME_T))
    timing.secured = .microseconds(offset(CURLINFO_APPCONNECT_TIME_T))
    timing.firstByte = .microseconds(offset(CURLINFO_STARTTRANSFER_TIME_T))
    timing.total = .microseconds(offset(CURLINFO_TOTAL_TIME_T))
    return timing
  }

  private func offset(_ info: CURLINFO) -> Int64 {
    var value: curl_off_t = 0
    ccurl_get_offset(easy, info, &value)
    return Int64(value)
  }

  private func long(_ info: CURLINFO) -> Int {
    var value = 0
    ccurl_get_long(easy, info, &value)
    return value
  }
}

private let onBody: ccurl_bytes_callback = { bytes, size, count, handle in
  guard let handle else { return 0 }
  // SAFETY: the loop keeps the object as long as its handle is curl's; the bytes are curl's during
  // the call.
  let isTaken = Unmanaged<CurlHandle>.fromOpaque(handle).takeUnretainedValue()
    .receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
  return isTaken ? size * count : 0
}

private let onHeaderLine: ccurl_bytes_callback = { bytes, size, count, handle in
  guard let handle else { return 0 }
  // SAFETY: as above.
  let isTaken = Unmanaged<CurlHandle>.fromOpaque(handle).takeUnretainedValue()
    .receiveLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
  return isTaken ? size * count : 0
}

extension Duration {
  /// Rounded up, and within what curl can count.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    guard seconds > -2_000_000 else { return -2_000_000_000 }
    return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  var wholeNanoseconds: Int64 { Int64(wholeMilliseconds) * 1_000_000 }
}
