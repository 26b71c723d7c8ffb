import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyRecording
import UnderstudySystem

/// The recording options of `understudy serve`.
enum ServeRecording {
  static let record = Parameter.flag(
    "record",
    "Forward unmatched requests to the live API, and write contracts from the responses.")
  static let recordAll = Parameter.flag(
    "record-all", "Forward and record every request, even if a contract responds to it.")
  static let upstreams = Parameter.options(
    "upstream", "NAME", UpstreamName.format,
    "The upstream to record; NAME=URL adds a new one. Default: all.")

  static let group = Command.OptionGroup(
    title: "Recording",
    options: [record.declaration, recordAll.declaration, upstreams.declaration])

  /// Records for clients of the admin API.
  static func recorder(into selection: Selection) throws(Failure) -> KeptRecorder {
    KeptRecorder(into: try selection.root, differs: { $0.differs(from: $1, in: $2) })
  }

  /// The folder, its contracts to serve, possibly none yet, and the recorder for the rest; `nil`
  /// when nothing is to be recorded.
  static func prepare(
    _ arguments: ParsedArguments, _ selection: Selection
  ) throws(Failure) -> (folder: String, library: ContractLibrary, recorder: ServeRecorder)? {
    let takesAll = try arguments.value(of: recordAll)
    let chosen = try arguments.value(of: upstreams)
    let takesUnmatched = try arguments.value(of: record)
    guard takesAll || takesUnmatched else {
      guard let first = chosen.first else { return nil }
      throw Failure(
        message: "--upstream \(first.argument) needs --record or --record-all",
        fix: "add one of them")
    }
    try CurlTransport.checkLibrary()
    let folder = try selection.folderToRecordInto()
    let library = try RecordingTarget.library(in: folder)
    for name in chosen {
      if let other = chosen.first(where: { $0.name == name.name }), other.argument != name.argument
      {
        throw .givenTwice("--upstream \(name.name)", other.argument, name.argument)
      }
    }
    let baseURLs = try ServeRecorder.baseURLs(
      of: chosen.map { ($0.name, $0.baseURL) }, library, folder)
    if library == nil { try FileRoot.anywhere.makeFolder(folder) }
    do throws(SystemError) {
      return (
        folder, library ?? ContractLibrary(reading: [:]),
        try ServeRecorder(
          baseURLs, in: folder, takesAll: takesAll,
          differs: { $0.differs(from: $1, in: $2) })
      )
    } catch {
      throw .cannotServe(error)
    }
  }
}
