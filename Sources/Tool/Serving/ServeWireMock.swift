import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudySystem

/// `understudy serve --wiremock` plays stub mappings at the root path.
struct ServeWireMock {
  static let folder = Parameter<FilePath?>.optionalOption(
    "wiremock", "FOLDER",
    "Play WireMock's stubs instead: a folder with mappings and __files. Paths begin at the root.")
  static let isTemplated = Parameter.flag(
    "global-response-templating",
    "With --wiremock: every answer has expressions, not only those of stubs that say so.")

  static let declarations = [folder.declaration, isTemplated.declaration]

  private static let shownCountMax = 5

  private let folder: String
  private let isTemplated: Bool
  let library: ContractLibrary
  private let notes: [ImportNote]

  /// `nil` without the option.
  init?(_ arguments: ParsedArguments, isRecording: Bool) throws(Failure) {
    isTemplated = try arguments.value(of: Self.isTemplated)
    guard let folder = try arguments.value(of: Self.folder)?.argument else {
      if isTemplated {
        throw Failure(
          message: "found --global-response-templating without --wiremock",
          fix: "name the folder of stubs: --wiremock FOLDER")
      }
      return nil
    }
    let paths = try arguments.value(of: ContractPaths.argument)
    guard !isRecording, paths.map(\.argument) == ContractPaths.standard.map(\.argument) else {
      throw Failure(
        message: "found --wiremock beside contracts or --record, expected stubs alone",
        fix: "import the stubs first: understudy import wiremock \(folder) --write")
    }
    self.folder = folder
    let stubs = try Self.read(folder, isTemplated)
    guard !stubs.library.contracts.isEmpty else {
      throw Failure(
        message: "found no stub in \(folder) that can be played",
        fix: "understudy import wiremock \(folder) says why")
    }
    library = stubs.library
    notes = stubs.notes.filter { $0.kind == .leftOut }
  }

  private static func read(
    _ folder: String, _ isTemplated: Bool
  ) throws(Failure) -> WireMockLibrary {
    try WireMockLibrary(ImportFiles.source([folder]), isTemplated: isTemplated)
  }

  /// Reads the stubs again when they change.
  func watch() throws(SystemError) -> ContractWatch {
    try ContractWatch(folders: [folder]) { [folder, isTemplated] () throws(Failure) in
      try Self.read(folder, isTemplated).library
    }
  }

  /// Says what no contract can say.
  func tellNotes(to stream: inout TextStream) {
    for note in notes.prefix(Self.shownCountMax) {
      stream.write(line: "\(note.place): left out \(note.subject), because \(note.reason)")
    }
    let more = notes.count - Self.shownCountMax
    if more > 0 {
      stream.write(line: "and \(more) more; understudy import wiremock \(folder) lists them")
    }
  }
}
