import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings

/// Runs in a row over contracts of one upstream, with a history, while a server serves the live
/// API.
struct ScheduleStage {
  /// `joke/c01`, …, each with a live case.
  static func names(_ count: Int) -> [String] { (1...count).map { "c\($0 < 10 ? "0" : "")\($0)" } }

  static func library(_ count: Int, upstream: String, cases: String) -> ContractLibrary {
    var files = ["joke/upstream.json": upstream]
    for name in names(count) {
      files["joke/\(name).json"] = """
        { "request": { "method": "GET", "path": "/\(name)" }, "cases": { \(cases) } }
        """
    }
    return ContractLibrary(reading: files)
  }

  let server: FakeServer
  let time = TestTime()
  private let library: ContractLibrary
  private let folder = TestFolder()
  var timeout = Duration.seconds(30)

  /// - Parameters:
  ///   - limits: keys of `upstream.json`.
  ///   - body: of the contracts.
  ///   - live: the body that the server serves.
  ///   - others: more cases of the server.
  init(
    _ count: Int, limits: String, body: String = #"{ "id": 7 }"#, live: String = #"{ "id": 7 }"#,
    others: String = #""quiet": { "status": 204 }"#
  ) async throws {
    library = Self.library(
      count, upstream: #"{ "baseURL": "https://jokes.example", \#(limits) }"#,
      cases: #""ok": { "status": 200, "body": \#(body), "live": {} }"#)
    server = try await FakeServer.start(
      Self.library(
        count, upstream: #"{ "summary": "Jokes" }"#,
        cases: """
          "ok": { "status": 200, "headers": { "Content-Type": "application/json" },
            "body": \(live) },
          \(others),
          "failing": { "status": 500 }, "gone": { "status": 410 },
          "reset": { "fault": "CONNECTION_RESET_BY_PEER" }
          """))
  }

  func session() throws -> DriftSession {
    var options = DriftSession.Options()
    // A folder for each run: processes that other tests start inherit locks for a moment.
    options.folder = "\(folder.path)/\(time.pauses.count)"
    options.historyPath = "\(folder.path)/history.jsonl"
    options.baseURLs["joke"] = server.baseURL(of: "joke").flatMap { WebURL(base: $0) }
    options.configuration.confirmPause = .zero
    options.timeout = timeout
    options.clock = time.clock
    return try DriftSession(
      library, ConsumerRegistry([]), options, environment: { _ in nil },
      warn: { _, line in Issue.record("\(line)") })
  }

  func run() async throws -> DriftSession.Outcome {
    let session = try session()
    return session.outcome(of: await session.responses(), toolVersion: "1")
  }

  func wait(_ pause: Duration) async throws { try await time.clock.sleep(pause) }
}

extension DriftSession.Outcome {
  /// The names of the contracts that got a request.
  var requested: Set<String> {
    Set(
      report.checks.filter { $0.result != .notExercised && $0.cause != .limited }.map {
        String($0.identity.contract.dropFirst("joke/".count))
      })
  }

  var runFindings: [String] {
    report.findings.map { "\($0.severity.rawValue) \($0.type.rawValue) \($0.message)" }
  }

  var requestCount: Int { history.requests.last?.count ?? 0 }
}
