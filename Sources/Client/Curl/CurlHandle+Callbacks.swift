import UnderstudyCCurl
import UnderstudyCore
import UnderstudySystem

extension CurlHandle {
  fileprivate func refuse(_ address: IPAddress) {
    reception?.failure = TransportError(.cannotConnect, address.refusalOfRedirect)
  }

  fileprivate func count(_ byteCount: Int64) { progress.count(byteCount, at: time.now) }

  fileprivate func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
    progress.note(at: time.now)
    return reception?.readLine(line) ?? false
  }

  /// A piece of the body, or a line of the head where that comes the same way.
  fileprivate func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if reception?.expectsHead == true { return receiveLine(bytes) }
    progress.note(at: time.now)
    guard let sink, reception?.isRedirect == false else {
      return reception?.readBody(bytes) ?? false
    }
    guard reception?.count(bytes.count) == true else { return false }
    if let complaint = sink.take(bytes) {
      reception?.failure = TransportError(.cannotStore, complaint)
      return false
    }
    return true
  }
}

let onBytes: ccurl_bytes_callback = { bytes, size, count, handle in
  guard let handle else { return 0 }
  // SAFETY: the loop retains the object while curl uses its handle; the bytes are valid during the
  // call.
  return Unmanaged<CurlHandle>.fromOpaque(handle).takeUnretainedValue()
    .receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

let onHeaderLine: ccurl_bytes_callback = { bytes, size, count, handle in
  guard let handle else { return 0 }
  // SAFETY: as above.
  return Unmanaged<CurlHandle>.fromOpaque(handle).takeUnretainedValue()
    .receiveLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
}

/// Only for requests that follow a redirect: here a host name has been resolved to an address.
let onOpenSocket: curl_opensocket_callback = { handle, _, place in
  guard let handle, let place else { return CURL_SOCKET_BAD }
  var words: [UInt32] = [0, 0, 0, 0]
  // SAFETY: curl's address and the four words are valid during the call.
  guard ccurl_address_words(place, &words) == 1 else { return CURL_SOCKET_BAD }
  let address = IPAddress(words: words)
  guard !address.isClosedToRedirects else {
    // SAFETY: as above.
    Unmanaged<CurlHandle>.fromOpaque(handle).takeUnretainedValue().refuse(address)
    return CURL_SOCKET_BAD
  }
  return Socket.waiting(
    place.pointee.family, kind: place.pointee.socktype, protocol: place.pointee.protocol)
}

let onProgress: curl_xferinfo_callback = { handle, _, received, _, sent in
  guard let handle else { return 0 }
  // SAFETY: as above.
  Unmanaged<CurlHandle>.fromOpaque(handle).takeUnretainedValue()
    .count(Int64(received) + Int64(sent))
  return 0
}
