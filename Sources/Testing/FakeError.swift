import UnderstudyCore

/// Why there is no such fake, upstream, contract or case, and how to fix it.
public struct FakeError: Error, Sendable, CustomStringConvertible {
  let message: String
  let fix: String?

  /// The reason, and the fix on a line of its own.
  public var description: String {
    var stream = TextStream(isColoured: false)
    stream.write(fix.map { "\(message)\n  fix: \($0)" } ?? message)
    return stream.text
  }

  static func noFake() -> Self {
    Self(
      message: "this test has no fake",
      fix: "add .fake(\"my-upstream\") to its @Test or @Suite, or use withFake(…)")
  }

  static func noCertificate() -> Self {
    Self(
      message: "this fake does not respond to HTTPS",
      fix: "add tls: true to the first .fake(…) of the test, or of its suite, or to withFake(…)")
  }

  static func noProxy() -> Self {
    Self(
      message: "this fake is no proxy",
      fix: "add proxy: true to the first .fake(…) of the test, or of its suite, or to withFake(…)")
  }

  static func unknown(
    _ kind: String, _ name: String, of owner: String? = nil, known: [String]
  ) -> Self {
    let nearest = Spelling.suggestion(for: name, among: known)
    let list = known.prefix(12).joined(separator: ", ") + (known.count > 12 ? ", …" : "")
    return Self(
      message: "unknown \(kind) \"\(name)\"\(owner.map { " of \($0)" } ?? "")",
      fix: known.isEmpty ? nil : nearest ?? "known: \(list)")
  }

  static func severalUpstreams(_ names: [String]) -> Self {
    Self(
      message: "found \(names.count) upstreams, expected a name",
      fix: "name it: \(names.map { "baseURL(of: \"\($0)\")" }.joined(separator: " or "))")
  }

  static func noFolder(above file: String) -> Self {
    Self(
      message: "no folder Contracts above \(file)",
      fix: "create one, or give its path: contracts: \"path/to/folder\"")
  }

  static func broken(_ folder: String, _ errors: [String]) -> Self {
    let more = errors.count > 5 ? ["and \(errors.count - 5) more"] : []
    return Self(
      message: (["the contracts in \(folder) have errors"] + errors.prefix(5) + more)
        .joined(separator: "\n  "),
      fix: "see \"understudy lint\"")
  }
}
