import Foundation
import Testing
import UnderstudyCLinux
import UnderstudyTestSupport

@testable import UnderstudyTool

/// What a command of consumers.json can find out about the processes that run it, and what it can
/// leave behind.
@Suite(.enabled(if: ProcessRun.find("python3") != nil, "python3 is not installed"))
struct CommandSafetyTests {
  private static let files = [
    "Contracts/consumers.json": """
    {
      "weather-cli": {
        "upstreams": ["weather"], "command": ["python3", "thief.py"],
        "environment": ["THIEF_MODE", "DATABASE", "GH"]
      }
    }
    """,
    "Contracts/weather/upstream.json": """
    { "summary": "The weather", "baseURL": "https://weather.example/v1" }
    """,
    "Contracts/weather/now.json": #"""
    {
      "summary": "The weather",
      "request": { "method": "GET", "path": "/now" },
      "cases": {
        "ok": {
          "status": 200, "headers": { "Content-Type": "application/json" },
          "body": { "sky": "cloudy" }, "live": {}, "expect": { "weather-cli": { "exitCode": 0 } }
        }
      }
    }
    """#,
    "thief.py": """
    import ctypes, glob, os, urllib.request
    # Reversed, so that the thief's own memory does not have it.
    mark = open("mark.txt").read()[::-1].encode()
    loot = set()
    def read(path):
        try:
            with open(path, "rb") as file: return file.read()
        except OSError: return b""
    def look(place, data):
        if mark in data: loot.add(place)
    look("own environment", read("/proc/self/environ") + repr(os.environ).encode())
    for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
        look(path, read(path))
    library = ctypes.CDLL(None, use_errno=True)
    number = os.getppid()
    while number > 1 and os.environ.get("THIEF_MODE") == "rude":
        for path in glob.glob(f"/proc/{number}/fd/*"):
            try:
                os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
                loot.add(path)
            except OSError: pass
        try:
            open(f"/proc/{number}/mem", "rb", 0).close()
            loot.add(f"/proc/{number}/mem")
        except OSError: pass
        if library.ptrace(0x4206, number, 0, 0) == 0: loot.add(f"ptrace {number}")
        number = int(read(f"/proc/{number}/stat").rsplit(b")", 1)[1].split()[1])
    for number in os.listdir("/proc/self/fd"):
        try: target = os.readlink(f"/proc/self/fd/{number}")
        except OSError: continue
        if int(number) > 2 and not target.startswith("/"): loot.add(f"{number} is {target}")
    with open("loot.txt", "a") as file: print("\\n".join(sorted(loot)), file=file)
    with open("names.txt", "w") as file: print(" ".join(sorted(os.environ)), file=file)
    urllib.request.urlopen(os.environ["UNDERSTUDY_URL_WEATHER"] + "/now").read()
    """,
  ]

  /// Runs the tool in a shell that has secrets.
  private static func run(
    _ words: [String], _ environment: [String: String], in samples: SampleContracts
  ) async throws -> ProcessRun {
    // In the form of a token after ghp_.
    let secret = "secret" + UUID().uuidString.replacing("-", with: "")
    try samples.write("mark.txt", String(secret.reversed()))
    let planted = [
      "STRIPE_KEY": secret, "UNDERSTUDY_WEATHER_TOKEN": secret, "GITHUB_TOKEN": secret,
      "PLAIN": secret, "DATABASE": "postgres://me:\(secret)@db/x", "GH": "ghp_\(secret)",
      "LONG": String(repeating: secret, count: 2_000),
    ]
    return try await offPool {
      try ProcessRun(
        "/bin/sh", ["-c", #""$0" "$@"; exit $?"#, Checkout.tool.path] + words,
        directory: samples.folder, environment: planted.merging(environment) { $1 })
    }
  }

  private static let commands = [
    ["test"], ["test", "--mutants", "3"], ["reads", "--learn"], ["drift"],
  ]

  @Test(
    "finds no credential in its environment, nor in any process above it",
    .enabled(if: clinux_landlock_version() > 0, "the kernel has no Landlock"),
    arguments: commands)
  func thief(words: [String]) async throws {
    let samples = try SampleContracts(only: Self.files)
    let body = #"{"sky": "cloudy"}"#
    let api = try ScriptedUpstream { _ in
      ScriptedUpstream.Message(
        status: 200,
        [["Content-Type", "application/json"], ["Content-Length", "\(body.utf8.count)"]],
        body: body)
    }
    let more = words == ["drift"] ? ["--base-url", "weather=\(api.url)", "--confirm", "0s"] : []
    let run = try await Self.run(words + more, ["THIEF_MODE": "rude"], in: samples)
    let loot = try samples.read("loot.txt").split(separator: "\n")
    #expect(loot == [], "\(run.output)\(run.errors)")
    let names = try samples.read("names.txt").split { $0.isWhitespace }
    #expect(names.contains("THIEF_MODE"))
    #expect(names.filter { ["DATABASE", "GH", "PLAIN"].contains($0) } == [])
  }

  @Test(
    "the tool and its worker keep no credential where they were started",
    arguments: commands.prefix(3))
  func cleanStart(words: [String]) async throws {
    let samples = try SampleContracts(only: Self.files)
    let secret = "secret-\(UUID().uuidString)"
    try samples.write("mark.txt", String(secret.reversed()))
    // Without the barriers of Linux, and in no shell that has secrets.
    let run = try await offPool {
      try ProcessRun(
        Checkout.tool.path, words, directory: samples.folder,
        environment: ["STRIPE_KEY": secret, "PLAIN": secret, "UNDERSTUDY_PORTABLE": "1"])
    }
    #expect(
      try samples.read("loot.txt").split(separator: "\n") == [], "\(run.output)\(run.errors)")
  }

  @Test("a variable that it prints and did not get is named, with what to do")
  func missingVariable() async throws {
    let samples = try SampleContracts(
      only: Self.files.merging(["thief.py": "import os; os.environ['PLAIN']"]) { $1 })
    let run = try await Self.run(["test"], [:], in: samples)
    #expect(
      run.output.contains(
        """
        expected exit code 0: "KeyError: 'PLAIN'" [outcome]
            fix: if it needs the variable, add "environment": ["PLAIN"] to weather-cli in \
        consumers.json, which passes no credentials
        """), "\(run.output)")
  }

  @Test("what has left its group and session is ended when the run ends")
  func escapee() async throws {
    let samples = try SampleContracts(
      only: Self.files.merging([
        "thief.py": """
        import os, subprocess, urllib.request
        urllib.request.urlopen(os.environ["UNDERSTUDY_URL_WEATHER"] + "/now").read()
        sleeper = subprocess.Popen(["sleep", "1000"], start_new_session=True)
        with open("escapee.txt", "w") as file: print(sleeper.pid, file=file)
        """
      ]) { $1 })
    let run = try await Self.run(["test"], [:], in: samples)
    #expect(run.code == 0, "\(run.output)\(run.errors)")
    let number = try samples.read("escapee.txt").trimmingCharacters(in: .whitespacesAndNewlines)
    let words = try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)
    #expect(words?.contains("sleep") != true)
  }

  /// A run of a command that ignores signals, and a descriptor that is readable when the command
  /// has ended.
  private static func stubborn(
    _ samples: SampleContracts,
    _ script: String = "trap '' INT TERM HUP; sh -c 'echo $$; exec sleep 1000'; :"
  ) throws -> (run: Process, command: Int32) {
    let run = Process()
    let output = Pipe()
    run.executableURL = Checkout.tool
    run.arguments = ["run", "--", "sh", "-c", script]
    run.currentDirectoryURL = samples.folder
    run.standardOutput = output
    run.standardError = FileHandle.nullDevice
    try run.run()
    try output.fileHandleForWriting.close()
    let line = LineReader(output.fileHandleForReading.fileDescriptor, owner: output).next()
    let command = clinux_pidfd_open(try #require(line.flatMap { Int32($0) }))
    try #require(command >= 0)
    return (run, command)
  }

  private static func hasEnded(_ descriptor: Int32) -> Bool {
    var file = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    defer { close(descriptor) }
    return poll(&file, 1, 300_000) == 1
  }

  @Test("run ends a command that ignores signals with what it has started, at the second signal")
  func stubbornCommand() async throws {
    let samples = try SampleContracts(only: Self.files)
    try await offPool {
      let (run, command) = try Self.stubborn(samples)
      kill(run.processIdentifier, SIGTERM)
      kill(run.processIdentifier, SIGINT)
      #expect(Self.hasEnded(command))
      run.waitUntilExit()
      #expect(run.terminationStatus == 3)
    }
  }

  @Test("run leaves no command behind when it is killed, however early")
  func killedRun() async throws {
    let samples = try SampleContracts(only: Self.files)
    try await offPool {
      let (run, command) = try Self.stubborn(samples)
      kill(run.processIdentifier, SIGKILL)
      #expect(Self.hasEnded(command))
    }
  }

  @Test("what has left its group and session ends, too, when run is killed")
  func killedEscapee() async throws {
    let samples = try SampleContracts(only: Self.files)
    try await offPool {
      let (run, command) = try Self.stubborn(
        samples, "setsid sh -c 'echo $$; exec sleep 1000' & exec sleep 1000")
      kill(run.processIdentifier, SIGKILL)
      #expect(Self.hasEnded(command))
    }
  }
}
