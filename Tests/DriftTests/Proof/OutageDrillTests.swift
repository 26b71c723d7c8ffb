import Testing
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudyTestSupport

/// Whatever keeps an upstream from being checked is no drift, and is not green.
@Suite struct OutageDrillTests {
  private func expectOpen(_ checks: [Check], _ cause: String) {
    #expect(checks.map(\.result) == [.couldNotCheck, .couldNotCheck])
    let kind: Check.Cause =
      cause.hasPrefix("too many requests")
      ? .limited : cause.contains("denied") ? .refused : .away
    #expect(checks.map(\.cause) == [kind, kind])
    #expect(checks.flatMap(\.findings).isEmpty)
    for check in checks {
      let reason = check.reason?.replacing(#/^no response from http[^ ]+: /#, with: "no response: ")
      #expect(reason?.hasPrefix(cause) == true, "\(check.reason ?? "no reason")")
    }
    let run = Run(
      command: "understudy drift", toolVersion: "1", plannedCount: checks.count,
      startedAt: "2026-11-18T00:00:00Z", duration: .zero)
    #expect(Report(run, checks: checks).exitCode == 3)
  }

  @Test("nobody listens")
  func refused() async throws {
    expectOpen(
      try await ListeningSocket.refusing { try await DriftProof.checks(at: $0) },
      "no response: cannot connect: ")
  }

  @Test(
    "what the upstream does instead of responding",
    arguments: [
      (#""fault": "CONNECTION_RESET_BY_PEER""#, "no response: the connection was reset"),
      (
        #""status": 200, "text": "half of it", "fault": "CONNECTION_RESET_IN_BODY""#,
        "no response: the connection was reset"
      ),
      (
        #""status": 200, "text": "half of it", "fault": "CONNECTION_CLOSED_IN_BODY""#,
        "no response: the connection was closed in the middle of the response"
      ),
      (
        #""fault": "EMPTY_RESPONSE""#, "no response: the connection was closed without a response"
      ),
      (#""fault": "MALFORMED_STATUS_LINE""#, "no response: the response is not HTTP"),
      (
        #""status": 503, "headers": { "Content-Type": "text/html" }, "text": "<h1>Sorry</h1>""#,
        "server error: found status 503"
      ),
      (
        #""status": 502, "headers": { "Content-Type": "text/html" }, "text": "<h1>Sorry</h1>""#,
        "server error: found status 502"
      ),
      (#""status": 500"#, "server error: found status 500"),
      (#""status": 429"#, "too many requests: found status 429"),
      (
        #""status": 429, "headers": { "Retry-After": "3600" }"#,
        "too many requests: found status 429, it asks to wait 3600 seconds"
      ),
      (#""status": 401"#, "access denied: found status 401"),
      (#""status": 403"#, "access denied: found status 403"),
      (#""status": 407"#, "a proxy on the way denied access: found status 407"),
    ])
  func instead(served: String, cause: String) async throws {
    expectOpen(try await DriftProof.checks(serving: served), cause)
  }

  @Test("a body that is not in the encoding that it names is a response, and a change")
  func undecodable() async throws {
    let checks = try await DriftProof.checks(
      serving: #"""
        "status": 200, "headers": { "Content-Type": "application/json" }, "body": { "id": 7 },
        "malform": { "gzip": "plain" }
        """#)
    #expect(checks.map(\.result) == [.fail, .fail])
    #expect(checks.map { $0.findings.map(\.type) } == [[.bodyUnreadable], [.consumerBroken]])
    #expect(
      checks[0].findings[0].message.hasPrefix("the body cannot be decoded: GET http://127.0.0.1:"))
  }

  @Test("it takes the request and never responds")
  func held() async throws {
    let server = try await DriftProof.live(#""status": 200"#)
    let hold = server.hold("joke/thing")
    let checks = try await DriftProof.checks(
      at: server.baseURL(of: "joke"), timeout: .milliseconds(50))
    expectOpen(checks, "no response: timed out while ")
    await hold.end()
    await server.close()
  }

  @Test("it stops in the middle of the body")
  func stalled() async throws {
    let server = try await DriftProof.live(
      #""status": 200, "text": "half of it", "stall": { "atByte": 4 }"#)
    let checks = try await DriftProof.checks(
      at: server.baseURL(of: "joke"), timeout: .milliseconds(200))
    expectOpen(checks, "no response: timed out while ")
    await server.close()
  }

  @Test("it sends a byte a second, which no limit for pauses ends")
  func trickle() async throws {
    let server = try await DriftProof.live(
      #""status": 200, "text": "a body of half a minute", "pace": { "bytesPerSecond": 1 }"#)
    let checks = try await DriftProof.checks(
      at: server.baseURL(of: "joke"), timeout: .milliseconds(200))
    expectOpen(checks, "no response: timed out while ")
    await server.close()
  }

  @Test(
    "its certificate is not to be trusted",
    arguments: [
      ("expired", "the certificate has expired"), ("self-signed", "the certificate is self-signed"),
      ("wrong-host", "the certificate is for another host"),
    ])
  func certificates(name: String, cause: String) async throws {
    let certificates = try await Certificates()
    let server = try await TLSServer(name, in: certificates)
    let checks = try await DriftProof.checks(
      at: "https://127.0.0.1:\(server.port)", trusting: certificates.authority)
    expectOpen(checks, "no response: \(cause)")
  }
}
