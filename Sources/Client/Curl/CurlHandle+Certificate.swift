import UnderstudyCCurl
import UnderstudyCore

extension CurlHandle {
  /// When the certificate that the host presented ends; `nil` if the connection was open already,
  /// or libcurl does not say.
  var certificateEnd: Moment? {
    var list: UnsafeMutableRawPointer?
    guard ccurl_get_pointer(curl, easy, CURLINFO_CERTINFO, &list) == CURLE_OK, let list else {
      return nil
    }
    // SAFETY: curl's type for this list, which it keeps until the handle's next transfer begins.
    let certificates = list.assumingMemoryBound(to: curl_certinfo.self).pointee
    // The certificates of issuers follow.
    guard certificates.num_of_certs > 0, var line = certificates.certinfo?.pointee else {
      return nil
    }
    while true {
      let text = line.pointee.data.map { String(cString: $0) } ?? ""
      if let end = Moment(certificateLine: text) { return end }
      guard let next = line.pointee.next else { return nil }
      line = next
    }
  }
}
