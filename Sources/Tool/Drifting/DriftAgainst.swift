import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFindings
import UnderstudyInterchange
import UnderstudySystem

/// `understudy drift --against` compares contracts with OpenAPI documents.
enum DriftAgainst {
  /// Options about requests, or about what a run leaves behind.
  private static let idle = [
    DriftOptions.baseURLs.declaration, SecretHost.option.declaration,
    DriftOptions.requireSecrets.declaration, DriftOptions.timeout.declaration,
    DriftOptions.confirm.declaration,
    DriftOptions.samples.declaration, DriftOptions.deadline.declaration,
    DriftOptions.outageRuns.declaration, DriftOptions.certificateDays.declaration,
    DriftOptions.update.declaration, DriftOptions.addCases.declaration,
    DriftOptions.dryRun.declaration,
    DriftOptions.replay.declaration, DriftOptions.history.declaration,
  ]

  static func run(
    _ arguments: ParsedArguments, _ library: ContractLibrary, _ globs: [CaseGlob],
    _ registry: ConsumerRegistry, _ output: ReportOutput, _ terminal: inout Terminal
  ) throws(Failure) -> ExitCode {
    if let idle = idle.first(where: arguments.isGiven) {
      throw Failure(
        message:
          "--\(idle.name) cannot be used with --against, which sends no requests and changes no files",
        fix: "leave one of them out")
    }
    var options = DocumentSession.Options()
    options.globs = globs
    options.accepted = try DriftCommand.accepted(arguments, library)
    options.failsOn = try arguments.value(of: DriftOptions.failOn)
    options.learned = try ReadsFile.current(for: library, of: options.globs, &terminal)
    for word in try arguments.value(of: DriftOptions.against) {
      let api = try document(at: word.path)
      let upstream = try upstream(of: api, word, library, options.globs)
      if let first = options.documents.first(where: { $0.upstream == upstream }) {
        throw .givenTwice("--against \(upstream)", first.api.file, api.file)
      }
      options.documents.append((upstream, api))
    }
    let session = try DocumentSession(library, registry, options)
    let signals = try SignalWatch.orError()
    let (report, signal): (Report, Int32?)
    do throws(SystemError) {
      (report, signal) = try Blocking.run(cancelledBy: signals) {
        await session.report(toolVersion: UnderstudyVersion.text)
      }
    } catch {
      throw Failure(message: error.description)
    }
    if let signal { terminal.writeEndedEarly(by: signal) }
    return try output.publish(report, of: library, to: &terminal)
  }

  private static func document(at path: String) throws(Failure) -> DocumentedAPI {
    let source = try ImportFiles.source([path])
    guard let document = source.documents.first, source.documents.count == 1 else {
      throw Failure(
        at: Place(path), message: "found a folder for --against, expected an OpenAPI document",
        fix: "name the document itself")
    }
    return try DocumentedAPI(document, from: source)
  }

  private static func upstream(
    of api: DocumentedAPI, _ word: DocumentPath, _ library: ContractLibrary, _ globs: [CaseGlob]
  ) throws(Failure) -> String {
    let names = library.upstreams.map(\.name)
    if let name = word.upstream {
      guard names.contains(name) else {
        throw .unknownName(name, "upstream", of: "--against", known: names)
      }
      return name
    }
    let served = library.upstreams.filter { $0.baseURL != nil && $0.baseURL == api.baseURL }
    let chosen = library.upstreams.filter { upstream in
      upstream.contracts.contains { contract in globs.contains { $0.matchesCase(of: contract) } }
    }
    for candidates in [served, library.upstreams, chosen] where candidates.count == 1 {
      return candidates[0].name
    }
    throw Failure(
      at: Place(api.file),
      message: "no upstream whose \"baseURL\" is the first server of the document"
        + (api.baseURL.map { ", \($0)" } ?? "") + "; known: \(names.joined(separator: ", "))",
      fix: "name it: --against \(names.first ?? "NAME")=\(word.path)")
  }
}
