import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySystem
import UnderstudyTestSupport

@testable import UnderstudyInterchange

/// Stubs on a server, at the root path.
struct WireMockStage {
  let notes: [ImportNote]
  private let server: FakeServer

  /// Serves stubs as the contracts that an import would write.
  static func with(
    _ stubs: String..., files: [String: String] = [:],
    _ test: (WireMockStage) async throws -> Void
  ) async throws {
    let text = "{ \"mappings\": [\n\(stubs.joined(separator: ",\n"))\n] }"
    let source = ImportSource(
      documents: [try ForeignDocument(reading: Array(text.utf8), file: "stubs.json")],
      reading: { name, _ throws(Failure) in
        guard let text = files[name] else {
          throw Failure(at: Place(name), message: "no file \(name)", fix: nil)
        }
        return Array(text.utf8)
      })
    let imported = try ImportedStubs(source)
    try await with(imported.library, imported.notes, test)
  }

  /// Serves stubs one by one, of which the first that matches responds.
  static func with(
    ordered stubs: [String], isTemplated: Bool = false,
    _ test: (WireMockStage) async throws -> Void
  ) async throws {
    let reader = StubReader(isTemplated: isTemplated) { .failure(Failure(message: "no \($0)")) }
    var contracts: [Contract] = []
    for stub in stubs {
      let root = try JSONDocument(parsing: Array(stub.utf8)).root
      let first = contracts.count
      var made = 0
      contracts += try reader.contracts(of: .value(root)) { _ in
        made += 1
        return "stub-\(first + made)"
      }
    }
    let upstream = Upstream(named: WireMockLibrary.upstreamName).with(ordered: contracts)
    try await with(ContractLibrary(of: [upstream]), [], test)
  }

  private static func with(
    _ library: ContractLibrary, _ notes: [ImportNote],
    _ test: (WireMockStage) async throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.rootUpstream = WireMockLibrary.upstreamName
    configuration.timeScale = 0
    let server = try await FakeServer.start(library, configuration: configuration)
    do {
      try await test(WireMockStage(notes: notes, server: server))
    } catch {
      await server.close()
      throw error
    }
    await server.close()
  }

  /// `201 made` for a status and a body; nothing for a connection that ends early.
  func response(
    _ line: String, _ headers: [String] = [], body: String = ""
  ) async throws -> String {
    let head = ["\(line) HTTP/1.1", "Host: a", "Connection: close"] + headers
    let request =
      head.map { "\($0)\r\n" }.joined() + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    let port = Int(server.address.port)
    let bytes = try await offPool {
      let socket = try ClientSocket(to: "127.0.0.1", port: port, until: .now + .seconds(30))
      try socket.send(Array(request.utf8))
      return try socket.receiveAll(byteCountMax: 1 << 20)
    }
    guard !bytes.isEmpty, let response = try ReceivedResponse.parse(bytes, isClosed: true) else {
      return ""
    }
    let text = String(decoding: response.body, as: UTF8.self)
    return response.status == 404 && text.contains("No contract matches")
      ? "miss" : "\(response.status)\(text.isEmpty ? "" : " ")\(text)"
  }

  /// What could not be taken over: where in the file, and why.
  var leftOut: [String] {
    notes.filter { $0.kind == .leftOut }.map { "\($0.pointer): \($0.reason)" }
  }
}

/// The contracts that an import of stubs would write into a folder that is not there, and its
/// notes.
struct ImportedStubs {
  static let folder = "no-such-folder"

  let plan: ImportPlan
  let library: ContractLibrary

  var notes: [ImportNote] { plan.notes }

  /// - Parameters:
  ///   - upstream: what `--upstream` names.
  ///   - baseURL: the URL after it.
  init(_ source: ImportSource, to upstream: String? = nil, at baseURL: String? = nil) throws {
    var options = ImportOptions(folder: Self.folder, differs: { _, _, _ in false })
    options.upstream = upstream.map { ($0, baseURL.flatMap { WebURL(base: $0) }) }
    plan = try ImportFormat.plan(source, as: nil, options)
    var files: [String: [UInt8]] = [:]
    for case .write(let file) in plan.changes {
      files[String(file.path.dropFirst("\(Self.folder)/".count))] = file.bytes
    }
    library = ContractLibrary(readingBytes: files)
  }
}
