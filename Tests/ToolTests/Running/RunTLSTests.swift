import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// `understudy run --tls` with the clients of others, which are told nothing.
@Suite struct RunTLSTests {
  private static let body = #"{"message":"https://images.dog.ceo/1.jpg"}"#
  private static let url = #""$UNDERSTUDY_URL_DOG_CEO/breed/hound/images/random""#
  private static let python = """
    import os, urllib.request
    url = os.environ["UNDERSTUDY_URL_DOG_CEO"] + "/breed/hound/images/random"
    """

  @Test(
    "a client needs no word about the certificate",
    arguments: [
      ScriptedClient("curl", "curl -sS \(url)"),
      ScriptedClient(
        "python3",
        "python3 -c '\(python)\nprint(urllib.request.urlopen(url).read().decode(), end=\"\")'"),
      ScriptedClient(
        "node",
        """
        node -e 'fetch(process.env.UNDERSTUDY_URL_DOG_CEO + "/breed/hound/images/random")\
        .then((r) => r.text()).then((text) => process.stdout.write(text))'
        """),
    ].filter { ProcessRun.find($0.program) != nil })
  func trusts(client: ScriptedClient) async throws {
    let run = try await offPool {
      try RunCommandTests.run(["--tls", "--", "sh", "-c", client.script])
    }
    #expect(run.output == Self.body)
    #expect(run.errors == "no problems in 1 request, 1 of 5 cases requested\n")
    #expect(run.code == 0)
  }

  @Test("its variables name files that are gone when it has ended")
  func variables() async throws {
    let folder = try TemporaryFolder()
    try folder.write("system.pem", "the system's\n")
    try folder.write("extra.pem", "some more\n")
    let script = """
      curl -sS \(Self.url) > /dev/null
      env | grep -E '^(UNDERSTUDY_URL|.*_CA_|SSL_CERT_FILE|GIT_SSL)'
      grep -v '^[A-Za-z0-9+/=]*$' "$SSL_CERT_FILE"
      grep -v '^[A-Za-z0-9+/=]*$' "$NODE_EXTRA_CA_CERTS"
      ls "$(dirname "$SSL_CERT_FILE")"
      """
    let run = try await offPool {
      try RunCommandTests.run(
        ["--tls", "--", "sh", "-c", script],
        environment: [
          "TMPDIR": folder.path, "SSL_CERT_FILE": "\(folder.path)/system.pem",
          "NODE_EXTRA_CA_CERTS": "\(folder.path)/extra.pem",
        ])
    }
    let lines = run.output.split(separator: "\n").map { line in
      String(line).replacing(folder.path, with: "TEMPORARY").replacing(
        /understudy-run-\w{6}/, with: "OWN"
      )
      .replacing(/:\d+/, with: ":PORT")
    }
    let names = ["AWS_CA_BUNDLE", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "REQUESTS_CA_BUNDLE"]
    let bundles = (names + ["SSL_CERT_FILE"]).map { "\($0)=TEMPORARY/OWN/all.pem" }
    let found = lines.filter { bundles.contains($0) || $0.hasPrefix("NODE_EXTRA") }.sorted()
    #expect(
      found == (bundles + ["NODE_EXTRA_CA_CERTS=TEMPORARY/OWN/ca.pem"]).sorted(), "\(run.output)")
    #expect(lines.contains("UNDERSTUDY_URL=https://127.0.0.1:PORT"))
    #expect(lines.contains("UNDERSTUDY_URL_DOG_CEO=https://127.0.0.1:PORT/dog-ceo/api"))
    let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
    #expect(
      lines.suffix(10) == [
        begin, end, "the system's", begin, end, "some more", "all.jks", "all.pem", "ca.pem",
        "proxy.cjs",
      ])
    #expect(folder.files == ["extra.pem", "system.pem"])
    #expect(run.errors == "no problems in 1 request, 1 of 5 cases requested\n")
  }

  @Test("a client that does not trust the fake is a finding")
  func untrusting() async throws {
    let run = try await offPool {
      try RunCommandTests.run([
        "--tls", "--", "sh", "-c",
        "unset CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR; curl -sS \(Self.url) 2> /dev/null; true",
      ])
    }
    #expect(
      run.errors == """
        refused: a client failed to begin TLS: the client refuses our authority (tlsv1 alert unknown ca)
        1 problem in 0 requests, 0 of 5 cases requested

        """)
    #expect(run.code == 1)
  }

  @Test("each run of --each-case is by HTTPS")
  func eachCase() async throws {
    let run = try await offPool {
      try RunCommandTests.run([
        "--tls", "--each-case", "*#ok", "--each-case", "*#not-found", "--", "sh", "-c",
        "curl -sS \(Self.url) > /dev/null",
      ])
    }
    #expect(run.errors.hasSuffix("no problems in 2 runs, 2 requests, 2 of 5 cases requested\n"))
    #expect(run.code == 0)
  }
}
