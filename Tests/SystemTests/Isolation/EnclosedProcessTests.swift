import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudySystem

#if os(Linux)
  private let areNamespacesAllowed: Bool = {
    do {
      _ = try EnclosedProcess([""], environment: [], EnclosurePlan())
      return true
    } catch {
      return false
    }
  }()

  /// Commands in namespaces of their own, where this system allows them.
  @Suite(.enabled(if: areNamespacesAllowed, "this system forbids namespaces"))
  struct EnclosedProcessTests {
    private static let environment = ["PATH=/usr/local/bin:/usr/bin:/bin"]

    /// What a script prints into a file, and how it ends.
    private func run(
      _ script: String, _ plan: EnclosurePlan = EnclosurePlan(), isApart: Bool = false
    ) throws -> (output: String, ending: ChildProcess.Ending, sockets: [Int32?]) {
      let folder = try TemporaryFolder()
      var process = try EnclosedProcess(
        ["sh", "-c", "exec > '\(folder.path)/output' 2>&1\n\(script)"],
        environment: Self.environment, plan, isApart: isApart)
      let sockets = process.sockets
      let child = try process.begin()
      let ending = child.ending()
      return (try folder.read("output"), ending, sockets)
    }

    @Test("the command sees a file in place of another, and its own user")
    func mounts() throws {
      let folder = try TemporaryFolder()
      try folder.write("hosts", "127.0.0.1 shop.example\n")
      let before = try String(contentsOfFile: "/etc/hosts", encoding: .utf8)
      var plan = EnclosurePlan()
      plan.mounts = [EnclosurePlan.Mount("\(folder.path)/hosts", over: "/etc/hosts")]
      let run = try run("cat /etc/hosts; id -u; exit 7", plan)
      #expect(run.output == "127.0.0.1 shop.example\n\(geteuid())\n")
      #expect(run.ending == .exited(7))
      #expect(try String(contentsOfFile: "/etc/hosts", encoding: .utf8) == before)
    }

    @Test("its network leads to our sockets, whatever the address")
    func network() throws {
      var plan = EnclosurePlan()
      plan.ports = [EnclosurePlan.Port(80), EnclosurePlan.Port(81, isLoopback: true)]
      var process = try EnclosedProcess(
        ["bash", "-c", "exec 3<>/dev/tcp/192.0.2.1/80; read -r line <&3; exit \"$line\""],
        environment: Self.environment, plan)
      let listeners = process.sockets.compactMap(\.self)
      defer { for listener in listeners { Socket.close(listener) } }
      try #require(listeners.count == 2)
      let child = try process.begin()
      _ = Readiness.wait(for: [listeners[0]])
      guard case .client(let client) = Socket.accept(listeners[0]) else {
        Issue.record("no client")
        return
      }
      #expect(Socket.localHost(of: client) == "192.0.2.1")
      #expect(Socket.peerHost(of: client) == "127.0.0.1")
      _ = Array("5\n".utf8).withUnsafeBytes { Socket.send(client, $0) }
      Socket.close(client)
      let ending = child.ending()
      #expect(ending == .exited(5))
    }

    @Test("what it leaves in its network is found and killed")
    func leftovers() throws {
      let folder = try TemporaryFolder()
      var process = try EnclosedProcess(
        ["sh", "-c", "sleep 600 & echo $! > '\(folder.path)/number'"],
        environment: Self.environment, EnclosurePlan())
      let found = process.network
      let network = try #require(found)
      #expect(network != ProcessTree.network(of: getpid()))
      let child = try process.begin()
      _ = child.ending()
      let number = try #require(Int32(try folder.read("number").dropLast()))
      #expect(ProcessTree.network(of: number) == network)
      ProcessTree.killAll(inNetwork: network)
      #expect(ProcessTree.network(of: number) == nil)
    }

    @Test("one that is not begun ends by itself")
    func unused() throws {
      let process = try EnclosedProcess(["sleep", "600"], environment: [], EnclosurePlan())
      let found = process.network
      let network = try #require(found)
      #expect(network.hasPrefix("net:"))
    }

    @Test("a command that cannot be started is an error")
    func missing() throws {
      var process = try EnclosedProcess(
        ["no-such-program"], environment: Self.environment, EnclosurePlan())
      #expect(throws: SystemError(.notFound, attempt: "run no-such-program")) {
        _ = try process.begin().ending()
      }
    }

    @Test("a file that cannot be replaced is named")
    func missingTarget() {
      var plan = EnclosurePlan()
      plan.mounts = [EnclosurePlan.Mount("/dev/null", over: "/no/such/file")]
      let error = #expect(throws: EnclosureError.self) {
        _ = try EnclosedProcess(["true"], environment: [], plan)
      }
      #expect(
        error?.message
          == "cannot replace /no/such/file for the command: no such file or directory")
      #expect(error?.fix == nil)
    }
  }
#endif

@Suite struct EnclosureErrorTests {
  @Test(
    "a system that forbids namespaces is told what to set",
    arguments: [
      (["user/max_user_namespaces": "0\n"], "sudo sysctl user.max_user_namespaces=10000"),
      (
        [:],
        "in a container, start it with --cap-add SYS_ADMIN --cap-add NET_ADMIN"
          + " --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
      ),
    ] as [([String: String], String)])
  func fix(settings: [String: String], fix: String) {
    let error = EnclosureError(.namespaces, .noSpace)
    #expect(
      error.fix { settings[String($0.dropFirst("/proc/sys/".count))].map { Array($0.utf8) } } == fix
    )
    #expect(
      error.message
        == "the system gives the command no namespaces of its own: their limit is reached")
  }
}
