import Synchronization
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudySystem

// The target is what a test of a user imports. Read this file with its extensions (`+Serving`
// chooses cases, `+Responding` makes responses without a contract, `+Requests` waits for requests,
// `+Checking` looks at them when the test ends), then `FakeTrait` and `WithFake`, which start and
// end a fake. `ContractSelection` finds what a name means, `ContractFolder` reads each folder once
// per process, and `CallSite` is the line at which a failure is reported.
//
// A fake belongs to one test and ends with it. What a test names must be requested, and no request
// may be unmatched: both are checked at the end, for Swift Testing and for XCTest.

/// A fake of the upstream APIs that a folder of contracts describes, for one test.
///
/// It listens on a port of its own and shares nothing with other fakes, so tests run in parallel. A
/// test gets one by the trait `.fake(…)`, or for a part of it by `withFake(…)`, and gives its
/// address to the client under test:
///
///     @Test(.fake("joke", case: "not-found"))
///     func gone() async throws {
///       let client = JokeClient(baseURL: try FakeAPI.current.baseURL())
///       …
///     }
///
/// The test fails if it never reaches the upstream or contract it names, or if it sends a request
/// that no contract matches. Any thread may use a fake.
public final class FakeAPI: Sendable {
  @TaskLocal static var inForce: FakeAPI?

  let server: FakeServer
  let library: ContractLibrary
  let folder: String
  /// The test whose trait started it.
  let testID: String?
  /// The test library that receives failures.
  let reportsToXCTest: Bool
  /// `nil` for a fake without HTTPS, and for one that is a proxy.
  let authority: RunAuthority?
  /// `nil` for a fake that is no proxy.
  let clientFiles: ClientFiles?
  private let demandsMade = Mutex<[Demand]>([])

  /// Starts a fake.
  init(
    of library: ContractLibrary, folder: String, tls: Bool, proxy: Bool, testID: String?,
    reportsToXCTest: Bool
  ) async throws {
    let hosts = library.upstreams.flatMap(\.hostNames)
    do throws(Failure) {
      clientFiles = proxy ? try ClientFiles(for: hosts) { Environment[$0] } : nil
      authority = tls && !proxy ? try RunAuthority(for: hosts) : nil
    } catch {
      throw FakeError(message: error.message, fix: error.fix)
    }
    var configuration = ServerConfiguration()
    configuration.certificates = authority?.certificates ?? clientFiles?.certificates
    configuration.announcesTLS = tls
    if proxy { configuration.proxy = ForwardProxy() }
    server = try await FakeServer.start(library, configuration: configuration)
    self.library = library
    self.folder = folder
    self.testID = testID
    self.reportsToXCTest = reportsToXCTest
  }

  /// The fake of the running test.
  ///
  /// Detached tasks do not see it: read the address first and pass it on.
  public static var current: FakeAPI {
    get throws(FakeError) {
      guard let fake = inForce else { throw .noFake() }
      return fake
    }
  }

  /// The address that replaces the upstream's live base URL: `http://127.0.0.1:40123/joke`.
  ///
  /// Leave out the name where only one upstream can be meant: the one the trait names, or the only
  /// one there is.
  public func baseURL(of upstream: String? = nil) throws(FakeError) -> String {
    let name: String
    if let upstream { name = upstream } else { name = try onlyUpstreamName() }
    guard let url = server.baseURL(of: name) else {
      throw .unknown("upstream", name, known: library.upstreams.map(\.name))
    }
    return url
  }

  /// The path of a PEM file with the certificate that a client must trust to reach this fake by
  /// HTTPS. It is removed when the test ends.
  ///
  /// Fails unless the trait or `withFake` has `tls: true` or `proxy: true`. Swift's Foundation on
  /// Linux trusts only what the system trusts.
  public var certificateFile: String {
    get throws(FakeError) {
      guard let file = authority?.trustFile ?? clientFiles?.certificateFile else {
        throw .noCertificate()
      }
      return file
    }
  }

  /// The proxy by which clients of the live APIs meet this fake instead: `http://127.0.0.1:40123`.
  /// They must trust ``certificateFile``.
  ///
  /// Fails unless the trait or `withFake` has `proxy: true`. Requests to hosts that no upstream
  /// declares get 502.
  public var proxyURL: String {
    get throws(FakeError) {
      guard let url = server.proxyURL else { throw .noProxy() }
      return url
    }
  }

  /// The environment variables by which a program that the test starts uses the proxy and trusts
  /// the fake, to be added to its others. Clients in the test's own process get ``proxyURL`` instead,
  /// since its tests share one environment.
  ///
  /// Fails unless the trait or `withFake` has `proxy: true`.
  public var proxyEnvironment: [String: String] {
    get throws(FakeError) {
      guard let clientFiles else { throw .noProxy() }
      return ProxyVariables.variables(
        for: server.address, asking: library.upstreams.flatMap(\.hostNames), clientFiles,
        loadsNodeModule: true
      ) { Environment[$0] }
    }
  }

  func onlyUpstreamName() throws(FakeError) -> String {
    let asked = Set(demands.filter { $0.selection.name != nil }.flatMap(\.selection.upstreamNames))
    let names = asked.isEmpty ? library.upstreams.map(\.name) : asked.sorted()
    guard let name = names.first, names.count == 1 else { throw .severalUpstreams(names) }
    return name
  }

  /// The requests the test must send to the fake.
  var demands: [Demand] { demandsMade.withLock { $0 } }

  /// Serves the case of a selection, and makes the test fail unless it is requested. A test's trait
  /// replaces its suite's for the same name.
  func add(_ demand: Demand) {
    demandsMade.withLock { demands in
      demands.removeAll { $0.selection.name == demand.selection.name }
      demands.append(demand)
    }
    use(demand.selection)
  }

  /// A required selection of a test, and where it is declared.
  struct Demand: Sendable {
    let selection: ContractSelection
    let site: CallSite
  }
}
