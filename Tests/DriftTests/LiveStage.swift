import Foundation
import Synchronization
import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings

/// A contract, consumers of it, and a server that stands for the live API and responds as a test
/// says.
struct LiveStage {
  static let consumers = """
    { "jokes.random": { "upstreams": ["joke"], "errors": {
        "connectivity": null, "unexpectedStatus": "integer" } } }
    """
  static let contract = """
    { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
      "cases": {
        "ok": { "status": 200, "body": { "id": 7 }, "live": {},
          "expect": { "jokes.random": { "value": { "id": 7 } } } },
        "gone": { "status": 410,
          "expect": { "jokes.random": { "error": { "unexpectedStatus": 410 } } } } } }
    """
  /// What the server can serve.
  static let live = ContractLibrary(reading: [
    "joke/upstream.json": #"{ "summary": "Jokes" }"#,
    "joke/random.json": """
    { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
      "cases": {
        "ok": { "status": 200, "headers": { "Set-Cookie": "a=1" },
          "body": { "id": 8, "token": "abc", "note": "key-12345678" } },
        "gone": { "status": 410, "text": "no more" },
        "busy": { "status": 503, "headers": { "Retry-After": "120" } },
        "busy-now": { "status": 503, "headers": { "Retry-After": "0" } },
        "limited": { "status": 403,
          "headers": { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2000000060" } },
        "last": { "like": "ok",
          "headers": { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2000000060" } },
        "eager": { "status": 429, "headers": { "Retry-After": "0" } },
        "past": { "status": 429,
          "headers": { "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT" } },
        "endless": { "status": 429, "headers": { "Retry-After": "99999999999999999999" } },
        "failing": { "status": 500 },
        "forbidden": { "status": 401 },
        "text": { "status": 200, "text": "no JSON" },
        "list": { "status": 200, "body": [{ "id": 8 }] } } }
    """,
  ])

  static func library(
    upstream: String = #"{ "summary": "Jokes", "baseURL": "https://jokes.example" }"#,
    contract: String = Self.contract
  ) -> ContractLibrary {
    ContractLibrary(reading: [
      "consumers.json": consumers, "joke/upstream.json": upstream, "joke/random.json": contract,
    ])
  }

  /// Asks for a joke as an app would.
  static let consumer = ServiceConsumer("jokes.random") { call in
    try await ask(ClientRequest(url: call.baseURL(of: "joke") + "/random"), call)
  }

  static func ask(_ request: ClientRequest, _ call: ConsumerCall) async throws -> [UInt8] {
    do {
      let response = try await call.transport.send(request)
      guard response.status == 200 else {
        throw ConsumerError("unexpectedStatus", payload: "\(response.status)")
      }
      return response.body
    } catch let error as TransportError {
      throw ConsumerError("connectivity", transport: error)
    }
  }

  let library: ContractLibrary
  let plan: DriftPlan
  let time: TestTime
  var configuration = DriftConfiguration()
  var earlier = EarlierResponses()

  /// - Parameter url: where the upstream is asked; `nil` for where its file says.
  init(
    _ library: ContractLibrary = Self.library(), at url: String?,
    consumer: ServiceConsumer = Self.consumer, environment: [String: String] = [:],
    time: TestTime = TestTime(), change: (inout DriftPlan.Options) -> Void = { _ in }
  ) {
    self.init(
      library, at: url, consumers: [consumer], environment: environment, time: time,
      change: change)
  }

  init(
    _ library: ContractLibrary, at url: String?, consumers: [ServiceConsumer],
    environment: [String: String] = [:], time: TestTime = TestTime(),
    change: (inout DriftPlan.Options) -> Void = { _ in }
  ) {
    var options = DriftPlan.Options()
    if let url = url.flatMap(WebURL.init(base:)) { options.baseURLs = ["joke": url] }
    change(&options)
    self.library = library
    self.time = time
    plan = DriftPlan(
      library, ConsumerRegistry(consumers), options, environment: { environment[$0] })
    configuration.confirmPause = .seconds(30)
  }

  func results() async -> [LiveCaseResult] {
    var connection = CurlConfiguration()
    connection.ignoresProxies = true
    let transport = CurlTransport(connection)
    let network = LiveNetwork(
      transport, local: transport, upstreams: plan.upstreams, earlier: earlier, clock: time.clock,
      timeout: .seconds(30), deadline: configuration.deadline)
    let results = await results(
      from: { _, _, round in network.responses(inRound: round) },
      gate: { await network.admission(to: $0, openCount: $1) })
    await transport.close()
    return results
  }

  func results(
    from source: @escaping DriftRun.Source, gate: @escaping DriftRun.Gate = { _, _ in .now }
  ) async -> [LiveCaseResult] {
    await DriftRun(
      plan, library, from: source, gate: gate, clock: time.clock, now: time.clock.now(),
      configuration
    ).results()
  }

  /// What comes of it when the responses of a run are kept and checked again, by another stage if
  /// that is given.
  func checkedAgain(
    _ results: [LiveCaseResult], by stage: LiveStage? = nil
  ) async throws -> [LiveCaseResult] {
    let folder = TestFolder()
    let run = try CaptureFolder(folder.path).keep(
      results, of: plan.upstreams, at: Moment(unixSeconds: 1_000_000))
    let kept = try KeptRun(run, upstreams: plan.upstreams)
    var stage = stage ?? self
    stage.configuration.sampleCount = kept.sampleCount
    return await stage.results { liveCase, consumer, round in
      kept.responses(for: liveCase.identity.caseID, consumer, round: round)
    }
  }

  func checks() async -> [Check] { await results().flatMap(\.checks) + plan.settled }

  /// What comes of the consumer's and the contract's requests when the server serves these cases.
  static func texts(
    serving cases: [String], consumer: ServiceConsumer = Self.consumer,
    contract: String = Self.contract, change: (inout LiveStage) -> Void = { _ in }
  ) async throws -> [String] {
    let server = try await FakeServer.start(live)
    server.use(cases, for: "joke/random")
    var stage = LiveStage(
      library(contract: contract), at: server.baseURL(of: "joke"), consumer: consumer)
    change(&stage)
    let texts = await stage.checks().map(\.text)
    await server.close()
    return texts
  }
}

/// A clock that goes on when somebody waits for it, and not otherwise.
final class TestTime: Sendable {
  private let now = Mutex((elapsed: Duration.zero, pauses: [Duration]()))

  /// How long was waited, in order.
  var pauses: [Duration] { now.withLock { $0.pauses } }

  var clock: DriftClock {
    DriftClock(
      elapsed: { self.now.withLock { $0.elapsed } },
      now: {
        Moment(
          unixSeconds: 2_000_000_000 + Int(self.now.withLock { $0.elapsed }.components.seconds))
      },
      sleep: { pause in
        self.now.withLock { now in
          now.elapsed += pause
          now.pauses.append(pause)
        }
      })
  }
}

/// A folder for one test, removed with it.
final class TestFolder: Sendable {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("drift \(UUID().uuidString)").path

  func write(_ bytes: [UInt8], _ path: String) throws {
    let file = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension Check {
  /// `fail joke/random#ok, jokes.random`, and beneath it each finding or the reason.
  var text: String {
    let lines = findings.map { "\($0.severity.rawValue) \($0.type.rawValue) \($0.message)" }
    let effort = attemptCount > 1 ? " after \(attemptCount)" : ""
    return "\(result.rawValue) \(identity)\(effort)"
      + (lines + [reason].compactMap(\.self)).map { "\n  \($0)" }.joined()
  }
}
