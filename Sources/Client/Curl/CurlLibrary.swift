import UnderstudyCCurl
import UnderstudyCore

/// The functions of libcurl, which are found on first use.
///
/// Commands that send no requests start without libcurl and the thirty libraries it needs.
enum CurlLibrary {
  // SAFETY: complete before anyone receives it, then never changed or freed.
  private nonisolated(unsafe) static let loaded = Result { () throws(Failure) in try load() }

  /// The first call loads and initializes libcurl, for the whole process.
  static func functions() throws(Failure) -> ccurl { try loaded.get() }

  private static func load() throws(Failure) -> ccurl {
    // SAFETY: C makes an empty table of nulls, which `ccurl_load` fills.
    let functions = UnsafeMutablePointer<ccurl_functions>.allocate(capacity: 1)
    functions.initialize(to: ccurl_functions())
    if let reason = ccurl_load(functions) { throw .noLibrary(String(cString: reason)) }
    guard functions.pointee.global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else {
      throw Failure(message: "libcurl cannot be initialized")
    }
    return ccurl(functions)
  }
}

extension Failure {
  fileprivate static func noLibrary(_ reason: String) -> Self {
    Self(
      message: "cannot load libcurl, which sends requests: \(reason)",
      fix: "install it: apt-get install libcurl4")
  }
}

extension CurlTransport {
  /// Fails when requests cannot be sent because libcurl is missing.
  package static func checkLibrary() throws(Failure) {
    _ = try CurlLibrary.functions()
  }
}
