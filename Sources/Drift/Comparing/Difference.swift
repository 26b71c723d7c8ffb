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
  var path: [BodyStep]?
  /// Of more of the same that are told with this one.
  var others: [[BodyStep]] = []
  /// The keyword of the schema that says otherwise; `nil` when only the example does.
  var schemaPointer: JSONPointer?
  /// Where in the body it was found, or where something is missing.
  var pointers: [JSONPointer] = []
  /// What was found, when it is only that value that is another: two answers may show it volatile.
  var value: String?
  var diff: [String] = []
  /// What to do about it, if that is not told by the type.
  var fix: String?
  /// The worst it can be.
  var severityMax = Finding.Severity.error

  /// Whether a second answer to the same request shows the same.
  func isConfirmed(by others: [Difference]) -> Bool {
    others.contains {
      $0.type == type && $0.subject == subject && $0.path == path && $0.value == value
    }
  }

  /// Whether one answer is enough to show it: what the schema says of types, of null and of what may
  /// be missing holds for each.
  var needsNoSecond: Bool {
    schemaPointer != nil
      && [.schemaTypeChanged, .schemaNullabilityChanged, .schemaFieldRemoved].contains(type)
  }

  private var isSecret: Bool { path?.contains(where: \.isSecret) ?? false }

  private static let messageLengthMax = 500

  func finding(for readers: [Reader], in contract: Contract) -> Finding {
    let concerned = pointers.isEmpty ? [] : readers.readers(of: self)
    let names = concerned.map(\.name).joined(separator: ", ")
    let message = message.cut(to: Self.messageLengthMax)
    let severity = readers.severity(of: self)
    return Finding(
      severity, type, concerned.isEmpty ? message : "\(message), read by \(names)",
      at: Place(contract.file, position), path: pointers.first, diff: isSecret ? [] : diff,
      fix: severity == .info ? nil : "\(fix ?? type.fix), or accept it with a reason")
  }
}

extension FindingType {
  /// `--update` takes over most of what has changed, but not what nobody can know from an answer.
  fileprivate var fix: String {
    switch self {
    case .performance: "raise \"latency\""
    case .bodyUnreadable: "see what the upstream sends instead, and change the case"
    case .arrayEmptied: "ask for one that has elements"
    default: "run understudy drift --update to take it over"
    }
  }
}

extension Difference {
  /// An object to which members were added that nobody knows.
  struct Addition: Hashable {
    let position: SourcePosition
    let object: JSONPointer
  }

  private static let namesMax = 8

  /// What it adds to; `nil` when it is another change, or one that the schema speaks of.
  var addition: Addition? {
    guard type == .schemaFieldAdded, schemaPointer == nil, let object = pointers.first?.parent
    else { return nil }
    return Addition(position: position, object: object)
  }

  /// One for all members, since there may be many every night.
  static func finding(
    ofAdditions group: [Difference], to addition: Addition, in contract: Contract
  ) -> Finding {
    let count = group.count + group.reduce(0) { $0 + $1.others.count }
    let named = group.prefix(namesMax)
    let names = named.compactMap { $0.pointers.first?.tokens.last?.excerpt }
    let rest = count > named.count ? ", …" : ""
    return Finding(
      .info, .schemaFieldAdded,
      "found \(count) members that the contract does not know: "
        + names.joined(separator: ", ") + rest,
      at: Place(contract.file, addition.position), path: addition.object,
      diff: named.flatMap { $0.isSecret ? [] : $0.diff })
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

extension String {
  /// Cut by scalars, since what a reader takes for one character may be a megabyte of accents.
  fileprivate func cut(to max: Int) -> String {
    guard utf8.count > max else { return self }
    let start = unicodeScalars.prefix(max)
    return start.endIndex == endIndex ? self : String(start) + "…"
  }

  /// What an upstream wrote, for a message.
  var shown: String { excerpt.quoted }

  /// The same without quotes.
  var excerpt: String { cut(to: 100).visible }

  /// As a JSON string, in which nothing is that a terminal or an editor obeys.
  var quoted: String {
    var writer = JSONWriter()
    writer.string(self)
    return String(decoding: writer.bytes, as: UTF8.self).escapingUnseen
  }

  /// JSON in which characters that are not seen are escaped.
  var escapingUnseen: String {
    guard unicodeScalars.contains(where: \.isUnseen) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      guard scalar.isUnseen else {
        text.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
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
