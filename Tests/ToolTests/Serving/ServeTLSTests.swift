import Foundation
import Testing
import UnderstudyCore
import UnderstudyTLS
import UnderstudyTestSupport

@testable import UnderstudyTool

/// `understudy serve --tls` with the clients of others.
@Suite(
  .enabled(
    if: ["curl", "python3"].allSatisfy { ProcessRun.find($0) != nil },
    "curl or python3 is not installed"))
struct ServeTLSTests {
  private static let path = "/dog-ceo/api/breed/hound/images/random"
  private static let body = #"{"message":"https://images.dog.ceo/1.jpg"}"#

  private let samples: SampleContracts
  private let state: StateStage

  init() throws { (samples, state) = (try SampleContracts(), try StateStage()) }

  private func serve(_ arguments: String..., format: String = "text") throws -> RunningServer {
    try RunningServer(
      ["--tls"] + arguments, in: samples.folder, format: format, environment: state.environment)
  }

  /// A client that trusts nothing but what it is told to.
  private func client(
    _ words: [String], environment: [String: String] = [:]
  ) async throws -> ProcessRun {
    let names = ["CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE"]
    let settings = names.flatMap { ["-u", $0] } + environment.map { "\($0)=\($1)" }
    return try await offPool { try ProcessRun("/usr/bin/env", settings + words) }
  }

  @Test("prints addresses of HTTPS, and what to try is a command that works")
  func session() async throws {
    let server = try serve()
    let curl = "curl -i --cacert STATE/ca.pem"
    let url = "https://127.0.0.1:PORT\(Self.path)"
    #expect(server.firstLine == "listening on https://127.0.0.1:PORT")
    let lines = server.lines(through: \.isEmpty).map(state.shown)
    #expect(
      lines == [
        "  dog-ceo  https://127.0.0.1:PORT/dog-ceo/api", "http:// works at the same addresses",
        "try", "  \(curl) \(url)", "  \(curl) -H 'Prefer: example=not-found' \(url)",
        "dashboard at https://127.0.0.1:PORT/__understudy/", "",
      ])
    let command = try #require(lines.first { $0.hasPrefix("  curl") })
      .replacing("STATE", with: state.folder).replacing("PORT", with: "\(server.port)")
    let run = try await client(["sh", "-c", "\(command) --noproxy '*' --silent --show-error"])
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(run.output.hasSuffix(Self.body))
    #expect(try server.send("GET \(Self.path)").hasSuffix(Self.body))
    server.interrupt()
    let end = server.end()
    #expect(
      state.shown(end.errors)
        == "made the authority STATE/ca.pem, which signs for this machine, private networks and"
        + " dog.ceo; \"understudy ca\" shows how clients trust it\n")
    #expect(end.code == 0)
  }

  @Test("says to programs what to trust")
  func json() throws {
    let server = try serve(format: "json")
    #expect(
      state.shown(server.firstLine)
        == #"{"event":"listening","url":"https://127.0.0.1:PORT","#
        + #""page":"https://127.0.0.1:PORT/__understudy/","proxy":null,"#
        + #""upstreams":{"dog-ceo":"https://127.0.0.1:PORT/dog-ceo/api"},"#
        + #""certificate":"STATE/ca.pem","environment":null}"#)
  }

  @Test(
    "clients that are told as \"understudy ca\" says connect, and others do not",
    arguments: ["localhost", "127.0.0.1", "fake.localhost"])
  func clients(host: String) async throws {
    let server = try serve()
    let url = "https://\(host):\(server.port)\(Self.path)"
    let curl = [
      "curl", "-sS", "--noproxy", "*", "--resolve", "fake.localhost:\(server.port):127.0.0.1", url,
    ]
    let untold = try await client(curl)
    #expect(untold.code == 60)
    let bundle = ["CURL_CA_BUNDLE": state.certificateFile]
    #expect(try await client(curl, environment: bundle).output == Self.body)
    guard host != "fake.localhost" else { return }
    let script = """
      import sys, urllib.request
      opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
      print(opener.open(sys.argv[1]).read().decode())
      """
    let python = try await client(
      ["python3", "-c", script, url], environment: ["SSL_CERT_FILE": state.certificateFile])
    #expect(python.errors == "")
    #expect(python.output == Self.body + "\n")
  }

  @Test(
    "so do Node and Java",
    .enabled(
      if: ["node", "java", "keytool"].allSatisfy { ProcessRun.find($0) != nil },
      "node or java is not installed"))
  func otherClients() async throws {
    let server = try serve()
    let url = "https://localhost:\(server.port)\(Self.path)"
    let program = "fetch(process.argv[1]).then((r) => r.text()).then(console.log)"
    let node = try await client(
      ["node", "-e", program, url], environment: ["NODE_EXTRA_CA_CERTS": state.certificateFile])
    #expect(node.errors == "")
    #expect(node.output == Self.body + "\n")
    try samples.write(
      "Client.java",
      """
      class Client {
        public static void main(String[] urls) throws Exception {
          System.out.write(new java.net.URL(urls[0]).openStream().readAllBytes());
          System.out.flush();
        }
      }
      """)
    let java = TrustGuide.trusting(state.certificateFile).first { $0.client == "Java" }
    let commands = try #require(java?.commands)
    let script =
      "cd '\(samples.folder.path)' && \(commands[0]) 2>&1 && "
      + commands[1].replacing("-jar client.jar", with: "Client.java \(url)")
    let run = try await client(["sh", "-c", script])
    #expect(run.output == "Certificate was added to keystore\n" + Self.body, "\(run.errors)")
  }

  @Test("a host of an upstream has a certificate, another has none")
  func hosts() async throws {
    let server = try serve()
    let curl = ["curl", "-sS", "--noproxy", "*", "--cacert", state.certificateFile]
    func request(_ host: String) -> [String] {
      let place = "\(host):\(server.port)"
      return curl + [
        "--resolve", "\(place):127.0.0.1", "https://\(place)/api/breed/hound/images/random",
      ]
    }
    #expect(try await client(request("dog.ceo")).output == Self.body)
    let other = try await client(request("other.example"))
    #expect(other.code == 35)
    server.interrupt()
    #expect(server.end().output.contains("a client failed to begin TLS for \"other.example\""))
  }

  @Test("our own commands reach it at either address")
  func ownClients() async throws {
    let server = try serve()
    let port = server.port
    for url in ["https://127.0.0.1", "https://localhost", "http://127.0.0.1"] {
      let run = try await offPool {
        CommandLineRun("use dog-ceo/random-images=not-found --url \(url):\(port)")
      }
      #expect(run.output == "dog-ceo/random-images serves not-found\n")
      #expect(run.errors == "")
    }
  }

  @Test("a case that no client can meet is refused at the start")
  func unmet() async throws {
    let samples = try SampleContracts([
      "Contracts/dog-ceo/one.json": """
      { "summary": "One", "request": { "method": "GET", "path": "/one" },
        "cases": { "ok": { "status": 200 }, "old": { "fault": "TLS_EXPIRED" } },
        "scripts": { "ages": ["ok", "old"] } }
      """
    ])
    for option in ["--case=dog-ceo/one=old", "--script=dog-ceo/one=ages"] {
      let run = try await offPool {
        try ProcessRun(
          Checkout.tool.path, ["serve", "--port", "0", option], directory: samples.folder)
      }
      #expect(
        run.errors == """
          understudy: error: TLS_EXPIRED needs TLS, which this server does not speak
            fix: start it with --proxy, or with --tls and --ports

          """)
      #expect(run.code == 2)
    }
  }

  @Test("an authority that does not sign for a host is a warning")
  func warns() throws {
    try state.make(TLSAuthority(for: ["other.example"], at: .now))
    let server = try serve()
    server.interrupt()
    #expect(
      state.shown(server.end().errors) == """
        understudy: warning: the authority STATE/ca.pem does not sign for dog.ceo
          fix: make a new one: "understudy ca --remove", then "understudy ca"

        """)
  }

  @Test(
    "an authority that has ended, or no OpenSSL, keeps it from serving", arguments: [false, true])
  func cannotServe(lacksOpenSSL: Bool) async throws {
    try state.make(TLSAuthority(for: [], at: .now + .seconds(-366 * 86_400)))
    var variables = state.environment
    if lacksOpenSSL {
      // What the loader finds first is not a library.
      try samples.write("libraries/libssl.so.3", "not a library")
      variables["LD_LIBRARY_PATH"] = samples.folder.appending(path: "libraries").path
    }
    let expected =
      lacksOpenSSL
      ? """
      understudy: error: cannot load OpenSSL 3, which HTTPS needs: LIBRARIES/libssl.so.3: file too \
      short
        fix: install it: apt-get install libssl3, or brew install openssl@3

      """
      : """
      understudy: error: the authority STATE/ca.pem ended on DATE
        fix: make a new one: "understudy ca --remove", then "understudy ca"

      """
    for command in ["serve", "wiremock"] {
      let run = try await refusal(of: command, variables)
      #expect(run.output == "")
      let folder = samples.folder.appending(path: "libraries").path
      #expect(state.shown(run.errors).replacing(folder, with: "LIBRARIES") == expected)
      #expect(run.code == 2)
    }
  }

  private func refusal(
    of command: String, _ environment: [String: String]
  ) async throws -> ProcessRun {
    let folder = samples.folder
    return try await offPool {
      try ProcessRun(
        Checkout.tool.path, [command, "--tls", "--port", "0"], directory: folder,
        environment: environment)
    }
  }

  @Test("stubs are served by HTTPS, too")
  func wiremock() async throws {
    try samples.write(
      "mappings/a.json",
      #"{ "request": { "url": "/a" }, "response": { "status": 200, "body": "A" } }"#)
    let server = try RunningServer(
      ["--tls"], in: samples.folder, command: "wiremock", environment: state.environment)
    #expect(server.firstLine == "listening on https://127.0.0.1:PORT")
    let run = try await client([
      "curl", "-sS", "--noproxy", "*", "--cacert", state.certificateFile,
      "https://localhost:\(server.port)/a",
    ])
    #expect(run.output == "A")
  }
}
