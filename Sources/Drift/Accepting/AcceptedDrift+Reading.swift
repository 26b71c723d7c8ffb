package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

extension AcceptedDrift {
  private static let required = ["contract", "type", "reason", "until"]
  private static let keys = required + ["case", "path", "$schema"]

  /// A mistake in an entry, and the rule that it breaks.
  private struct Mistake: Error {
    let type: FindingType
    let failure: Failure

    init(_ type: FindingType, _ failure: Failure) { (self.type, self.failure) = (type, failure) }
  }

  /// `file` is named in errors and findings.
  package init(parsing bytes: [UInt8], file: String) throws(Failure) {
    var entries: [AcceptedEntry] = []
    for element in try Self.elements(in: bytes, file) {
      do throws(Mistake) {
        entries.append(try Self.entry(element, file))
      } catch {
        throw error.failure
      }
    }
    self.init(file: file, entries: entries)
  }

  /// What is wrong with a file: the first mistake of each entry.
  package static func findings(
    in bytes: [UInt8], file: String, of library: ContractLibrary
  ) -> [Finding] {
    var findings: [Finding] = []
    func add(_ type: FindingType, _ error: Failure) {
      findings.append(
        Finding(.error, type, error.message, at: error.place ?? Place(file), fix: error.fix))
    }
    let broken = Set(library.findings.filter { $0.severity == .error }.map(\.file))
    let folder = file.dropLast("accepted.json".count)
    /// What it names may be there once the errors are mended, which are reported already.
    func isInBrokenFile(_ entry: AcceptedEntry) -> Bool {
      let upstream = entry.contract.prefix { $0 != "/" }
      return broken.contains("\(folder)\(entry.contract).json")
        || broken.contains("\(folder)\(upstream)/upstream.json")
    }
    do throws(Failure) {
      for element in try elements(in: bytes, file) {
        do throws(Mistake) {
          let entry = try Self.entry(element, file)
          if !isInBrokenFile(entry) { try Self(file: file, entries: [entry]).check(library) }
        } catch {
          add(error.type, error.failure)
        }
      }
    } catch {
      add(JSONDocument(valid: bytes) == nil ? .invalidJSON : .wrongType, error)
    }
    return findings
  }

  private static func elements(
    in bytes: [UInt8], _ file: String
  ) throws(Failure) -> [JSONValue] {
    let root = try JSONDocument(parsing: bytes, file: file, fix: nil).root
    guard root.kind == .array else {
      throw .wrong(
        root, file, "an array of objects",
        fix: "write [ { \"contract\": …, \"type\": …, \"reason\": …, \"until\": … } ]")
    }
    return Array(root.elements)
  }

  static let acceptable = FindingType.allCases.filter(\.isOfDrift).map(\.rawValue)

  /// Rejects entries that cannot match, since no such contract or case exists.
  package func hold(against library: ContractLibrary) throws(Failure) {
    for entry in entries {
      guard let contract = library.contracts.first(where: { $0.id == entry.contract }) else {
        throw .unknown(
          "contract", entry, file, key: "contract", among: library.contracts.map(\.id))
      }
      if let name = entry.caseName, contract.case(named: name) == nil {
        throw .unknown(
          "case of \(contract.id)", entry, file, key: "case", among: contract.cases.map(\.name))
      }
    }
  }

  private func check(_ library: ContractLibrary) throws(Mistake) {
    do throws(Failure) {
      try hold(against: library)
    } catch {
      throw Mistake(.badValue, error)
    }
  }

  private static func entry(
    _ value: JSONValue, _ file: String
  ) throws(Mistake) -> AcceptedEntry {
    func wrong(_ key: String, _ expected: String, fix: String? = nil) -> Mistake {
      Mistake(.badValue, .wrong(value[key] ?? value, file, expected, fix: fix))
    }
    guard value.kind == .object else {
      throw Mistake(.wrongType, .wrong(value, file, "an object"))
    }
    for member in value.members where !keys.contains(member.key) {
      throw Mistake(
        .unknownKey,
        Failure(
          at: Place(file, member.keyPosition),
          message: "found \"\(member.key)\", expected one of"
            + " \(keys.dropLast().joined(separator: ", "))",
          fix: Spelling.suggestion(for: member.key, among: keys)))
    }
    for key in required where value[key] == nil {
      throw Mistake(
        .missingKey,
        Failure(
          at: Place(file, value.position), message: "no \"\(key)\", expected one", fix: "add it"))
    }
    let contract = try text("contract", of: value, file) ?? ""
    let parts = contract.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts.contains("") else {
      throw wrong("contract", "a contract such as github/repo")
    }
    let name = try text("type", of: value, file) ?? ""
    guard let type = FindingType(rawValue: name) else {
      throw wrong(
        "type", "a type of finding such as schema-field-removed",
        fix: Spelling.suggestion(for: name, among: acceptable))
    }
    guard type.isOfDrift else {
      throw wrong(
        "type", "a finding type of live checks",
        fix: "name one of \(acceptable.joined(separator: ", "))")
    }
    let pathText = try text("path", of: value, file)
    let path = pathText.flatMap { JSONPointer(parsing: $0) }
    guard pathText == nil || path != nil else {
      throw wrong("path", "a JSON Pointer such as /items/0/name")
    }
    let reason = try text("reason", of: value, file) ?? ""
    guard !reason.isEmpty else { throw wrong("reason", "a reason") }
    let until = try text("until", of: value, file) ?? ""
    guard Format.date.accepts(until) else {
      throw wrong("until", "a day: 2027-01-31")
    }
    return AcceptedEntry(
      contract: contract, caseName: try text("case", of: value, file), type: type, path: path,
      reason: reason, until: until, source: value)
  }

  private static func text(
    _ key: String, of value: JSONValue, _ file: String
  ) throws(Mistake) -> String? {
    guard let found = value[key] else { return nil }
    guard let text = found.string else {
      throw Mistake(.wrongType, .wrong(found, file, "a string"))
    }
    return text
  }
}

extension FindingType {
  /// Whether a live check may report this type of finding.
  fileprivate var isOfDrift: Bool {
    switch self {
    case .status, .redirect, .headerAdded, .headerRemoved, .headerChanged, .bodyUnreadable,
      .schemaViolated, .schemaFieldAdded, .schemaFieldRemoved, .schemaTypeChanged,
      .schemaNullabilityChanged, .schemaEnumWidened, .schemaFormatChanged,
      .schemaMagnitudeChanged, .arrayEmptied, .sizeChanged, .performance, .statusAdded,
      .operationRemoved, .deprecated,
      .exampleInvalid, .requestInvalid, .consumerBroken, .secretMissing,
      .request, .requestCount, .foreignHost:
      true
    default: false
    }
  }
}

extension Failure {
  fileprivate static func unknown(
    _ kind: String, _ entry: AcceptedEntry, _ file: String, key: String, among names: [String]
  ) -> Self {
    let value = entry.source[key] ?? entry.source
    let hint = value.string.flatMap { Spelling.suggestion(for: $0, among: names) }
    return .wrong(
      value, file, "a \(kind)", fix: hint ?? "remove the entry, or name an existing one")
  }

  fileprivate static func wrong(
    _ value: JSONValue, _ file: String, _ expected: String, fix: String? = nil
  ) -> Self {
    Self(
      at: Place(file, value.position), message: "found \(value.summary), expected \(expected)",
      fix: fix)
  }
}
