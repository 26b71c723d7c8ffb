import Foundation
import Testing

/// The scripts of the action for GitHub, in folders of their own, with the variables that GitHub
/// sets.
@Suite struct ActionTests {
  // MARK: - ci/deploy/action/install

  private static let version = "0.1.0"

  /// A folder of releases with a stand-in for the tool, and the address of it.
  private static func published(_ stage: ScriptStage, checksum: String? = nil) async throws {
    let program = """
      set -e
      name=understudy-\(version)-linux-$(uname -m)
      mkdir -p releases/v\(version) "$name/bin"
      printf '#!/bin/sh\\necho "understudy \(version)"\\n' > "$name/bin/understudy"
      chmod +x "$name/bin/understudy"
      tar -czf "releases/v\(version)/$name.tar.gz" "$name"
      cd releases/v\(version)
      sum=$(sha256sum "$name.tar.gz")
      echo "\(checksum.map { "\($0)  $name.tar.gz" } ?? "$sum")" > "$name.tar.gz.sha256"
      """
    let folder = stage.folder
    let run = try await offPool {
      try ProcessRun("/bin/bash", ["--norc", "-c", program], directory: folder)
    }
    try #require(run.code == 0, "\(run.errors)")
  }

  private static func install(_ stage: ScriptStage) async throws -> ProcessRun {
    try stage.write("path", "")
    return try await stage.run(
      "action/install",
      environment: [
        "RELEASES": "file://\(stage.folder.path.replacing(" ", with: "%20"))/releases",
        "RUNNER_TEMP": stage.folder.appendingPathComponent("temporary").path,
        "GITHUB_PATH": stage.folder.appendingPathComponent("path").path,
      ])
  }

  @Test(
    "downloads the release of its own version, and puts it on the path",
    .enabled(if: ProcessRun.find("curl") != nil, "curl is not installed"))
  func installs() async throws {
    let stage = try await ScriptStage()
    try await Self.published(stage)
    let run = try await Self.install(stage)
    #expect(run.code == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasSuffix(": OK\nunderstudy \(Self.version)\n"))
    let path = (stage.read("path") ?? "").trimmingCharacters(in: .newlines)
    #expect(FileManager.default.isExecutableFile(atPath: "\(path)/understudy"))
  }

  @Test(
    "installs nothing that was changed on the way, and says what is not published",
    .enabled(if: ProcessRun.find("curl") != nil, "curl is not installed"))
  func refuses() async throws {
    let changed = try await ScriptStage()
    try await Self.published(changed, checksum: String(repeating: "0", count: 64))
    let run = try await Self.install(changed)
    #expect(run.output.contains(": FAILED\n"))
    #expect(run.code == 1)
    #expect(changed.read("path") == "")

    let unpublished = try await ScriptStage()
    let missing = try await Self.install(unpublished)
    #expect(missing.output.hasPrefix("::error::no understudy-\(Self.version)-linux-"))
    #expect(missing.output.hasSuffix("; \"tool\" may name an executable of your own\n"))
    #expect(missing.code == 2)
    #expect(unpublished.read("path") == "")
  }

  // MARK: - ci/deploy/action/run

  private static func run(
    _ command: String, _ arguments: String, on stage: ScriptStage, tool: String
  ) async throws -> ProcessRun {
    for name in ["summary", "output"] { try stage.write(name, "") }
    return try await stage.run(
      "action/run",
      environment: [
        "UNDERSTUDY": tool, "COMMAND": command, "ARGUMENTS": arguments,
        "GITHUB_STEP_SUMMARY": stage.folder.appendingPathComponent("summary").path,
        "GITHUB_OUTPUT": stage.folder.appendingPathComponent("output").path,
      ])
  }

  @Test("reports a test run as annotations, as the step's summary and in files")
  func reports() async throws {
    let stage = try await ScriptStage()
    let folder = stage.folder
    let start = try await offPool {
      try ProcessRun(Checkout.tool.path, ["init"], directory: folder)
    }
    #expect(start.code == 0)
    let arguments = "--time-scale 0\n--jobs 8\n"
    let good = try await Self.run("test", arguments, on: stage, tool: Checkout.tool.path)
    #expect(good.output.contains("5 checks: 5 passed\n"), "\(good.output)\(good.errors)")
    #expect(!good.output.contains("::error"))
    #expect(good.code == 0)
    #expect(stage.read("output") == "reports=.understudy/action/test\n")
    #expect(stage.read("summary")?.contains("5 passed") == true)
    for name in ["junit.xml", "report.json", "report.html"] {
      #expect(stage.read(".understudy/action/test/\(name)") != nil, "\(name)")
    }

    let contract = "Contracts/api/greeting.json"
    let text = try #require(stage.read(contract))
    try stage.write(contract, text.replacing(#""exitCode": 3"#, with: #""exitCode": 0"#))
    let bad = try await Self.run("test", arguments, on: stage, tool: Checkout.tool.path)
    #expect(bad.output.contains("::error file=\(contract),line="), "\(bad.output)\(bad.errors)")
    #expect(bad.code == 1)
    #expect(stage.read("summary")?.contains("1 failed") == true)
  }

  @Test("runs a test runner, and reports what it requested")
  func runs() async throws {
    let stage = try await ScriptStage()
    let folder = stage.folder
    _ = try await offPool { try ProcessRun(Checkout.tool.path, ["init"], directory: folder) }
    let run = try await Self.run(
      "run", "-- \(Checkout.tool.path) list", on: stage, tool: Checkout.tool.path)
    #expect(run.output.contains("::error"), "\(run.output)\(run.errors)")
    #expect(run.output.contains("greeting"))
    #expect(stage.read("summary")?.contains("the command sent no request to the fake") == true)
    #expect(stage.read(".understudy/action/run/junit.xml") != nil)
    #expect(run.code == 1)
  }

  private static let tool = """
    if [[ $1 == help ]]; then
      echo "${HELP-}"
    else
      printf '%s\\n' "$@"
      exit 3
    fi
    """

  @Test("a run that could not check everything is a warning, as on other systems")
  func run() async throws {
    let stage = try await ScriptStage(["understudy": Self.tool])
    let run = try await Self.run("drift", "a b", on: stage, tool: "understudy")
    #expect(run.output == "drift\na\nb\n::warning::not everything could be checked\n")
    #expect(run.code == 0)
    #expect(stage.read("output") == "")
  }

  @Test("the exit code is the command's, and a * stays a *")
  func code() async throws {
    let stage = try await ScriptStage(["understudy": Self.tool])
    let run = try await Self.run("test", "*#reset", on: stage, tool: "understudy")
    #expect(run.output == "test\n*#reset\n")
    #expect(run.code == 3)
  }
}
