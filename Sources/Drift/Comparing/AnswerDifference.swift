import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// One way in which an answer is not what its case says, before it is known whom that concerns.
struct AnswerDifference {
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
  /// Its name as the contract writes it.
  var header: String?

  /// What makes it the same difference in two answers to the same request.
  struct Identity: Hashable {
    let type: FindingType
    let subject: String
    let path: [BodyStep]?
    let value: String?
  }

  var identity: Identity {
    Identity(type: type, subject: subject, path: path, value: value)
  }

  /// Whether it is about a value that may be another in each answer, so that one which not all answers
  /// show is none. Types, presence and what a schema says hold for each answer.
  var isVolatile: Bool {
    value != nil || type == .performance || type == .arrayEmptied && schemaPointer == nil
  }

  /// Whether it is about a part of the answer, which somebody may read or not.
  var isPart: Bool { !pointers.isEmpty || header != nil }

  private var isSecret: Bool { path?.contains(where: \.isSecret) ?? false }

  private static let messageLengthMax = 500

  /// - Parameters:
  ///   - names: who reads what differs.
  ///   - frequency: `nil` when all answers show it.
  func finding(
    _ severity: Finding.Severity, readBy names: [String], _ frequency: Finding.Frequency?,
    in contract: Contract
  ) -> Finding {
    var message = message.cut(to: Self.messageLengthMax)
    if !names.isEmpty { message += ", read by \(names.joined(separator: ", "))" }
    if let frequency { message += " (intermittent: \(frequency))" }
    return Finding(
      severity, type, message, at: Place(contract.file, position), path: pointers.first,
      header: header, diff: isSecret ? [] : diff,
      fix: severity == .info ? nil : "\(fix(severity, names)), or accept it with a reason",
      frequency: frequency)
  }

  /// `--update` takes over most of what has changed, but not what nobody can know from an answer, and
  /// it mends no service.
  private func fix(_ severity: Finding.Severity, _ names: [String]) -> String {
    if let fix { return fix }
    switch type {
    case .performance: return "raise \"latency\""
    case .bodyUnreadable: return "see what the upstream sends instead, and change the case"
    case .arrayEmptied: return "ask for one that has elements"
    default:
      guard severity == .error else { return "run understudy drift --update to take it over" }
      let services = names.isEmpty ? "the service" : names.joined(separator: ", ")
      return "let \(services) take it first, then run understudy drift --update"
    }
  }
}

extension AnswerDifference {
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
    ofAdditions group: [AnswerDifference], to addition: Addition, in contract: Contract
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

extension AnswerDifference {
  /// Values beside each other as lines of a diff; what a name marks as secret is masked.
  static func diff(_ expected: JSONValue?, _ found: JSONValue?, key: String? = nil) -> [String] {
    if let key, SecretNames.standard.hides(key) { return [] }
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
    let bytes = SecretMask.standard.masked(
      compact, of: "application/json", namedNumber: SecretMask.quotedMark)
    return bytes.count <= Self.excerptBytesMax
      ? String(decoding: bytes, as: UTF8.self).visible : summary.visible
  }
}
