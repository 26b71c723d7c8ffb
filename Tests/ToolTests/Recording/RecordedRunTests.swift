import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// `understudy record -- COMMAND`, with a server as the live API and clients of others.
@Suite struct RecordedRunTests {
  private let live: RunningServer
  private let samples: SampleContracts
  private let folder: TemporaryFolder

  init() throws {
    samples = try SampleContracts()
    live = try RunningServer(["--no-names"], in: samples.folder)
    folder = try TemporaryFolder()
  }

  private var host: String { "127.0.0.1:\(live.port)" }
  private var url: String { "http://\(host)/dog-ceo/api/breed/hound/images/random" }

  private func understudy(
    _ words: [String], environment: [String: String] = [:]
  ) async throws -> ProcessRun {
    try await offPool { [folder] in
      try ProcessRun(
        Checkout.tool.path, words, directory: URL(filePath: folder.path), environment: environment)
    }
  }

  @Test("what a command asked is served to it again, and the live API has not changed since")
  func replays() async throws {
    let script = """
      curl -sS \(url) && curl -sS -H 'Prefer: example=not-found' '\(url)?page=2' \
        -H 'Authorization: Bearer invented-1234567890'
      """
    let recorded = try await understudy([
      "record", "--only-host", host, "--", "sh", "-c", script,
    ])
    #expect(recorded.errors == "")
    #expect(recorded.code == 0)
    #expect(recorded.output.hasPrefix(#"{"message":"https://images.dog.ceo/1.jpg"}"#))
    #expect(recorded.output.contains("localhost") || recorded.output.contains("127-0-0-1"))
    let text = folder.files.filter { $0.hasSuffix(".json") }
      .compactMap { try? folder.read($0) }.joined()
    #expect(!text.contains("invented-1234567890"))
    let drift = try await understudy(["drift"])
    #expect(drift.code == 0, "\(drift.output)\(drift.errors)")
    live.interrupt()
    _ = live.end()
    let run = try await understudy(["run", "--", "sh", "-c", "curl -sS \(url)"])
    #expect(run.output == #"{"message":"https://images.dog.ceo/1.jpg"}"#)
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test("what the contracts would not serve alike is listed")
  func unlike() async throws {
    let words = ["record", "--only-host", host, "--", "sh", "-c"]
    let ask = { (name: String) in "curl -sS -H 'Prefer: example=\(name)' \(self.url); true" }
    let first = try await understudy(words + ["\(ask("ok")); \(ask("not-found"))"])
    #expect(first.code == 0, "\(first.output)\(first.errors)")
    let next = try #require(first.output.split(separator: "\n").last)
    #expect(next.hasPrefix("next: understudy run --script "), "\(next)")
    #expect(next.contains("=as-recorded -- sh -c '"), "\(next)")
    let second = try await understudy(words + [ask("malformed")])
    #expect(second.output.contains("not recorded: GET "), "\(second.output)")
    #expect(second.output.contains("--force replaces it"), "\(second.output)")
    #expect(second.code == 1)
  }

  @Test("hosts that are not named are asked, and not recorded")
  func onlyHost() async throws {
    let recorded = try await understudy([
      "record", "--only-host", "127.0.0.1:1", "--", "sh", "-c", "curl -sS \(url)",
    ])
    #expect(recorded.output == #"{"message":"https://images.dog.ceo/1.jpg"}"#)
    #expect(
      recorded.errors.hasPrefix(
        "understudy: error: the command asked no host of --only-host\n"), "\(recorded.errors)")
    #expect(recorded.code == 1)
    #expect(folder.files.isEmpty)
  }

  @Test("a command that fails is a finding, and what it asked is recorded")
  func failing() async throws {
    let recorded = try await understudy([
      "record", "--only-host", host, "--format", "json", "--", "sh", "-c",
      "curl -sS \(url); exit 3",
    ])
    #expect(recorded.code == 1)
    #expect(recorded.errors == #"{"message":"https://images.dog.ceo/1.jpg"}"#)
    #expect(recorded.output.contains("the command exited with 3"), "\(recorded.output)")
    #expect(!folder.files.isEmpty)
  }

  @Test("nobody is led to where clouds hand out credentials")
  func linkLocal() async throws {
    let recorded = try await understudy([
      "record", "--", "curl", "-sS", "http://169.254.169.254/latest/meta-data",
    ])
    let reason = "nobody is led to a link-local or unspecified address"
    #expect(recorded.output.contains(reason), "\(recorded.output)")
    #expect(recorded.errors.contains(reason), "\(recorded.errors)")
    #expect(recorded.code == 1)
    #expect(folder.files.isEmpty)
  }

  @Test(
    "in a network of its own, a client that heeds no proxy is recorded, and nothing else is asked",
    .enabled(if: areNamespacesAllowed, "this system forbids namespaces"))
  func hermetic() async throws {
    let asks = ["http://api.example.com/a", "http://192.0.2.1/b", "https://192.0.2.2:443/c"]
      .map { "curl -sS -o /dev/null \($0) 2> /dev/null" }
    let script = (["curl --noproxy '*' -sS \(url)"] + asks).joined(separator: "; ")
    let recorded = try await understudy(
      ["record", "--hermetic", "--only-host", host, "--", "sh", "-c", script + "; true"],
      environment: ["http_proxy": "http://192.0.2.1:9"])
    let named = ["api.example.com", "192.0.2.1", "192.0.2.2"].map { name in
      """
      understudy: error: asked for \(name), which is no upstream's host and not named
        fix: name it: --only-host \(name); or let the command do without

      """
    }
    #expect(recorded.errors == named.joined())
    #expect(recorded.code == 1)
    #expect(recorded.output.hasPrefix(#"{"message":"https://images.dog.ceo/1.jpg"}"#))
    #expect(recorded.output.contains("\nnext: understudy run --hermetic -- sh -c "))
    live.interrupt()
    _ = live.end()
    let run = try await understudy(
      ["run", "--hermetic", "--", "sh", "-c", "curl --noproxy '*' -sS \(url)"])
    #expect(run.output == #"{"message":"https://images.dog.ceo/1.jpg"}"#)
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test(
    "a network of its own in which nothing is asked is a finding",
    .enabled(if: areNamespacesAllowed, "this system forbids namespaces"))
  func hermeticSilence() async throws {
    let recorded = try await understudy(["record", "--hermetic", "--", "true"])
    #expect(
      recorded.errors == """
        understudy: error: the command asked for nothing in its network
          fix: let it use the live API's own address

        """)
    #expect(recorded.code == 1)
  }

  @Test(
    "what does not go together is refused, with the fix",
    arguments: [
      (["--samples", "2", "--", "true"], "--samples is for URLs, not for a command"),
      (["http://a.example/", "--", "true"], "found a URL and a command"),
      (["--only-host", "a.example", "http://a.example/"], "--only-host a.example needs a command"),
      (["--hermetic", "http://a.example/"], "--hermetic needs a command after --"),
      ([], "nothing to record"), (["--", "no-such-program"], "no-such-program"),
    ])
  func refused(words: [String], message: String) async throws {
    let run = try await understudy(["record"] + words)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.code == 2)
  }
}
