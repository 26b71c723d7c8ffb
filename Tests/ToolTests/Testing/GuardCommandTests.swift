import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// The process that ends the commands of a killed run.
@Suite struct GuardCommandTests {
  /// Three processes wait until nobody has the other end of a pipe any more; the guard gets orders
  /// of four bytes each. Prints its exit code and theirs.
  private static let script = #"""
    number() { printf "\\$(printf %o $(($1 & 255)))"; }
    order() { number $1; number $(($1 >> 8)); number $(($1 >> 16)); number $(($1 >> 24)); }
    mkfifo pipe
    exec 3<>pipe
    for name in a b c; do
      cat <pipe >/dev/null 2>&1 3>&- &
      eval $name=$!
    done
    { ORDERS; } 3>&- | head -c "$0" 3>&- | "$1" guard 3>&-
    echo "guard $?"
    exec 3>&-
    for process in $a $b $c; do wait $process; echo $?; done
    """#

  /// - Parameters:
  ///   - orders: `a` when it starts and `-a` when it has ended, or any number.
  ///   - byteCount: how many bytes of them the guard gets before its run is gone.
  private static func codes(_ orders: [String], byteCount: Int) async throws -> [String] {
    let words = orders.map { order in
      let name = order.drop { $0 == "-" }
      return "order " + (Int(name) == nil ? order.replacing(name, with: "$\(name)") : order)
    }
    let folder = try TemporaryFolder()
    let run = try await offPool {
      try ProcessRun(
        "/bin/sh",
        [
          "-c", script.replacing("ORDERS", with: words.joined(separator: "; ")), "\(byteCount)",
          Checkout.tool.path,
        ], directory: URL(fileURLWithPath: folder.path))
    }
    return run.output.split(separator: "\n").map(String.init)
  }

  private static func codes(ended: Set<String>) -> [String] {
    ["guard 0"] + ["a", "b", "c"].map { ended.contains($0) ? "137" : "0" }
  }

  private static let orders = ["a", "b", "-a", "c", "a", "-c"]

  @Test(
    "whatever the guard has read when its run is gone, it ends what it knows to run",
    arguments: Array(stride(from: 0, through: orders.count * 4, by: 2)))
  func cut(byteCount: Int) async throws {
    // The last one may be cut, and does not count then.
    var running: Set<String> = []
    for order in Self.orders.prefix(byteCount / 4) {
      if order.hasPrefix("-") {
        running.remove(String(order.dropFirst()))
      } else {
        running.insert(order)
      }
    }
    #expect(
      try await Self.codes(Self.orders, byteCount: byteCount) == Self.codes(ended: running))
  }

  @Test(
    "orders that name no process of the run do not keep it from the rest",
    arguments: [
      ["0"], ["1"], ["-1"], ["2147483647"], ["-2147483647"], ["-2147483648"], ["-b"], ["b", "b"],
      ["b", "-b", "-b"],
    ])
  func broken(orders: [String]) async throws {
    let ended: Set = orders == ["b", "b"] ? ["a", "b", "c"] : ["a", "c"]
    #expect(
      try await Self.codes(["a"] + orders + ["c"], byteCount: .max) == Self.codes(ended: ended))
  }

  @Test("a run whose guard is gone ends as it would, with all its results")
  func gone() async throws {
    let samples = try SampleContracts(only: [
      "Contracts/consumers.json": """
      { "cli": { "upstreams": ["api"], "command": ["/bin/sh", "cli.sh"] } }
      """,
      "Contracts/api/upstream.json": #"{ "baseURL": "https://api.example" }"#,
      "Contracts/api/now.json": """
      { "request": { "method": "GET", "path": "/now" }, "cases": {
          "ok": { "status": 200, "text": "yes", "expect": { "cli": { "exitCode": 0 } } },
          "down": { "status": 500, "expect": { "cli": { "exitCode": 22 } } },
          "gone": { "status": 410, "expect": { "cli": { "exitCode": 0 } } } } }
      """,
      "cli.sh": """
      kill -9 $UNDERSTUDY_GUARD 2>/dev/null
      exec curl -sSf "$UNDERSTUDY_URL_API/now"
      """,
    ])
    let (run, test) = try await offPool {
      (
        try ProcessRun(
          Checkout.tool.path,
          ["run", "--", "/bin/sh", "-c", "kill -9 $UNDERSTUDY_GUARD && echo killed; exit 7"],
          directory: samples.folder),
        try ProcessRun(Checkout.tool.path, ["test", "--format", "json"], directory: samples.folder)
      )
    }
    #expect(run.output == "killed\n" && run.code == 1, "\(run.output)\(run.errors)")
    #expect(test.code == 1, "\(test.output)\(test.errors)")
    let results = test.output.matches(of: /"result": ?"(\w+)"/).map { String($0.1) }
    // That of the run comes first.
    #expect(results == ["fail", "pass", "pass", "fail"], "\(test.output)")
  }
}
