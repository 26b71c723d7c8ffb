import ContractModel
import Diagnostics
import Findings
import JSON

/// One way in which an answer is not what its case says, before it is known whom that concerns.
struct Difference {
  let type: FindingType
  /// What it is about besides the path, the same for two answers that differ in the same way: a
  /// header, or what of the schema.
  let subject: String
  let message: String
  let position: SourcePosition
  /// The path in which elements of arrays, and entries of objects whose keys are data, are one.
  var path: [String]?
  /// The keyword of the schema that says otherwise; `nil` when only the example does.
  var schemaPointer: JSONPointer?
  /// Where in the body it was found, or where something is missing.
  var pointers: [JSONPointer] = []
  /// What was found, when it is only that value that is another: two answers may show it volatile.
  var value: String?
  var diff: [String] = []
  /// The worst it can be.
  var severityMax = Finding.Severity.error

  /// Whether a second answer to the same request shows the same.
  func isConfirmed(by others: [Difference]) -> Bool {
    others.contains {
      $0.type == type && $0.subject == subject && $0.path == path && $0.value == value
    }
  }

  private var isSecret: Bool {
    path?.contains(where: Redaction.ofAnswers.hides) ?? false
  }

  private static let messageLengthMax = 500

  func finding(for readers: [Reader], in contract: Contract) -> Finding {
    let concerned = pointers.isEmpty ? [] : readers.readers(of: self)
    let names = concerned.map(\.name).joined(separator: ", ")
    let message = message.cut(to: Self.messageLengthMax)
    let severity = readers.severity(of: self)
    return Finding(
      severity, type, concerned.isEmpty ? message : "\(message), read by \(names)",
      at: Place(contract.file, position), path: pointers.first, diff: isSecret ? [] : diff,
      fix: severity == .info ? nil : fix)
  }

  private var fix: String {
    type == .performance
      ? "raise \"latency\", or accept it with a reason"
      : "run understudy drift --update to take it over, or accept it with a reason"
  }
}

extension Difference {
  /// Values beside each other as lines of a diff; what a name marks as secret is masked.
  static func diff(_ expected: JSONValue?, _ found: JSONValue?, key: String? = nil) -> [String] {
    if let key, Redaction.ofAnswers.hides(key) { return [] }
    let label = key.map { JSONPointer.index(of: $0) == nil ? "\($0.quoted): " : "" } ?? ""
    return (expected.map { ["-\(label)\($0.excerpt)"] } ?? [])
      + (found.map { ["+\(label)\($0.excerpt)"] } ?? [])
  }
}

extension Redaction {
  static let ofAnswers = Redaction(adding: [String]())
}

extension String {
  /// Cut by scalars, since what a reader takes for one character may be a megabyte of accents.
  fileprivate func cut(to max: Int) -> String {
    guard utf8.count > max else { return self }
    let start = unicodeScalars.prefix(max)
    return start.endIndex == endIndex ? self : String(start) + "…"
  }

  /// What an upstream wrote, for a message.
  var shown: String { cut(to: 100).visible.quoted }

  /// As a JSON string.
  var quoted: String {
    var writer = JSONWriter()
    writer.string(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONPointer {
  static func index(of token: String) -> Int? {
    token.utf8.allSatisfy { $0 &- 48 < 10 } ? Int(token) : nil
  }
}

extension JSONValue {
  private static let excerptBytesMax = 200

  /// The value on one line, cut where it is long.
  fileprivate var excerpt: String {
    guard byteRange.count <= 16 * Self.excerptBytesMax else { return summary.visible }
    let bytes = Redaction.ofAnswers.redacted(json: compact)
    return bytes.count <= Self.excerptBytesMax
      ? String(decoding: bytes, as: UTF8.self).visible : summary.visible
  }
}
