import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// Whether a command can have a network of its own here.
let areNamespacesAllowed = (try? HermeticNetwork.check()) != nil

/// `understudy run --hermetic` with clients that are told nothing, where the system allows it.
@Suite(.enabled(if: areNamespacesAllowed, "this system forbids namespaces"))
struct RunHermeticTests {
  private static let body = #"{"message":"https://images.dog.ceo/1.jpg"}"#
  private static let path = "dog.ceo/api/breed/hound/images/random"

  private static func python(_ url: String) -> String {
    """
    python3 -c 'import urllib.request as r; print(r.urlopen("\(url)").read().decode(), end="")'
    """
  }

  private static let java = """
    import java.net.*; import java.net.http.*;
    public class Ask {
      public static void main(String[] words) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("https://\(path)")).build();
        var text = HttpResponse.BodyHandlers.ofString();
        System.out.print(HttpClient.newHttpClient().send(request, text).body());
      }
    }
    """

  @Test(
    "a client that heeds no proxy meets the fake at the live API's address",
    arguments: [
      ScriptedClient("curl, HTTPS", of: "curl", "curl --noproxy '*' -sS https://\(path)"),
      ScriptedClient("curl, HTTP", of: "curl", "curl --noproxy '*' -sS http://\(path)"),
      ScriptedClient(
        "curl, without variables", of: "curl",
        "env -i \"$(command -v curl)\" -sS https://\(path)"),
      ScriptedClient(
        "curl, the fake's address", of: "curl",
        "curl -sS $UNDERSTUDY_URL_DOG_CEO/breed/hound/images/random"),
      ScriptedClient("python3, HTTPS", of: "python3", python("https://\(path)")),
      ScriptedClient("python3, HTTP", of: "python3", python("http://\(path)")),
      ScriptedClient(
        "node", of: "node",
        """
        node -e 'fetch("https://\(path)").then((r) => r.text())\
        .then((text) => process.stdout.write(text))'
        """),
      ScriptedClient("java", of: "java", "cat > Ask.java <<'END'\n\(java)\nEND\njava Ask.java"),
    ].filter { ProcessRun.find($0.program) != nil })
  func meets(client: ScriptedClient) async throws {
    let run = try await offPool {
      try RunCommandTests.run(
        ["--hermetic", "--", "sh", "-c", client.script],
        environment: ["HTTPS_PROXY": "http://192.0.2.1:9", "http_proxy": "http://192.0.2.1:9"])
    }
    #expect(run.output == Self.body)
    #expect(run.errors == "no problems in 1 request, 1 of 5 cases requested\n")
    #expect(run.code == 0)
  }

  @Test("a name, an address and a host that no upstream declares are findings")
  func undeclared() async throws {
    let script = """
      curl -s https://api.example.com/; curl -s http://192.0.2.1/; curl -s https://192.0.2.2/
      curl -s --resolve sub.dog.ceo:443:127.0.0.1 https://sub.dog.ceo/
      curl -s --connect-to ::dog.ceo:80 http://sub.dog.ceo/__understudy/ > /dev/null
      curl -s https://\(Self.path) > /dev/null
      exit 3
      """
    let run = try await offPool {
      try RunCommandTests.run(["--hermetic", "--", "sh", "-c", script])
    }
    #expect(
      run.errors == """
        asked for api.example.com, which no upstream declares
          fix: declare the host as the baseURL of an upstream.json, or let the command do without
        refused: "192.0.2.1" is the host of no upstream
          fix: declare the host as the baseURL of an upstream.json, or let the command do without
        refused: "192.0.2.2" is the host of no upstream
        refused: "sub.dog.ceo" is the host of no upstream (2 times)
        the command exited with 3
        5 problems in 3 requests, 1 of 5 cases requested

        """)
    #expect(run.code == 1)
  }

  @Test("on the ports of live APIs, neither sessions nor the admin API take the path")
  func hostsFirst() async throws {
    let script = """
      curl -s -o /dev/null -w '%{http_code}\\n' http://dog.ceo/__understudy/journal
      curl -s -o /dev/null -w '%{http_code}\\n' http://dog.ceo/~a/dog-ceo/api/breed/x/images/random
      curl -s -o /dev/null -w '%{http_code}\\n' http://dog.ceo/dog-ceo/api/breed/x/images/random
      curl -s -o /dev/null -w '%{http_code}\\n' $UNDERSTUDY_URL/__understudy/journal
      """
    let run = try await offPool {
      try RunCommandTests.run(["--hermetic", "--", "sh", "-c", script])
    }
    #expect(run.output == "404\n404\n404\n200\n")
    #expect(
      run.errors.contains("no upstream in \"/dog-ceo/__understudy/journal\""), "\(run.errors)")
  }

  @Test("the command keeps its streams, and nothing of it is left")
  func rest() async throws {
    let folder = try TemporaryFolder()
    let script = """
      curl -s https://\(Self.path); echo; grep -c dog.ceo /etc/hosts; ls "$TMPDIR"
      sleep 600 > /dev/null 2>&1 &
      echo $!
      """
    let run = try await offPool {
      try RunCommandTests.run(
        ["--hermetic", "--timeout", "60s", "--", "sh", "-c", script],
        environment: ["TMPDIR": folder.path])
    }
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == 4, "\(run.output) \(run.errors)")
    #expect(lines[0] == Self.body)
    #expect(lines[1] == "1")
    let process = try #require(Int32(lines[3]))
    // Whoever collects it may be slow: then it has no program any more.
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    #expect(program == nil)
    #expect(folder.files == [])
    let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
    #expect(!mounts.contains(folder.path))
  }

  @Test("a case that breaks TLS is met at the host of its upstream")
  func brokenTLS() async throws {
    let contract = """
      { "summary": "Expired", "request": { "method": "GET", "path": "/old" },
        "cases": { "ok": { "status": 200, "text": "" }, "expired": { "fault": "TLS_EXPIRED" } } }
      """
    let run = try await offPool {
      try RunCommandTests.run(
        [
          "--hermetic", "--each-case", "dog-ceo/old", "--", "sh", "-c",
          "curl -s https://dog.ceo/api/old || [ $? = 60 ]",
        ], ["Contracts/dog-ceo/old.json": contract])
    }
    #expect(run.errors.contains("no problems in 2 runs, 1 request"), "\(run.errors)")
    #expect(run.code == 0)
  }

  /// Runs the tool where namespaces are at their limit, and rights to do without are missing.
  private func runForbidden(_ words: [String]) async throws -> ProcessRun {
    let samples = try SampleContracts()
    let script = """
      echo 0 > /proc/sys/user/max_user_namespaces
      exec setpriv --bounding-set -sys_admin --inh-caps -all "$0" run "$@"
      """
    return try await offPool {
      try ProcessRun(
        "/usr/bin/env", ["unshare", "-Ur", "sh", "-c", script, Checkout.tool.path] + words,
        directory: samples.folder)
    }
  }

  @Test(
    "where namespaces are forbidden, it says why, and with try goes on without",
    .enabled(if: ProcessRun.find("unshare") != nil && ProcessRun.find("setpriv") != nil))
  func forbidden() async throws {
    let refused = try await runForbidden(["--hermetic", "--", "true"])
    #expect(
      refused.errors == """
        understudy: error: --hermetic is not possible: the system gives the command no namespaces of its own: their limit is reached
          fix: sudo sysctl user.max_user_namespaces=10000; or run it without such a network where there can be none: --hermetic=try

        """)
    #expect(refused.code == 2)
    let tried = try await runForbidden([
      "--hermetic=try", "--", "curl", "-s", "https://\(Self.path)",
    ])
    #expect(tried.output == Self.body)
    #expect(
      tried.errors == """
        understudy: warning: the command runs without a network of its own: the system gives the command no namespaces of its own: their limit is reached
          fix: sudo sysctl user.max_user_namespaces=10000
        no problems in 1 request, 1 of 5 cases requested

        """)
    #expect(tried.code == 0)
  }
}
