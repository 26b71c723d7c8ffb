import Testing
import UnderstudyFindings

@Suite struct NoDriftTests {
  struct Response: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let served: String

    init(
      _ name: String, body: String = DriftProof.body, headers: String = DriftProof.headers,
      more: String = ""
    ) {
      testDescription = name
      served = #""status": 200, "headers": { \#(headers) }, "body": \#(body)\#(more)"#
    }

    /// Sent as it stands.
    init(_ name: String, text: String) {
      testDescription = name
      let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        .replacing("\n", with: "\\n").replacing("\t", with: "\\t")
      served = #""status": 200, "headers": { \#(DriftProof.headers) }, "text": "\#(quoted)""#
    }

    static let all = [
      Response("other values"),
      Response("the body of the contract", body: DriftProof.body.replacing("chair", with: "lamp")),
      Response(
        "another order of the keys",
        body: """
          { "maker": { "sites": ["east", "west"], "city": "Linz" }, "weight": 2.5,
            "made": 816000001, "seen": "2026-11-02T11:00:00Z", "note": "y",
            "prices": { "usd": { "text": "$1.20", "cents": 120 } },
            "parts": [{ "label": "big", "size": 4, "sku": "p2" }],
            "tags": ["blue"], "at": 816000000, "day": "2026-11-02", "grade": "b",
            "state": "used", "name": "chair", "id": 8 }
          """),
      Response(
        "white space", text: "\n\t" + DriftProof.body.replacing(",", with: "\n ,\t") + "\n\n"),
      Response(
        "escaped slashes and letters",
        text: DriftProof.body.replacing("chair", with: #"ch\u0061ir\/2"#)
          .replacing(#""note""#, with: #""n\u006fte""#)),
      Response(
        "numbers written otherwise",
        text: DriftProof.body.replacing("2.5", with: "25e-1").replacing(
          "816000000", with: "816000000.0")),
      Response(
        "headers in other letters",
        headers:
          #""content-type": "Application/JSON;charset=UTF-8", "x-kind": "thing", "etag": "2""#
      ),
      Response("chunked", more: #", "framing": "chunked""#),
      Response("until the end of the connection", more: #", "framing": "close""#),
      Response("gzip", more: #", "encoding": "gzip""#),
      Response("HTTP/1.0", more: #", "version": "1.0", "framing": "close""#),
      Response(
        "gzip in chunks that come slowly",
        more: #", "encoding": "gzip", "framing": "chunked", "pace": { "chunks": 3, "over": "9ms" }"#
      ),
      Response(
        "headers of the way",
        headers: DriftProof.headers
          + #", "Server": "other", "Via": "1.1 proxy", "X-Request-Id": "7", "Set-Cookie": "a=1""#),
      Response(
        "more elements, and another key of a map",
        body: DriftProof.body.replacing(
          #"["blue", "old"]"#, with: #"["blue", "old", "big"]"#
        ).replacing(
          #""usd":"#, with: #""chf": { "cents": 90, "text": "90 Rp" }, "usd":"#)),
    ]
  }

  @Test("an equivalent response is not drift", arguments: Response.all)
  func none(response: Response) async throws {
    let checks = try await DriftProof.checks(serving: response.served)
    #expect(checks.map(\.text) == Self.passes)
  }

  private static let passes = ["pass joke/thing#ok", "pass joke/thing#ok, things.get"]

  @Test("a redirect is not drift, and is reported", arguments: [301, 302, 307, 308])
  func redirect(status: Int) async throws {
    let server = try await DriftProof.live(
      NamedDrift("none", [], []).served, behind: status)
    let url = try #require(server.baseURL(of: "joke"))
    let checks = try await DriftProof.checks(
      at: url, consumer: DriftProof.consumer(followingRedirects: 5))
    #expect(
      checks.map(\.text) == [
        Self.passes[0]
          + "\n  note redirect followed a redirect (\(status)) to \(url)/moved",
        Self.passes[1],
      ])
    #expect(
      Report(
        Run(
          command: "understudy drift", toolVersion: "1", plannedCount: checks.count,
          startedAt: "2026-11-18T00:00:00Z", duration: .zero), checks: checks
      ).exitCode == 0)
    await server.close()
  }

  @Test("a response with an unchanged tag is not drift, and need not be sent")
  func tag() async throws {
    let server = try await DriftProof.live(
      #""status": 200, "headers": { \#(DriftProof.headers) }, "body": \#(DriftProof.body)"#,
      others: #"""
        , "same": { "status": 304, "headers": { "ETag": "\"2\"" },
            "when": { "request": { "header.If-None-Match": "\"2\"" } } }
        """#)
    let captures = TestFolder()
    for _ in 0..<3 {
      let checks = try await DriftProof.checks(at: server.baseURL(of: "joke"), captures: captures)
      #expect(checks.map(\.text) == Self.passes)
    }
    let journal = await server.journal()
    #expect(journal.map(\.status) == [200, 304, 304])
    await server.close()
  }
}
