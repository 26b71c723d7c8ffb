import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyJSON
import UnderstudyRecording
import UnderstudySystem

/// The contracts that come from a live API, and what the first consumer expects of them.
extension InitCommand {
  /// Returns whether every URL was served.
  static func record(
    _ urls: [WebURL], _ options: RecordingSession.Options, writes: Bool,
    _ environment: (String) -> String?, _ terminal: inout Terminal
  ) throws(Failure) -> Bool {
    let session = try RecordingSession(
      urls, options, environment: environment, differs: { $0.differs(from: $1, in: $2) })
    let responses = try Blocking.value(of: session.ask)
    for failure in responses.failures { terminal.writeError(failure) }
    guard responses.failures.isEmpty else { return false }
    for (target, exchanges) in responses.byTarget {
      let changes = try session.recording(of: exchanges, for: target).changes
      try changes.apply(to: writes ? target.root : nil) { change in
        terminal.output.write(line: change.words(isDone: writes))
      }
    }
    return true
  }

  /// Whether there is a consumers.json that does not declare the first consumer of this upstream.
  static func hasOtherConsumers(
    than upstream: String, in folder: FileRoot
  ) throws(Failure) -> Bool {
    guard try folder.kind(of: StartingFiles.consumersPath) != nil else { return false }
    let document = try? JSONDocument(parsing: folder.read(StartingFiles.consumersPath))
    let known = document?.root[StartingFiles.consumer]?["upstreams"]
    return known?.elements.contains { $0.string == upstream } != true
  }

  /// Lets the consumer expect the recorded responses.
  static func expectResponses(of upstream: String, in folder: FileRoot) throws(Failure) {
    let library = try ContractLibrary.load(["Contracts/\(upstream)"])
    try edit(upstream, in: folder) { document, contract, name throws(JSONEditError) in
      let code =
        library.contracts.first { $0.id == contract }?.case(named: name)?.kind.callCode ?? 0
      return try document.setting(
        ["cases", name, "expect"],
        to: "{ \"\(StartingFiles.consumer)\": { \"exitCode\": \(code) } }")
    }
  }

  /// Another consumers.json does not declare the consumer.
  static func removeExpectations(of upstream: String, in folder: FileRoot) throws(Failure) {
    try edit(upstream, in: folder) { document, _, name throws(JSONEditError) in
      let expectation: JSONPointer = ["cases", name, "expect"]
      return document.root.value(at: expectation) == nil
        ? document : try document.removing(expectation)
    }
  }

  /// Edits each case of each contract.
  private static func edit(
    _ upstream: String, in folder: FileRoot,
    _ change: (JSONDocument, _ contract: String, _ name: String) throws(JSONEditError) ->
      JSONDocument
  ) throws(Failure) {
    let path = "Contracts/\(upstream)"
    for name in try folder.names(in: path) where name.hasSuffix(".json") && name != "upstream.json"
    {
      let file = "\(path)/\(name)"
      guard var document = try? JSONDocument(parsing: try folder.read(file)),
        let cases = document.root["cases"]?.members
      else { continue }
      for key in cases.map(\.key) {
        document = (try? change(document, "\(upstream)/\(name.dropLast(5))", key)) ?? document
      }
      try folder.write(document.bytes, to: file)
    }
  }
}

extension Case.Kind {
  /// The exit code of `understudy call` for such a case.
  fileprivate var callCode: Int32 {
    switch self {
    case .good, .slow: ExitCode.pass.rawValue
    case .malformed: ExitCode.findings.rawValue
    case .broken: ExitCode.couldNotCheck.rawValue
    }
  }
}
