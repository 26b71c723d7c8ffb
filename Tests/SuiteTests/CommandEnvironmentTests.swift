import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudySystem

@testable import UnderstudySuite

/// Which variables the tool keeps where commands can find them.
@Suite struct CommandEnvironmentTests {
  @Test("what programs need to run and to print is kept, and what the tool needs from its start")
  func open() {
    let names = """
      CI CLICOLOR CLICOLOR_FORCE COLORTERM COLUMNS DYLD_FRAMEWORK_PATH DYLD_LIBRARY_PATH FORCE_COLOR HOME LANG \
      LANGUAGE LC_ALL LC_TIME LD_LIBRARY_PATH LINES LOGNAME NO_COLOR PATH PWD SHELL SSL_CERT_DIR \
      SSL_CERT_FILE TEMP TERM TMP TMPDIR TZ TZDIR USER ASAN_OPTIONS LLVM_PROFILE_FILE LSAN_OPTIONS \
      SWIFT_BACKTRACE TSAN_OPTIONS UBSAN_OPTIONS UNDERSTUDY_PORTABLE
      """
    for name in names.split(separator: " ").map(String.init) {
      #expect(CommandEnvironment.isOpen(name), "\(name)")
      // No neighbour of a name is one.
      for other in ["\(name)_TOKEN", "X\(name)", name.lowercased()] where !name.hasPrefix("LC_") {
        #expect(!CommandEnvironment.isOpen(other), "\(other)")
      }
    }
    for name in ["", "GH_TOKEN", "DATABASE_URL", "UNDERSTUDY_SHOP_TOKEN", "SSH_AUTH_SOCK", "LC"] {
      #expect(!CommandEnvironment.isOpen(name), "\(name)")
    }
  }

  /// By name; each name once.
  private static func values(_ environment: CommandEnvironment) -> [String: String] {
    let pairs = environment.variables.map { variable in
      let name = variable.prefix { $0 != "=" }
      return (String(name), String(variable.dropFirst(name.count + 1)))
    }
    let values = Dictionary(pairs) { first, _ in first }
    #expect(values.count == pairs.count, "\(pairs.map(\.0).sorted())")
    return values
  }

  @Test("a command gets the addresses of the fake, which no proxy stands before")
  func addresses() async throws {
    let library = SmallSuite.library
    let server = try await FakeServer.start(library)
    let contract = try #require(library.contracts.first)
    let all = CommandEnvironment(
      passing: nil, library.upstreams, at: FakeAddress(server, session: "s"),
      serving: (caseName: "gone", contract: contract))
    let own = Self.values(all)
    #expect(own["UNDERSTUDY_URL"] == "http://\(server.address)/~s")
    #expect(own["UNDERSTUDY_URL_JOKE"] == "http://\(server.address)/~s/joke/v1")
    #expect(own["UNDERSTUDY_CASE"] == "\(contract.id)#gone")
    #expect(own["UNDERSTUDY_CONTRACTS"] != nil)
    let few = CommandEnvironment(
      passing: [], library.upstreams, at: FakeAddress(server), serving: nil)
    let others = Self.values(few)
    #expect(others["UNDERSTUDY_URL"] == "http://\(server.address)")
    #expect(others["UNDERSTUDY_URL_JOKE"] == "http://\(server.address)/joke/v1")
    #expect(others["UNDERSTUDY_CASE"] == nil && others["UNDERSTUDY_CONTRACTS"] == nil)
    let ours = Environment.variables.map { String($0.prefix { $0 != "=" }) }
    for name in ["no_proxy", "NO_PROXY"] {
      let hosts = Environment[name].map { "\($0),127.0.0.1" } ?? "127.0.0.1"
      #expect(own[name] == hosts)
      #expect(others[name] == "127.0.0.1")
    }
    for name in ours where !name.hasPrefix("UNDERSTUDY_") && name.lowercased() != "no_proxy" {
      let isUsual =
        CommandEnvironment.isOpen(name) && !name.contains("SAN_OPTIONS")
        && !["LLVM_PROFILE_FILE", "SWIFT_BACKTRACE"].contains(name)
      #expect(own[name] == Environment[name], "\(name)")
      #expect(others[name] == (isUsual ? Environment[name] : nil), "\(name)")
      #expect(few.withheldNames.contains(name) != isUsual, "\(name)")
    }
    #expect(all.withheldNames == [])
    await server.close()
  }

  @Test(
    "what is withheld and named in what a command printed is noted",
    arguments: [
      ("KeyError: 'HIDDEN_NAME'", "", ["HIDDEN_NAME"]), ("", "no $HIDDEN_NAME!", ["HIDDEN_NAME"]),
      ("HIDDEN_NAMES XHIDDEN_NAME HIDDEN", "hidden_name", []),
      ("OTHER_NAME,HIDDEN_NAME", "HIDDEN_NAME", ["HIDDEN_NAME", "OTHER_NAME"]), ("", "", []),
    ])
  func missing(stdout: String, stderr: String, names: [String]) async throws {
    var printed = (stdout: PrintedText(), stderr: PrintedText())
    printed.stdout.append(stdout.utf8)
    printed.stderr.append(stderr.utf8)
    let ending = CommandEnding(.exited(1), stdout: printed.stdout, stderr: printed.stderr)
    let found = ending.missing(withheld: ["HIDDEN_NAME", "OTHER_NAME", "THIRD"])
    #expect(found.missingVariables == names && found.reason == .exited(1))
  }

  @Test("an upstream's address is under its name in capitals")
  func names() {
    for (name, expected) in [("joke", "JOKE"), ("dog-ceo-2", "DOG_CEO_2")] {
      #expect(
        CommandEnvironment.addressName(of: Upstream(named: name)) == "UNDERSTUDY_URL_\(expected)")
    }
  }
}
