import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyJSON
import UnderstudyTestSupport

@testable import UnderstudyDrift

/// Certificates of live APIs that end soon, as `openssl s_server` presents them.
@Suite struct CertificateTests {
  private static let day = 86_400

  @Test("a certificate that ends soon is one warning for all requests, and fails no run")
  func endsSoon() async throws {
    let stage = try await CertificateStage()
    let server = try await stage.server()
    let outcome = try await stage.run(
      ["jokes": server.url], now: stage.end(in: -11 * Self.day - 3_600))
    #expect(outcome.report.checks.map(\.result) == [.pass, .pass, .pass])
    #expect(
      outcome.report.findings.map(\.description) == [
        """
        jokes/upstream.json:1:14: warning: the certificate of \(server.place) ends on \
        \(stage.end.date) (in 11 days), expected more than 14 days [certificate-ends]
          fix: ask whoever runs jokes to renew it: once it has ended, no client can connect
        """
      ])
    #expect(outcome.report.exitCode == 0)
    let findings = try #require(JSONDocument(parsing: outcome.report.json).root["findings"])
    let messages = findings.elements.compactMap { $0["message"]?.string }
    #expect(messages.map { $0.contains(" ends on \(stage.end.date) ") } == [true])
  }

  @Test("nothing is said of one that ends later, or when nobody asks")
  func silence() async throws {
    let stage = try await CertificateStage()
    let server = try await stage.server()
    for (days, seconds) in [(14, 15 * Self.day), (0, 3_600)] {
      let outcome = try await stage.run(
        ["jokes": server.url], days: days, now: stage.end(in: -seconds))
      #expect(outcome.report.checks.map(\.result) == [.pass, .pass, .pass])
      #expect(outcome.runFindings == [])
    }
    withExtendedLifetime(server) {}
  }

  @Test("upstreams on one host and port share a warning, and those on others have their own")
  func hosts() async throws {
    let stage = try await CertificateStage()
    let (first, second) = (try await stage.server(), try await stage.server())
    let outcome = try await stage.run(
      ["a": first.url + "/a", "b": first.url + "/b", "c": second.url],
      now: stage.end(in: -3_600))
    #expect(
      outcome.report.findings.map { "\($0.file) \($0.message)" }
        == [("a", first), ("c", second)].map {
          "\($0)/upstream.json the certificate of \($1.place) ends on \(stage.end.date) (in less"
            + " than a day), expected more than 14 days"
        })
  }

  @Test("a host that an upstream without HTTPS redirects to counts, too")
  func redirect() async throws {
    let stage = try await CertificateStage()
    let server = try await stage.server()
    let plain = try await FakeServer.start(
      ContractLibrary(reading: [
        "jokes/upstream.json": "{}",
        "jokes/c01.json": """
        { "request": { "method": "GET", "path": "/c01" }, "cases": { "moved": {
          "status": 302, "headers": { "Location": "\(server.url)/c01" } } } }
        """,
      ]))
    let url = try #require(plain.baseURL(of: "jokes"))
    let outcome = try await stage.run(["jokes": url], now: stage.end(in: -Self.day))
    #expect(
      outcome.runFindings.filter { $0.contains("certificate") } == [
        "warning certificate-ends the certificate of \(server.place) ends on \(stage.end.date)"
          + " (in 1 day), expected more than 14 days"
      ])
    await plain.close()
  }

  @Test("one that has ended is trouble of the upstream, and no warning")
  func ended() async throws {
    let stage = try await CertificateStage()
    let server = try await stage.server("expired")
    let outcome = try await stage.run(["jokes": server.url], now: .now)
    let reasons = outcome.report.checks.compactMap(\.reason)
    #expect(reasons.count { $0.contains("the certificate has expired") } == 3)
    #expect(outcome.report.findings.filter { $0.type == .certificateEnds } == [])
    #expect(outcome.report.exitCode == 3)
    withExtendedLifetime(server) {}
  }

  @Test(
    "the days count to the second",
    arguments: [
      (14 * day + 1, nil), (14 * day, "14 days"), (14 * day - 1, "13 days"), (2 * day, "2 days"),
      (2 * day - 1, "1 day"), (day, "1 day"), (day - 1, "less than a day"),
      (1, "less than a day"), (0, nil), (-1, nil),
    ] as [(Int, String?)])
  func days(seconds: Int, time: String?) throws {
    let now = Moment(unixSeconds: 1_795_000_000)
    let library = ContractLibrary(reading: [
      "api/upstream.json": #"{ "baseURL": "https://api.example", "owner": "the API team" }"#
    ])
    let origin = try #require(WebURL(base: "https://api.example"))
    var traffic = Traffic(upstream: "api")
    // Of the certificates of one host, the first to end counts.
    for later in [seconds + 400 * Self.day, seconds, seconds + 1] {
      traffic.noteResponse(
        from: origin, certificateEnd: Moment(unixSeconds: now.unixSeconds + later))
      traffic.noteResponse(from: origin, certificateEnd: nil)
    }
    let findings = [traffic].certificateFindings(withinDays: 14, of: now, library.upstreams)
    let end = Moment(unixSeconds: now.unixSeconds + seconds)
    let message = time.map {
      "the certificate of api.example ends on \(end.date) (in \($0)), expected more than 14 days"
    }
    #expect(findings.map(\.message) == [message].compactMap(\.self))
    #expect(
      findings.map(\.fix)
        == findings.map { _ in
          "ask the API team to renew it: once it has ended, no client can connect"
        })
  }
}

/// Servers with certificates of one authority, and runs at a moment that a test chooses.
private struct CertificateStage {
  struct Server {
    fileprivate let program: TLSServer
    var place: String { "127.0.0.1:\(program.port)" }
    var url: String { "https://\(place)" }
  }

  private let certificates: Certificates
  private let folder = TestFolder()
  /// When the certificate of `server()` ends.
  let end: Moment

  init() async throws {
    certificates = try await Certificates()
    end = Moment(unixSeconds: try await certificates.endUnixSeconds(of: "good"))
  }

  func end(in seconds: Int) -> Moment { Moment(unixSeconds: end.unixSeconds + seconds) }

  func server(_ name: String = "good") async throws -> Server {
    Server(program: try await TLSServer(name, in: certificates))
  }

  /// Asks each upstream three times.
  func run(
    _ baseURLs: [String: String], days: Int = 14, now: Moment
  ) async throws -> DriftSession.Outcome {
    var files: [String: String] = [:]
    for (name, url) in baseURLs {
      files["\(name)/upstream.json"] = #"{ "baseURL": "\#(url)" }"#
      for contract in ScheduleStage.names(3) {
        files["\(name)/\(contract).json"] = """
          { "request": { "method": "GET", "path": "/\(contract)" },
            "cases": { "ok": { "status": 200, "text": "hello", "live": {} } } }
          """
      }
    }
    let time = TestTime()
    var options = DriftSession.Options()
    // A folder for each run: processes that other tests start inherit locks for a moment.
    options.folder = "\(folder.path)/\(days)"
    options.certificateDays = days
    options.connection.trustFile = certificates.authority
    options.configuration.confirmPause = .zero
    options.clock = DriftClock(
      elapsed: time.clock.elapsed, now: { now }, sleep: time.clock.sleep)
    let session = try DriftSession(
      ContractLibrary(reading: files), ConsumerRegistry([]), options, environment: { _ in nil },
      warn: { _, line in Issue.record("\(line)") })
    return session.outcome(of: await session.responses(), toolVersion: "1")
  }
}
