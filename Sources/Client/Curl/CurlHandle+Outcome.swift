import UnderstudyCCurl

extension CurlHandle {
  /// The result of the request that this handle carried.
  func outcome(
    _ ending: CurlEnding, of request: ClientRequest
  ) throws(TransportError) -> ClientResponse {
    switch ending {
    case .curl(CURLE_OK): return try respond(to: request)
    case .curl(let code): throw error(code, request.place)
    case .overdue: throw timedOut("\(request.place): not finished in time")
    case .stalled: throw timedOut("\(request.place): no byte for too long")
    case .cancelled: throw TransportError(.cancelled, request.place)
    case .closed: throw TransportError(.cancelled, "the transport is closed")
    case .refused: throw TransportError(.failed, "libcurl accepts no more transfers")
    }
  }

  private func respond(to request: ClientRequest) throws(TransportError) -> ClientResponse {
    guard let reception, var response = reception.response else {
      throw TransportError(.malformedResponse, "\(request.place): no head")
    }
    if let sink, !reception.isRedirect, let complaint = sink.complete() {
      throw TransportError(.cannotStore, "\(request.place): \(complaint)")
    }
    response.url = request.url
    response.timing = timing
    response.resentCount = resentCount
    if readsCertificates { response.certificateEnd = certificateEnd }
    return response
  }

  private func timedOut(_ message: String) -> TransportError {
    TransportError(
      .timedOut(facts(CURLE_OPERATION_TIMEDOUT).phase), message,
      curlCode: Int(CURLE_OPERATION_TIMEDOUT.rawValue))
  }

  private func error(_ code: CURLcode, _ place: String) -> TransportError {
    if let failure = reception?.failure {
      return TransportError(
        failure.kind, "\(place): \(failure.message)", curlCode: Int(code.rawValue))
    }
    let facts = facts(code)
    return TransportError(
      facts.kind, "\(place): \(facts.words(besides: place))", curlCode: Int(code.rawValue))
  }

  private func facts(_ code: CURLcode) -> CurlFailure {
    var certificateCode = 0
    ccurl_get_long(curl, easy, CURLINFO_SSL_VERIFYRESULT, &certificateCode)
    return CurlFailure(
      code: Int(code.rawValue),
      words: words.isEmpty || isNoise(code)
        ? curl.pointee.easy_strerror(code).map { String(cString: $0) } ?? "" : words,
      certificateCode: certificateCode,
      timing: timing, isReady: offset(CURLINFO_PRETRANSFER_TIME_T) > 0,
      hasBegunResponse: reception?.hasBegun == true)
  }

  /// Whether the words are about an older connection: curl keeps the first words of a transfer,
  /// and tells the server of an idle connection that has ended that it closes it.
  private func isNoise(_ code: CURLcode) -> Bool {
    code != CURLE_SEND_ERROR && words.hasPrefix("Send failure:")
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
}
