import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudySystem
import UnderstudyWireMockAdmin

/// Serves stub mappings at the root path, and responds to WireMock's clients.
struct ServeWireMock {
  static let folder = Parameter<FilePath?>.optionalOption(
    "wiremock", "FOLDER",
    "Serve WireMock's stubs instead: a folder with mappings and __files. Paths begin at the root,"
      + " and /__admin responds to WireMock's clients.")
  static let isTemplated = Parameter.flag(
    "global-response-templating",
    "With --wiremock: every response has expressions, not only those of stubs that say so.")

  static let declarations = [folder.declaration, isTemplated.declaration]

  private static let shownCountMax = 5

  private let folder: String
  private let options: WireMockAPI.Options

  /// `nil` without the option.
  static func prepare(
    _ arguments: ParsedArguments, isRecording: Bool
  ) throws(Failure) -> ServeWireMock? {
    var options = WireMockAPI.Options()
    options.isTemplated = try arguments.value(of: isTemplated)
    guard let folder = try arguments.value(of: folder)?.argument else {
      if options.isTemplated {
        throw Failure(
          message: "found --global-response-templating without --wiremock",
          fix: "name the folder of stubs: --wiremock FOLDER")
      }
      return nil
    }
    guard !isRecording, !arguments.isGiven(Selection.wholeContracts.declaration),
      !arguments.isGiven(Selection.folder.declaration)
    else {
      throw Failure(
        message: "found --wiremock beside contracts or --record, expected stubs alone",
        fix: "import the stubs first: understudy import wiremock \(folder)")
    }
    options.maySave = try arguments.value(of: ServeOptions.allowSave)
    return ServeWireMock(folder, options) { () throws(Failure) in
      try ImportFiles.stubs(in: folder)
    }
  }

  init(
    _ folder: String, _ options: WireMockAPI.Options,
    reading read: @escaping @Sendable () throws(Failure) -> [ForeignDocument]
  ) {
    var options = options
    options.folder = folder
    options.read = read
    self.folder = folder
    self.options = options
  }

  /// Watches the stubs of the folder, before they are first read.
  func watch() throws(SystemError) -> ContractWatch {
    let hasMappings = (try? FileRoot(folder).kind(of: "\(folder)/mappings")) == .folder
    let folders = hasMappings ? ["\(folder)/mappings", "\(folder)/__files"] : [folder]
    return try ContractWatch(folders: folders) { [options] () throws(Failure) in
      Self.library(try WireMockAPI(options))
    }
  }

  /// Reads the stubs of the folder.
  func read() throws(Failure) -> WireMockAPI { try WireMockAPI(options) }

  /// What the server serves apart from the stubs.
  static let rest = ContractLibrary(of: [Upstream(named: WireMockLibrary.upstreamName)])

  /// The stubs of the folder as contracts.
  static func library(_ api: WireMockAPI) -> ContractLibrary {
    ContractLibrary(
      of: [Upstream(named: WireMockLibrary.upstreamName).with(ordered: api.contracts)])
  }

  static func configure(_ configuration: inout ServerConfiguration, _ api: WireMockAPI) {
    configuration.rootUpstream = WireMockLibrary.upstreamName
    configuration.apis = [api]
  }

  /// Says what cannot be served.
  func tellRefusals(of api: WireMockAPI, to stream: inout TextStream) {
    let refusals = api.refusals
    for refusal in refusals.prefix(Self.shownCountMax) { stream.write(line: refusal) }
    let more = refusals.count - Self.shownCountMax
    if more > 0 {
      stream.write(line: "and \(more) more; understudy import wiremock \(folder) lists them")
    }
  }
}
