import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

@testable import UnderstudySuite

@Suite("Checks of cases that break TLS")
struct HandshakeCheckTests {
  private static let library = ContractLibrary(reading: [
    "consumers.json":
      #"{ "jokes.random": { "upstreams": ["joke"], "errors": { "connectivity": null } } }"#,
    "joke/upstream.json": #"{ "summary": "Jokes", "baseURL": "https://jokes.example/v1" }"#,
    "joke/random.json": """
    { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
      "cases": {
        "ok": { "status": 200, "body": [], "expect": { "jokes.random": { "value": [] } } },
        \(faults.map { name, fault, curl in
          """
          "\(name)": { "fault": "\(fault)", "expect": { "jokes.random":
            { "error": "connectivity", "transport": "tls", "curl": \(curl) } } }
          """
        }.joined(separator: ",\n")) } }
    """,
  ])

  private static let faults = [
    ("expired", "TLS_EXPIRED", "[60]"), ("early", "TLS_NOT_YET_VALID", "[60]"),
    ("self-signed", "TLS_SELF_SIGNED", "[60]"), ("wrong-host", "TLS_WRONG_HOST", "[51, 60]"),
    ("stranger", "TLS_UNKNOWN_AUTHORITY", "[60]"), ("aborted", "TLS_HANDSHAKE_ABORTED", "[35]"),
    ("old", "TLS_OLD_PROTOCOL", "[35]"),
  ]

  @Test("a consumer that checks certificates passes, beside checks of plain HTTP")
  func good() async throws {
    let checks = try await SmallSuite.results(of: SmallSuite.good, in: Self.library)
    #expect(
      checks.map(\.text) == ["ok"].map { "pass joke/random#\($0), jokes.random" }
        + Self.faults.map { "pass joke/random#\($0.0), jokes.random" })
  }

  @Test("a consumer that never connects is found")
  func absent() async throws {
    let consumer = SmallSuite.consumer { _ in
      throw ConsumerError(
        "connectivity", transport: TransportError(.tls(.expired), "", curlCode: 60))
    }
    let checks = try await SmallSuite.results(of: consumer, "joke/random#expired", in: Self.library)
    #expect(
      checks.map(\.text) == [
        """
        fail joke/random#expired, jokes.random
          request-count began no TLS connection
        """
      ])
  }

  @Test("without OpenSSL these checks have a reason, and all others run")
  func withoutOpenSSL() async throws {
    let checks = try await SmallSuite.results(
      of: SmallSuite.good, "joke/random#ok", "joke/random#expired", "joke/random#old",
      in: Self.library
    ) { configuration in
      configuration.makeAuthority = { () throws(Failure) in
        throw Failure(message: "cannot load OpenSSL 3, which HTTPS needs")
      }
    }
    #expect(
      checks.map(\.text) == [
        "pass joke/random#ok, jokes.random",
        """
        couldNotCheck joke/random#expired, jokes.random
          cannot load OpenSSL 3, which HTTPS needs
        """,
        """
        couldNotCheck joke/random#old, jokes.random
          cannot load OpenSSL 3, which HTTPS needs
        """,
      ])
  }

  private static func results(of script: String) async throws -> [Check] {
    let cases = """
      "ok": { "status": 200, "body": [1], "expect": { "cli": { "exitCode": 0 } } },
      "expired": { "fault": "TLS_EXPIRED", "expect": { "cli": { "exitCode": 60 } } },
      "cut": { "status": 200, "body": [1], "framing": "close",
        "fault": "TLS_CLOSED_WITHOUT_NOTICE", "expect": { "cli": { "exitCode": 0 } } }
      """
    return try await SmallCommand.with(script, method: "GET", cases: cases) { library in
      let plan = SuitePlan(library, ConsumerRegistry([]))
      return try await SuiteRun(library, SuiteConfiguration()).results(of: plan.checks)
    }
  }

  @Test("a command finds whom to trust in its environment")
  func command() async throws {
    // How a client takes the missing end differs by its version.
    let checks = try await Self.results(
      of: """
        curl -sS -o body "$UNDERSTUDY_URL_API/thing"; code=$?
        [ $code = 56 ] || [ $code = 18 ] && exit 0
        exit $code
        """)
    #expect(
      checks.map(\.text) == [
        "pass api/thing#ok, cli", "pass api/thing#expired, cli", "pass api/thing#cut, cli",
      ])
  }

  @Test("a command that goes on without checking certificates is found")
  func careless() async throws {
    let checks = try await Self.results(of: #"curl -ksS "$UNDERSTUDY_URL_API/thing""#)
    let expired = try #require(checks.first { $0.identity.caseName == "expired" })
    #expect(expired.result == .fail)
    #expect(
      expired.findings.map(\.message).contains(
        "went on although the TLS handshake must fail: sent GET /api/v1/thing, expected no request"),
      "\(expired.text)")
    #expect(checks.map(\.result) == [.pass, .fail, .pass])
  }
}
