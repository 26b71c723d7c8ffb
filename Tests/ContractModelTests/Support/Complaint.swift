import Testing
import UnderstudyFindings

@testable import UnderstudyContractModel

/// One way to break a folder of contracts, and all that is said about it.
struct Complaint: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let files: [String: String]
  let says: String
  private let ignored: Set<FindingType>

  private init(
    _ name: String, _ files: [String: String], _ says: String,
    ignoring ignored: Set<FindingType> = .missingCases
  ) {
    testDescription = name
    self.files = Sample.files.merging(files) { $1 }
    self.says = says
    self.ignored = ignored
  }

  static func files(
    _ name: String, _ files: [String: String], ignoring: Set<FindingType> = .missingCases,
    says: String
  ) -> Complaint {
    Complaint(name, files, says, ignoring: ignoring)
  }

  /// Two contracts of one upstream, from their requests.
  static func rivals(
    _ name: String, _ thing: String, _ whatsit: String, says: String
  ) -> Complaint {
    let files = ["thing": thing, "whatsit": whatsit].map {
      ("api/\($0.key).json", Sample.contract(request: $0.value))
    }
    return Complaint(name, Dictionary(uniqueKeysWithValues: files), says)
  }

  static func contract(_ name: String, _ text: String, says: String) -> Complaint {
    Complaint(name, ["api/thing.json": text], says)
  }

  static func request(_ name: String, _ text: String, says: String) -> Complaint {
    contract(name, Sample.contract(request: text), says: says)
  }

  static func cases(_ name: String, _ text: String, says: String) -> Complaint {
    contract(name, Sample.contract(cases: text), says: says)
  }

  /// A case "it", from what stands in its object.
  static func `case`(_ name: String, _ text: String, says: String) -> Complaint {
    cases(name, "\"it\": { \(text) }", says: says)
  }

  static func member(_ name: String, _ text: String, says: String) -> Complaint {
    contract(name, Sample.contract(member: text), says: says)
  }

  static func upstream(_ name: String, _ text: String, says: String) -> Complaint {
    Complaint(name, ["api/upstream.json": text], says)
  }

  static func consumers(_ name: String, _ text: String, says: String) -> Complaint {
    Complaint(name, ["consumers.json": text], says)
  }

  /// What is said in fact.
  func heard() throws -> String {
    let folder = try ContractFolder(files)
    return folder.diagnosticText(of: try folder.load(), ignoring: ignored)
  }

  static let all = [
    requests, responses, shares, templates, bodyFiles, mutation, timing, delivery, inTLS,
    expectations, commands, liveCases,
    wholeContracts, upstreamsAndConsumers, callbacks, unservable, secrets, rivals, peacefulRivals,
  ].flatMap(\.self)
}
