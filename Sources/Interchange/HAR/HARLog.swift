import UnderstudyCore
import UnderstudyJSON

/// The entries of a HAR, an archive of HTTP traffic as browsers and proxies export it.
struct HARLog {
  private static let fix = "export it again as HAR 1.2"

  let document: ForeignDocument
  let entries: JSONValue

  static func isRecognised(in document: ForeignDocument) -> Bool {
    document.root["log"]?["entries"] != nil
  }

  /// Fails if the document as a whole is not a HAR; single entries are not looked at.
  init(_ document: ForeignDocument) throws(Failure) {
    self.document = document
    let log = try Self.member("log", of: document.root, "log", .object, "a HAR's log", document)
    if let version = log["version"], !version.isNull {
      let text = version.string ?? (version.kind == .number ? version.summary : "")
      // The format asks for "1.1" where there is none.
      guard ["", "1"].contains(text.replacing("number ", with: "").prefix { $0 != "." }),
        version.kind == .string || version.kind == .number
      else {
        throw document.unexpected(
          version, at: "log.version", expected: "version 1.2", fix: Self.fix)
      }
    }
    entries = try Self.member(
      "entries", of: log, "log.entries", .array, "an array of entries", document)
  }

  private static func member(
    _ key: String, of value: JSONValue, _ pointer: String, _ kind: JSONValue.Kind,
    _ expected: String, _ document: ForeignDocument
  ) throws(Failure) -> JSONValue {
    guard let found = value[key], found.kind == kind else {
      throw document.unexpected(value[key], at: pointer, expected: expected, fix: fix)
    }
    return found
  }
}
