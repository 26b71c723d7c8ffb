import Glibc
import UnderstudyCLinux

/// The environment variables this process was started with.
package enum Environment {
  package static subscript(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// All of them, as `NAME=value`.
  package static var variables: [String] {
    var found: [String] = []
    var entry = clinux_environ()
    while let text = entry?.pointee {
      found.append(String(cString: text))
      entry = entry?.successor()
    }
    return found
  }
}
