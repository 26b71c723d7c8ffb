import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// One difference between a response and its case: the comparison makes it, a finding is worded
/// from it, and an update applies it.
struct Difference: Hashable, Sendable {
  let type: FindingType
  /// The part of the schema or of the shape, equal for two responses that differ in the same way.
  var subject = ""
  var message: String
  let position: SourcePosition
  var path: [BodyStep]?
  /// The names of similar differences reported with this one.
  var others: [[BodyStep]] = []
  /// The violated keyword of the schema; `nil` when only the example differs.
  var schemaPointer: JSONPointer?
  /// Whether it is a missing member that the schema knows and does not require.
  var isOptional = false
  /// The place in the body that differs, or from which something is missing.
  var pointers: [JSONPointer] = []
  /// The value found, if only the value differs: two responses may show that it is volatile.
  var value: String?
  var diff: [String] = []
  /// The fix, if it is not the one that the type implies.
  var fix: String?
  /// Its name as the contract writes it.
  var header: String?
  /// Where a document says so, if the response is one that it allows and no API has sent.
  var document: Place?
  /// How bad it is for those who read the part that differs, and their names.
  var severity = Finding.Severity.note
  var readers: [String] = []
  /// `nil` when all responses show it.
  var frequency: Finding.Frequency?

  /// Equal for the same difference in two responses to the same request.
  struct Identity: Hashable {
    let type: FindingType
    let subject: String
    let path: [BodyStep]?
    let value: String?
    let header: String?
  }

  var identity: Identity {
    Identity(type: type, subject: subject, path: path, value: value, header: header)
  }

  /// Whether it concerns the same part of a response in the same way, whatever is found there.
  func isLike(_ other: Difference) -> Bool {
    type == other.type && pointers.first == other.pointers.first && header == other.header
  }

  /// Whether it concerns a value that may vary between responses, so that it counts only if all
  /// responses show it. Types, presence and schemas hold for each response.
  var isVolatile: Bool {
    value != nil || type == .performance || type == .arrayEmptied && schemaPointer == nil
  }

  var isOfHead: Bool { type == .status || header != nil }

  /// Whether it concerns a part of the response that a consumer may or may not read.
  var isPart: Bool { !pointers.isEmpty || header != nil }

  /// Whether it breaks whoever reads the part that differs.
  var isBreak: Bool {
    type.isBreak && !(type == .headerRemoved && header.map(HeaderRule.isDispensable) ?? false)
  }

  private var isSecret: Bool { path?.contains(where: \.isSecret) ?? false }

  /// This difference, with all texts that may come from outside transformed.
  func mapText(_ transform: (String) -> String) -> Difference {
    var difference = self
    difference.message = transform(message)
    difference.diff = diff.map(transform)
    difference.fix = fix.map(transform)
    return difference
  }

  private static let messageLengthMax = 500
  private static let update = "run understudy drift --update"

  /// - Parameter refusal: why an update leaves the contract as it is.
  func finding(in contract: Contract, refusal: String? = nil) -> Finding {
    var message = message.cut(to: Self.messageLengthMax)
    if !readers.isEmpty { message += ", read by \(readers.joined(separator: ", "))" }
    // The responses of a document show what may be, and their number says nothing.
    let frequency = document == nil ? frequency : nil
    if let frequency { message += " (intermittent: \(frequency))" }
    if let document { message += " (see \(document))" }
    return Finding(
      severity, type, message, at: Place(contract.file, position), path: pointers.first,
      header: header, diff: isSecret ? [] : diff, fix: fix(in: contract, refusal),
      frequency: frequency)
  }

  private func fix(in contract: Contract, _ refusal: String?) -> String? {
    if type == .redirect { return fix }
    guard severity < .note else { return nil }
    let breaksSomebody = severity == .error && contract.hasConsumers
    return "\(fix ?? fix(breaksSomebody: breaksSomebody, refusal)), or accept it with a reason"
  }

  /// `--update` applies most changes, but not those that a response cannot show, and it fixes no
  /// service.
  private func fix(breaksSomebody: Bool, _ refusal: String?) -> String {
    let names = readers.isEmpty ? "the service" : readers.joined(separator: ", ")
    if let document {
      if type == .exampleInvalid { return "correct the example, or \(document.file)" }
      return breaksSomebody
        ? "make \(names) handle it first, or correct \(document.file)"
        : "change the contract to match, or correct \(document.file)"
    }
    switch type {
    case .performance: return "increase \"latency\""
    case .bodyUnreadable: return "check what the upstream sends instead, and change the case"
    case .arrayEmptied: return "request a resource that has elements"
    default:
      let byHand = refusal.map { "change the contract by hand, since \($0)" }
      return breaksSomebody
        ? "make \(names) handle it first, then \(byHand ?? Self.update)"
        : byHand ?? "\(Self.update) to apply it"
    }
  }
}

extension Difference {
  /// An object with added members that the contract does not know.
  struct Addition: Hashable {
    let position: SourcePosition
    let object: JSONPointer
  }

  private static let namesMax = 8

  /// The object it adds to; `nil` for another change, or one that the schema covers.
  var addition: Addition? {
    guard type == .schemaFieldAdded, schemaPointer == nil, let object = pointers.first?.parent
    else { return nil }
    return Addition(position: position, object: object)
  }

  /// One difference for all members, since there may be many every run.
  init(folding group: [Difference], addedTo addition: Addition) {
    let count = group.count + group.reduce(0) { $0 + $1.others.count }
    let named = group.prefix(Self.namesMax)
    let names = named.compactMap { $0.pointers.first?.tokens.last?.excerpt }
    self.init(
      type: .schemaFieldAdded,
      message: "\(count) members are not in the contract: \(names.joined(separator: ", "))"
        + (count > named.count ? ", …" : ""),
      position: addition.position, pointers: [addition.object],
      diff: named.flatMap { $0.isSecret ? [] : $0.diff }, document: group.first?.document)
  }
}

extension Difference {
  /// Values as lines of a diff; members with secret names are masked.
  static func diff(_ expected: JSONValue?, _ found: JSONValue?, key: String? = nil) -> [String] {
    if let key, SecretNames.standard.hides(key) { return [] }
    let label = key.map { JSONPointer.index(of: $0) == nil ? "\($0.quoted): " : "" } ?? ""
    return (expected.map { ["-\(label)\($0.excerpt)"] } ?? [])
      + (found.map { ["+\(label)\($0.excerpt)"] } ?? [])
  }
}

extension String {
  /// Cut by scalars, since a single character may be a megabyte of accents.
  fileprivate func cut(to max: Int) -> String {
    guard utf8.count > max else { return self }
    let start = unicodeScalars.prefix(max)
    return start.endIndex == endIndex ? self : String(start) + "…"
  }

  /// Upstream text, quoted for a message.
  var shown: String { excerpt.quoted }

  /// Upstream text, cut and made harmless, without quotes.
  var excerpt: String { cut(to: 100).visible }
}

extension JSONPointer {
  static func index(of token: String) -> Int? {
    token.utf8.allSatisfy { $0 &- 48 < 10 } ? Int(token) : nil
  }
}

extension JSONValue {
  private static let excerptBytesMax = 200
  /// Made once: a response may have hundreds of thousands of values.
  private static let filler = String(repeating: " ", count: 16 * excerptBytesMax)

  private var isLong: Bool { byteRange.count > 16 * Self.excerptBytesMax }

  /// A value of its own document with the same excerpt: of a long array or object, that says only
  /// how many elements or members it has.
  var detached: JSONValue {
    var writer = JSONWriter()
    switch kind {
    case .array where isLong:
      writer.array { array in for place in 0..<count { array.string(place == 0 ? Self.filler : "") }
      }
    case .object where isLong:
      writer.object { object in
        for place in 0..<count { object.member("", place == 0 ? Self.filler : "") }
      }
    default: writer.value(self)
    }
    return JSONDocument(valid: writer.bytes)?.root ?? self
  }

  /// The value on one line, cut where it is long.
  fileprivate var excerpt: String {
    guard !isLong else { return summary.visible }
    let bytes = SecretMask.standard.masked(
      compact, of: "application/json", namedNumber: SecretMask.quotedMark)
    return bytes.count <= Self.excerptBytesMax
      ? String(decoding: bytes, as: UTF8.self).visible : summary.visible
  }
}
