import Foundation
import Testing
import UnderstudyFakeServer
import UnderstudyTestSupport

/// The built executable: what only a process of its own can show.
@Suite(.timeLimit(.minutes(5))) struct ShowcaseProcessTests {
  private static let executable = URL(fileURLWithPath: "/proc/self/exe")
    .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("showcase")

  private static func run(
    _ line: String
  ) async throws -> (code: Int32, output: String, errors: String) {
    try await offPool {
      let process = Process()
      process.executableURL = executable
      process.arguments = line.split(separator: " ").map(String.init)
      process.standardInput = FileHandle.nullDevice
      let (output, errors) = (Pipe(), Pipe())
      (process.standardOutput, process.standardError) = (output, errors)
      try process.run()
      let texts = [output, errors].map {
        String(decoding: $0.fileHandleForReading.readOn(), as: UTF8.self)
      }
      process.waitUntilExit()
      return (process.terminationStatus, texts[0], texts[1])
    }
  }

  private static func withFake(_ body: (FakeServer) async throws -> Void) async throws {
    let server = try await FakeServer.start(#require(ShippedSuiteTests.library))
    do {
      try await body(server)
    } catch {
      await server.close()
      throw error
    }
    await server.close()
  }

  @Test("piped, an app writes what it shows, and exits with 1 for an alert")
  func piped() async throws {
    try await Self.withFake { server in
      let url = try #require(server.baseURL(of: "dog-ceo"))
      var run = try await Self.run("dogs --base-url \(url)")
      #expect(run == (0, "Dogs\nLoading…\nSetter English\nRetriever Golden\nKomondor\n", ""))
      server.use("server-error", for: "dog-ceo/random-images")
      run = try await Self.run("dogs --base-url \(url)")
      #expect(run == (1, "Dogs\nLoading…\nError loading dogs\n", ""))
    }
  }

  @Test(
    "usage that makes no sense is an error",
    arguments: [
      (
        "dogs --base-url foo",
        "found \"foo\" for --base-url, expected an address such as http://127.0.0.1:8080/dog-ceo\n"
      ),
      (
        "dogs --pictures-url http://h/?a",
        "found \"http://h/?a\" for --pictures-url, expected an address such as"
          + " http://127.0.0.1:8080/dog-ceo-images\n"
      ),
      ("jokes --base-url", "missing value of \"--base-url\", expected a value\n"),
      (
        "jokes --base-ur x",
        "unknown option \"--base-ur\"\n  fix: did you mean \"--base-url\"?\n"
      ),
      (
        "listings x",
        "unexpected argument \"x\"\n  fix: write showcase listings [OPTIONS]\n"
      ),
      ("dog", "unknown command \"dog\"\n  fix: did you mean \"dogs\"?\n"),
    ])
  func usage(line: String, message: String) async throws {
    let run = try await Self.run(line)
    #expect(run == (2, "", "understudy: error: \(message)"))
  }

  @Test(
    "has help for its apps, and examples under its name",
    arguments: ["dogs", "restaurants", "jokes", "listings", "repos"])
  func help(name: String) async throws {
    let run = try await Self.run("\(name) --help")
    #expect(run.output.contains("\nUsage: showcase \(name) [OPTIONS]"))
    #expect(run.output.contains("\n  showcase \(name) --base-url http://127.0.0.1:8080/"))
    #expect(run.code == 0)
    #expect(run.output.split(separator: "\n").filter { $0.count > 90 } == [])
  }

  // MARK: - On a terminal

  /// An app on a terminal that nobody sees.
  private final class Terminal: Sendable {
    private let own: Int32
    private let process: Process

    init(_ arguments: [String]) throws {
      own = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      // TIOCSPTLCK and TIOCGPTN, which Glibc's module lacks.
      var (lock, number): (Int32, Int32) = (0, 0)
      try #require(ioctl(own, 0x4004_5431, &lock) == 0 && ioctl(own, 0x8004_5430, &number) == 0)
      let name = "/dev/pts/\(number)"
      let theirs = FileHandle(
        fileDescriptor: open(name, O_RDWR | O_NOCTTY), closeOnDealloc: true)
      process = Process()
      process.executableURL = executable
      process.arguments = arguments
      (process.standardInput, process.standardOutput, process.standardError) = (
        theirs, theirs, theirs
      )
      try process.run()
    }

    deinit {
      if process.isRunning { process.terminate() }
      close(own)
    }

    func press(_ key: String) { _ = write(own, key, key.utf8.count) }

    /// Reads until it shows something; all that it has shown on the way.
    func shows(_ text: String) -> String {
      var shown = ""
      var bytes = [UInt8](repeating: 0, count: 4096)
      while !shown.contains(text) {
        let count = read(own, &bytes, bytes.count)
        guard count > 0 else { break }
        shown += String(decoding: bytes[..<count], as: UTF8.self)
      }
      return shown
    }

    /// Whether what is typed is echoed, as on a terminal that nobody has changed.
    var echoes: Bool {
      var settings = termios()
      return tcgetattr(own, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    func end() -> Int32 {
      process.waitUntilExit()
      return process.terminationStatus
    }

    func terminate() { process.terminate() }
  }

  @Test("on a terminal: the alert, r for RETRY, three dogs, q, and the terminal as it was")
  func terminal() async throws {
    try await Self.withFake { server in
      let url = try #require(server.baseURL(of: "dog-ceo"))
      server.use(["reset", "ok"], for: "dog-ceo/random-images")
      try await offPool {
        let terminal = try Terminal(["dogs", "--base-url", url])
        #expect(terminal.shows("[ RETRY ]").contains("! Error loading dogs"))
        #expect(!terminal.echoes)
        terminal.press("r")
        #expect(terminal.shows("Komondor").contains("Setter English\r\nRetriever Golden\r\n"))
        terminal.press("q")
        #expect(terminal.end() == 0)
        #expect(terminal.echoes)
      }
    }
  }

  @Test("Control-C and SIGTERM leave the terminal as it was", arguments: [true, false])
  func interrupted(byKey: Bool) async throws {
    try await Self.withFake { server in
      let url = try #require(server.baseURL(of: "joke"))
      try await offPool {
        let terminal = try Terminal(["jokes", "--base-url", url])
        _ = terminal.shows("jalapeño")
        if byKey { terminal.press("\u{3}") } else { terminal.terminate() }
        #expect(terminal.end() == 0)
        #expect(terminal.echoes)
      }
    }
  }
}
