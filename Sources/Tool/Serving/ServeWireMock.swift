import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudySystem
import UnderstudyWireMockAdmin

/// A folder of stub mappings, served at the root path.
struct ServeWireMock {
  private static let shownCountMax = 5

  private let folder: String
  private let options: WireMockAPI.Options

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
