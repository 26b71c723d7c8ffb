import Synchronization
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

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
  /// `nil` for a fake without HTTPS.
  let authority: RunAuthority?
  private let demandsMade = Mutex<[Demand]>([])

  /// Starts a fake.
  init(
    of library: ContractLibrary, folder: String, tls: Bool, testID: String?, reportsToXCTest: Bool
  ) async throws {
    do throws(Failure) {
      authority = tls ? try RunAuthority(for: library.upstreams.flatMap(\.hostNames)) : nil
    } catch {
      throw FakeError(message: error.message, fix: error.fix)
    }
    var configuration = ServerConfiguration()
    configuration.certificates = authority?.certificates
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
  /// Fails unless the trait or `withFake` has `tls: true`. Swift's Foundation on Linux trusts only
  /// what the system trusts.
  public var certificateFile: String {
    get throws(FakeError) {
      guard let authority else { throw .noCertificate() }
      return authority.trustFile
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
