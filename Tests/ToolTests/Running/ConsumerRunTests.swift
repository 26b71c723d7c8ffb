import Foundation
import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// Commands in other languages held against what contracts expect of them, by the real binary.
@Suite(.enabled(if: ProcessRun.find("python3") != nil, "python3 is not installed"))
struct ConsumerRunTests {
  private static let files = [
    "Contracts/consumers.json": """
    {
      "weather-cli": { "upstreams": ["weather"], "command": true },
      "weather.now": { "upstreams": ["weather"], "errors": {} },
      "idle-cli": { "upstreams": ["weather"], "command": true }
    }
    """,
    "Contracts/weather/upstream.json": """
    { "summary": "The weather", "baseURL": "https://weather.example/v1" }
    """,
    "Contracts/weather/now.json": #"""
    {
      "summary": "The weather in a city",
      "request": { "method": "GET", "path": "/now/{city}" },
      "cases": {
        "ok": {
          "status": 200, "headers": { "Content-Type": "application/json" },
          "body": { "sky": "cloudy", "degrees": 7 },
          "expect": { "weather-cli": { "exitCode": 0, "stdout": "cloudy, 7\n", "stderr": "" } }
        },
        "not-found": {
          "status": 404,
          "expect": {
            "weather-cli": { "exitCode": 3, "stdout": "", "stderr": { "contains": "no such city" } }
          }
        },
        "cut-short": {
          "like": "ok", "malform": { "truncateAt": 17 },
          "expect": { "weather-cli": { "exitCode": 4, "stderr": { "matches": "^no (JSON|text)" } } }
        },
        "slow": { "like": "ok", "delay": { "fixed": "2s" },
          "expect": { "weather-cli": { "like": "ok" } } },
        "empty": { "status": 200 }
      }
    }
    """#,
  ]

  /// With what `weather` says it makes of an answer that is cut short.
  private static let python = """
    import json, os, sys, urllib.error, urllib.request
    try:
        with urllib.request.urlopen(os.environ["UNDERSTUDY_URL_WEATHER"] + "/now/Oslo") as answer:
            weather = json.load(answer)
    except urllib.error.HTTPError as error:
        sys.stderr.write("no such city\\n")
        sys.exit(3)
    except CAUGHT:
        sys.stderr.write("no JSON\\n")
        sys.exit(4)
    print(weather["sky"], weather["degrees"], sep=", ")
    """

  private static func run(
    _ words: [String], _ files: [String: String] = [:]
  ) throws -> ProcessRun {
    let samples = try SampleContracts(only: Self.files.merging(files) { $1 })
    return try ProcessRun(Checkout.tool.path, ["run"] + words, directory: samples.folder)
  }

  private static let good = ["weather.py": python.replacing("CAUGHT", with: "ValueError")]

  @Test("a Python client that ends and prints as its contract says passes, case after case")
  func pass() throws {
    let run = try Self.run(
      ["--consumer", "weather-cli", "--time-scale", "0", "--", "python3", "weather.py"], Self.good)
    #expect(
      run.timelessErrors == """
        no such city
        no JSON
        not exercised
          weather/now#empty, weather-cli: the case does not say what to expect

        understudy run --consumer weather-cli 0.1.0, TIME
        5 checks: 4 passed, 1 not exercised
        4 of 5 cases × consumers exercised

        """)
    #expect(run.output == "cloudy, 7\ncloudy, 7\n")
    #expect(run.code == 0)
  }

  @Test("a time that no clock counts to is waited for as long as it takes")
  func longDelay() throws {
    let run = try Self.run(
      ["--consumer", "weather-cli", "--", "python3", "weather.py"],
      Self.good.merging([
        "Contracts/weather/now.json": #"""
        {
          "summary": "The weather in a city",
          "request": { "method": "GET", "path": "/now/{city}" },
          "cases": {
            "ok": {
              "status": 404,
              "expect": { "weather-cli": { "exitCode": 3, "timeout": "1000h" } }
            }
          }
        }
        """#
      ]) { $1 })
    #expect(run.code == 0, "\(run.errors)")
  }

  @Test("one that does not is found out, at the line of the contract")
  func fail() throws {
    let run = try Self.run(
      ["--consumer", "weather-cli", "--each-case", "*#cut-short", "--", "python3", "weather.py"],
      ["weather.py": Self.python.replacing("CAUGHT", with: "LookupError")])
    #expect(run.errors.contains("json.decoder.JSONDecodeError"))
    let report = """
      failed weather/now#cut-short, weather-cli  after TIME
        Contracts/weather/now.json:18:48: ERR: the command exited with 1, expected exit code 4: \
      "json.decoder.JSONDecodeError: Unterminated string starting a"… [OUTCOME]
      """
    #expect(run.timelessErrors.contains(report), "\(run.errors)")
    #expect(run.errors.hasSuffix("1 check: 1 failed\n1 of 1 cases × consumers exercised\n"))
    #expect(run.code == 1)
  }

  @Test("a shell script's requests are held against the contract, and its bytes are no text")
  func script() throws {
    let script = """
      printf 'cloudy\\377, 7\\n'
      curl -s "$UNDERSTUDY_URL_WEATHER/then/Oslo" > /dev/null
      """
    let run = try Self.run(
      ["--consumer", "weather-cli", "--each-case", "*#ok", "--", "sh", "test.sh"],
      ["test.sh": script])
    let report = """
      failed weather/now#ok, weather-cli  after TIME
        Contracts/weather/now.json:8:61: ERR: found "cloudy\u{FFFD}, 7\\n" on stdout, which is not \
      valid UTF-8 [VALUE]
        Contracts/weather/now.json:8:34: ERR: sent GET /weather/v1/then/Oslo, which no contract \
      answers; nearest weather/now: path segment 1: found "then", expected "now" [REQUEST]
        Contracts/weather/now.json:8:34: ERR: sent no GET /now/{city}, which this case answers \
      [REQUEST]

      understudy run --consumer weather-cli 0.1.0, TIME
      1 check: 1 failed
      1 of 1 cases × consumers exercised

      """
    #expect(TextDiff.unified(report, run.timelessErrors) == "")
    #expect(run.code == 1)
  }

  @Test("a command that does not end is ended, with what it has started")
  func hang() throws {
    let contract = try #require(Self.files["Contracts/weather/now.json"]).replacing(
      #""exitCode": 0, "#, with: #""timeout": "300ms", "exitCode": 0, "#)
    let run = try Self.run(
      ["--consumer", "weather-cli", "--each-case", "*#ok", "--", "sh", "-c"]
        + ["curl -s $UNDERSTUDY_URL_WEATHER/now/a; sleep 600 & sleep 600"],
      ["Contracts/weather/now.json": contract])
    #expect(
      run.errors.contains("ERR: found no outcome within 300 ms [HANG]"), "\(run.errors)")
    #expect(run.output == #"{"sky":"cloudy","degrees":7}"#)
    #expect(run.code == 1)
  }

  @Test("--timeout holds where the contract says nothing")
  func timeout() throws {
    let run = try Self.run(
      ["--consumer", "weather-cli", "--each-case", "*#ok", "--timeout", "300ms"]
        + ["--", "sh", "-c", "sleep 600 & sleep 600"])
    #expect(
      run.errors.contains("ERR: found no outcome within 300 ms [HANG]"), "\(run.errors)")
    #expect(run.code == 1)
  }

  @Test("what is printed without end is no output to be kept")
  func endless() throws {
    let run = try Self.run(
      ["--consumer", "weather-cli", "--each-case", "*#ok", "--", "sh", "-c"]
        + ["curl -s $UNDERSTUDY_URL_WEATHER/now/a > /dev/null; yes | head -c 3000000"])
    #expect(run.errors.contains("ERR: found 3000000 bytes on stdout, expected at most 1048576"))
    #expect(run.output.utf8.count == 3_000_000)
    #expect(run.code == 1)
  }

  @Test("programs get the report, and so does who asks for one of another kind")
  func reports() throws {
    let run = try Self.run(
      ["--consumer", "weather-cli", "--each-case", "*#not-found", "--format", "json"]
        + ["--report", "tap=run.tap", "--", "sh", "-c"]
        + ["python3 weather.py; code=$?; cat run.tap; exit $code"],
      Self.good.merging(["run.tap": "before\n"]) { $1 })
    let root = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(root["verdict"] as? String == "fail")
    #expect(root["summary"] as? String == "1 check: 1 failed")
    #expect(run.errors == "no such city\nbefore\n")
    #expect(run.code == 1)
  }

  @Test(
    "what cannot be is refused",
    arguments: [
      (
        ["--consumer", "weather-clo"],
        """
        unknown command "weather-clo" in --consumer
          fix: did you mean "weather-cli"?
        """
      ),
      (
        ["--consumer", "weather.now"],
        """
        found "weather.now" for --consumer, which consumers.json does not declare as a command
          fix: add "command": true to it, or see "understudy test --consumer weather.now"
        """
      ),
      (
        ["--consumer", "idle-cli"],
        """
        found no case with an "expect" for idle-cli among those selected
          fix: add "expect": { "idle-cli": { "exitCode": 0 } } to a case, or name others
        """
      ),
      (
        ["--consumer", "weather-cli", "--require", "*#ok"],
        """
        found both --require and --consumer, expected one of them
          fix: remove one of them
        """
      ),
      (
        ["--consumer", "weather-cli", "--case", "weather/now=ok"],
        """
        found both --case and --consumer, expected one of them
          fix: remove one of them
        """
      ),
      (
        ["--report", "tap"],
        """
        found --report without --consumer or --each-case, which it needs
          fix: name cases with --each-case, or a command of consumers.json with --consumer
        """
      ),
    ])
  func refused(words: [String], message: String) throws {
    let run = try Self.run(words + ["--", "true"])
    #expect(run.errors == "understudy: error: \(message)\n")
    #expect(run.output == "")
    #expect(run.code == 2)
  }
}

extension ProcessRun {
  fileprivate var timelessErrors: String { errors.replacing(/\d+(\.\d)? m?s(?=\n)/, with: "TIME") }
}
