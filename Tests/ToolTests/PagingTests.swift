import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// A command that follows pages, and contracts as `record` writes them: whichever case is served,
/// it gets the next page as its `when` says, and ends.
@Suite(.enabled(if: ProcessRun.find("python3") != nil, "python3 is not installed"))
struct PagingTests {
  private static let files = [
    "Contracts/consumers.json": """
    { "shop-cli": { "upstreams": ["shop"], "command": ["python3", "shop.py"] } }
    """,
    "Contracts/shop/upstream.json": """
    { "summary": "A shop", "baseURL": "https://shop.example" }
    """,
    "Contracts/shop/items.json": #"""
    {
      "summary": "The items",
      "request": { "method": "GET", "path": "/items",
                   "parameters": { "query.page": { "optional": true } } },
      "cases": {
        "ok": {
          "status": 200, "headers": { "Content-Type": "application/json" },
          "body": { "items": [{ "name": "tea", "id": 1 }], "next": 2 },
          "live": {},
          "expect": { "shop-cli": { "exitCode": 0, "stdout": "tea\nmug\n", "requests": 2 } }
        },
        "page-2": {
          "status": 200, "headers": { "Content-Type": "application/json" },
          "body": { "items": [{ "name": "mug", "id": 2 }], "next": null },
          "when": { "request": { "query.page": "2" } },
          "live": { "parameters": { "query.page": "2" } },
          "expect": { "shop-cli": { "exitCode": 0, "stdout": "mug\n" } }
        },
        "slow": { "like": "ok", "delay": { "fixed": "20ms" },
          "expect": { "shop-cli": { "like": "ok" } } },
        "slow-2": { "like": "page-2", "delay": { "fixed": "20ms" },
          "expect": { "shop-cli": { "like": "ok" } } },
        "cut-short": { "like": "ok", "malform": { "truncateAt": 17 },
          "expect": { "shop-cli": { "exitCode": 4 } } },
        "unavailable": { "status": 503, "expect": { "shop-cli": { "exitCode": 4 } } }
      }
    }
    """#,
    "shop.py": """
    import json, os, sys, urllib.request
    target = "/items"
    for page in range(9):
        try:
            with urllib.request.urlopen(os.environ["UNDERSTUDY_URL_SHOP"] + target) as response:
                body = json.load(response)
            names, following = [item["name"] + "\\n" for item in body["items"]], body["next"]
        except Exception:
            sys.exit(4)
        sys.stdout.writelines(names)
        if not following:
            sys.exit(0)
        target = f"/items?page={following}"
    sys.exit("no end")
    """,
  ]

  private static func run(
    _ words: [String], in samples: SampleContracts
  ) async throws -> ProcessRun {
    try await offPool { try ProcessRun(Checkout.tool.path, words, directory: samples.folder) }
  }

  @Test("each check passes, and no mutation keeps the command busy")
  func checks() async throws {
    let samples = try SampleContracts(only: Self.files)
    let run = try await Self.run(["test"], in: samples)
    #expect(run.output.contains("\n6 checks: 6 passed\n"), "\(run.output)")
    #expect(run.code == 0)
    let mutation = try await Self.run(["test", "--mutate", "--mutants", "25"], in: samples)
    #expect(mutation.output.contains("of 25 mutants"), "\(mutation.output)")
    #expect(!mutation.output.contains("hang"), "\(mutation.output)")
    #expect(!mutation.output.contains("no end"), "\(mutation.output)")
  }

  @Test("what it reads of each page is learned")
  func reads() async throws {
    let samples = try SampleContracts(only: Self.files)
    let run = try await Self.run(["reads", "--learn"], in: samples)
    let paths = "  /items\n  /next\n  /items/*\n  /items/*/name\n"
    #expect(
      run.output
        == "shop/items#ok, shop-cli\n\(paths)shop/items#page-2, shop-cli\n"
        + paths, "\(run.errors)")
    #expect(run.code == 0)
  }

  @Test("drift of an API that has not changed is silent")
  func drift() async throws {
    let samples = try SampleContracts(only: Self.files)
    let server = try RunningServer([], in: samples.folder)
    let run = try await Self.run(
      ["drift", "--base-url", "shop=http://127.0.0.1:\(server.port)/shop", "--confirm", "0s"],
      in: samples)
    #expect(run.errors == "")
    #expect(!run.output.contains("error") && !run.output.contains("warning"), "\(run.output)")
    #expect(run.code == 0)
  }

  @Test("a run for each case takes as many requests as there are pages")
  func eachCase() async throws {
    let samples = try SampleContracts(only: Self.files)
    let cases = ["ok", "page-2", "slow", "slow-2"].flatMap { ["--each-case", "*#\($0)"] }
    let run = try await Self.run(["run"] + cases + ["--", "python3", "shop.py"], in: samples)
    #expect(
      run.errors == """
        pass  shop/items#ok  2 requests
        pass  shop/items#page-2  1 request
        pass  shop/items#slow  2 requests
        pass  shop/items#slow-2  2 requests
        no problems in 4 runs, 7 requests, 4 of 6 cases requested

        """)
    #expect(run.code == 0)
  }
}
