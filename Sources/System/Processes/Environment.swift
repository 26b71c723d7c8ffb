#if canImport(Darwin)
  import Darwin
#else
  import Glibc
  import UnderstudyCLinux
#endif

/// The environment variables this process was started with.
public enum Environment {
  public static subscript(_ name: String) -> String? {
    guard (try? Errno.check(name)) != nil else { return nil }
    return getenv(name).map { String(cString: $0) }
  }

  /// All of them, as `NAME=value`.
  package static var variables: [String] {
    var found: [String] = []
    #if canImport(Darwin)
      var entry = _NSGetEnviron()?.pointee
    #else
      var entry = clinux_environ()
    #endif
    while let text = entry?.pointee {
      found.append(String(cString: text))
      entry = entry?.successor()
    }
    return found
  }
}
