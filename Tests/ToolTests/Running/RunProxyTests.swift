import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// `understudy run` in between clients of others and the live APIs that their URLs name.
@Suite struct RunProxyTests {
  private static let body = #"{"message":"https://images.dog.ceo/1.jpg"}"#
  private static let url = "https://dog.ceo/api/breed/hound/images/random"

  private static let java = """
    import java.net.*; import java.net.http.*;
    public class Ask {
      public static void main(String[] words) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("\(url)")).build();
        var text = HttpResponse.BodyHandlers.ofString();
        System.out.print(HttpClient.newHttpClient().send(request, text).body());
      }
    }
    """

  private static let fetch = """
    fetch("\(url)").then((r) => r.text()).then((text) => process.stdout.write(text))
    """
  private static let https = """
    require("https").get("\(url)", (response) => response.pipe(process.stdout))
    """

  @Test(
    "a client with the live API's URL meets the fake",
    arguments: [
      ScriptedClient("curl", "curl -sS \(url)"),
      ScriptedClient(
        "python3",
        """
        python3 -c 'import urllib.request as r; print(r.urlopen("\(url)").read().decode(), end="")'
        """),
      ScriptedClient("node, fetch", of: "node", "node -e '\(fetch)'"),
      ScriptedClient("node, https", of: "node", "node -e '\(https)'"),
      ScriptedClient("java", "cat > Ask.java <<'END'\n\(java)\nEND\njava Ask.java 2> /dev/null"),
    ].filter { ProcessRun.find($0.program) != nil })
  func meets(client: ScriptedClient) async throws {
    let run = try await offPool { try RunCommandTests.run(["--", "sh", "-c", client.script]) }
    #expect(run.output == Self.body)
    #expect(run.errors == "no problems in 1 request, 1 of 5 cases requested\n")
    #expect(run.code == 0)
  }

  @Test("a host that no upstream declares is a finding")
  func undeclared() async throws {
    let script = """
      curl -s https://api.example.com/; curl -s -o /dev/null http://api.example.com/
      curl -sS -o /dev/null "$UNDERSTUDY_URL_DOG_CEO/breed/hound/images/random"
      """
    let run = try await offPool { try RunCommandTests.run(["--", "sh", "-c", script]) }
    #expect(
      run.errors == """
        refused: "api.example.com" is the host of no upstream (2 times)
          fix: declare the host as the baseURL of an upstream.json, list it in NO_PROXY, or allow it \
        with --pass-through
        1 problem in 3 requests, 1 of 5 cases requested

        """)
    #expect(run.code == 1)
  }

  @Test("the hosts of upstreams are not left out, whatever NO_PROXY says")
  func noProxyVariable() async throws {
    let run = try await offPool {
      try RunCommandTests.run(
        ["--", "sh", "-c", "curl -sS \(Self.url) > /dev/null; echo $NO_PROXY"],
        environment: ["NO_PROXY": "*, .ceo, dog.ceo,other.example"])
    }
    #expect(run.output == "other.example,localhost,127.0.0.1,::1\n")
    #expect(run.code == 0)
  }

  @Test("Java's own options stay")
  func javaOptions() async throws {
    let run = try await offPool {
      try RunCommandTests.run(
        ["--", "sh", "-c", "echo $JAVA_TOOL_OPTIONS"],
        environment: ["JAVA_TOOL_OPTIONS": "-Dmine=1"])
    }
    #expect(run.output.hasPrefix("-Dmine=1 -Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort="))
  }

  @Test(
    "Node's own options stay, also where it needs one more", arguments: ["v20.20.2", "v24.5.0"])
  func nodeOptions(version: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("node", "#!/bin/sh\necho \(version)\n")
    let script = "echo $NODE_OPTIONS; echo $UNDERSTUDY_NODE_PROXY"
    let run = try await offPool {
      _ = try ProcessRun("/bin/chmod", ["+x", "\(folder.path)/node"])
      return try RunCommandTests.run(
        ["--", "sh", "-c", script],
        environment: ["NODE_OPTIONS": "--trace-warnings", "PATH": "\(folder.path):/usr/bin:/bin"])
    }
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    let added = version == "v20.20.2" ? " --require \"\(lines.last ?? "")\"" : ""
    #expect(lines.first == "--trace-warnings\(added)")
  }

  @Test("with --no-proxy, the environment has neither proxies nor certificates")
  func noProxy() async throws {
    let run = try await offPool {
      try RunCommandTests.run(
        ["--no-proxy", "--", "sh", "-c", "env"], environment: ["HTTPS_PROXY": "http://a.example"])
    }
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains("HTTPS_PROXY=http://a.example"))
    #expect(!lines.contains { $0.hasPrefix("JAVA_TOOL_OPTIONS") || $0.contains("understudy-") })
  }

  @Test("a case breaks the handshake of a client of the live API")
  func eachCase() async throws {
    let contract = """
      { "summary": "One", "request": { "method": "GET", "path": "/one" },
        "cases": { "ok": { "status": 200, "body": 1 }, "old": { "fault": "TLS_EXPIRED" } } }
      """
    let run = try await offPool {
      try RunCommandTests.run(
        [
          "--each-case", "dog-ceo/one", "--", "sh", "-c",
          #"curl -s -o /dev/null https://dog.ceo/api/one || test "$UNDERSTUDY_CASE" = dog-ceo/one#old"#,
        ], ["Contracts/dog-ceo/one.json": contract])
    }
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("no problems"), "\(run.errors)")
  }
}
