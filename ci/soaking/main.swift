// `soak FOLDER` serves the contracts in Contracts, and by another port stubs that clients make and save in
// the folder, until its input ends, and prints both ports: `ci/soak` runs the clients.
import Glibc
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyTLS
import UnderstudyWireMockAdmin

/// Writes the contracts that clients made, beside the stubs.
struct Saving: ContractSaving {
  let folder: String

  private func path(of name: String) -> String { "\(folder)/\(name).json" }

  func text(of name: String, in upstreamName: String) throws(Failure) -> [UInt8]? {
    let (root, path) = (FileRoot(folder), path(of: name))
    return try root.kind(of: path) == nil ? nil : root.read(path)
  }

  func save(_ text: [UInt8], as name: String, of upstream: Upstream) throws(Failure) -> String {
    try FileRoot(folder).write(text, to: path(of: name))
    return path(of: name)
  }
}

/// Everything is local, so that whatever is left when the process ends has leaked.
func soak(in folder: String) async throws {
  var configuration = ServerConfiguration()
  configuration.threadCount = 2
  configuration.timeScale = 0.01
  configuration.limits.idleMax = .seconds(5)
  configuration.limits.requestMax = .seconds(3)
  configuration.limits.connectionCountMax = 400
  configuration.saving = Saving(folder: folder)
  let authority = try TLSAuthority(for: [], at: .now)
  try FileRoot(folder).write(authority.certificatePEM, to: "\(folder)/authority.pem")
  configuration.certificates = try ServerCertificates(authority)
  let contracts = try ContractLibrary.load(["Contracts"])
  let server = try await FakeServer.start(contracts, configuration: configuration)

  var options = WireMockAPI.Options()
  options.folder = folder
  configuration.saving = nil
  configuration.rootUpstream = WireMockLibrary.upstreamName
  configuration.apis = [try WireMockAPI(options)]
  let nothing = ContractLibrary(of: [Upstream(named: WireMockLibrary.upstreamName)])
  let stubs = try await FakeServer.start(nothing, configuration: configuration)

  print(server.address.port, stubs.address.port)
  fflush(nil)
  while readLine() != nil {}
  let left = await server.close() + stubs.close()
  print("closed with \(left) clients connected")
}

try await soak(in: CommandLine.arguments[1])
