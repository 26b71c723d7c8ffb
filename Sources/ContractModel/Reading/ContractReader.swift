import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Reads one contract file and checks that it is consistent.
///
/// The folder turns JSON into the values of `Model`. Read `Complaints`, which collects what is
/// wrong in a file, and `Fields`, which reads an object by its known keys; then this file,
/// `RequestReader`, `CaseReader` and `ResponseReader`, and the readers of single keys as needed.
/// `UpstreamReader` and `ConsumersReader` read the other two kinds of files. `LikeOrder` decides
/// what is read before what copies it, and `LoadingBatch` has what the files of one load share.
///
/// Readers go on after a mistake, so that one run reports all of them. They know nothing of other
/// files: `Lint` does that. A reader belongs to one file and one thread; what threads share is in
/// `LoadingRun`.
struct ContractReader {
  static let keys = ["$schema", "summary", "request", "default", "cases", "scripts", "waive"]

  private static let names = JSONNames(keys)

  let upstreamName: String
  let name: String
  let complaints: Complaints
  let bodyFile: (String) -> Result<[UInt8], Failure>

  /// `nil` when the file is too incomplete to be a contract; the complaints say why.
  func read(_ root: JSONValue) -> Contract? {
    checkName(name, at: nil, noun: "contract", complaints)
    guard let fields = Fields(root, of: "a contract", keys: Self.names, complaints) else {
      return nil
    }
    _ = fields.string("$schema")
    let request = fields.require("request").flatMap {
      RequestReader(complaints: complaints).read($0)
    }
    let cases = fields.require("cases").map {
      CaseReader(
        complaints: complaints, queryNames: request?.queryNames ?? [], bodyFile: bodyFile
      )
      .read($0, defaultName: fields["default"]?.string)
    }
    if let cases, cases.isEmpty, let value = fields["cases"], value.kind == .object,
      value.count == 0
    {
      fields.complain(.missingKey, "cases", "no cases, expected at least one")
    }
    let names = cases?.map(\.name) ?? []
    let scripts = fields["scripts"].map { ScriptReader(caseNames: names, complaints).read($0) }
    let waivers = fields.waivers()
    let defaultIndex = defaultIndex(fields, names)
    guard let request, let cases, !cases.isEmpty else { return nil }
    return Contract(
      name: name, upstreamName: upstreamName, summary: fields.string("summary"), request: request,
      cases: cases, defaultCaseIndex: defaultIndex, scripts: scripts ?? [], waivers: waivers,
      file: complaints.file, source: root)
  }

  private func defaultIndex(_ fields: Fields, _ names: [String]) -> Int? {
    if fields["default"]?.kind == .null { return nil }
    guard let name = fields.string("default") else { return 0 }
    if let index = names.firstIndex(of: name) { return index }
    fields.complain(
      .unknownCase, "default", "default \"\(name)\" is not a case of this contract",
      fix: spellingSuggestion(for: name, among: names, noun: "the cases"))
    return 0
  }
}
