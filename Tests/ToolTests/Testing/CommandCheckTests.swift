import Foundation
import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// Commands of consumers.json, run and checked by the real binary.
@Suite(.enabled(if: ProcessRun.find("python3") != nil, "python3 is not installed"))
struct CommandCheckTests {
  private static let files = [
    "Contracts/consumers.json": """
    {
      "weather-cli": { "upstreams": ["weather"], "command": ["python3", "weather.py"] }
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

  /// With what `weather` says it makes of a response that is cut short.
  private static let python = """
    import json, os, sys, urllib.error, urllib.request
    try:
        with urllib.request.urlopen(os.environ["UNDERSTUDY_URL_WEATHER"] + "/now/Oslo") as response:
            weather = json.load(response)
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
    return try ProcessRun(Checkout.tool.path, ["test"] + words, directory: samples.folder)
  }

  /// The run of a script in place of the client.
  private static func run(script: String, _ words: [String] = ["*#ok"]) throws -> ProcessRun {
    try run(
      words,
      [
        "Contracts/consumers.json": """
        { "weather-cli": { "upstreams": ["weather"], "command": ["sh", "test.sh"] } }
        """, "test.sh": script,
      ])
  }

  private static let good = ["weather.py": python.replacing("CAUGHT", with: "ValueError")]

  @Test("a Python client that ends and prints as its contract says passes, case by case")
  func pass() throws {
    let run = try Self.run(["--time-scale", "0", "-v"], Self.good)
    #expect(
      run.timelessOutput == """
        not exercised
          weather/now#empty, weather-cli: the case does not say what to expect

        understudy test 0.1.0, seed 0, TIME
        5 checks: 4 passed, 1 not exercised
        coverage: 4 of 5

        """)
    #expect(run.code == 0)
  }

  @Test("a time limit that no clock can represent does not end the command")
  func longDelay() throws {
    let run = try Self.run(
      [],
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
    #expect(run.code == 0, "\(run.output)\(run.errors)")
  }

  @Test("another number of requests is found, with what to write if it is right")
  func requestCount() throws {
    let run = try Self.run(
      script: """
        curl -s "$UNDERSTUDY_URL_WEATHER/now/Oslo" "$UNDERSTUDY_URL_WEATHER/now/Rome" > /dev/null
        printf 'cloudy, 7\n'
        """)
    #expect(
      run.output.contains(
        """
        sent 2 requests, expected 1: GET /weather/v1/now/Oslo, GET /weather/v1/now/Rome [request-count]
            fix: if that is right, write "requests": 2 beside what it expects
        """), "\(run.output)")
    #expect(run.code == 1)
  }

  @Test("a command that sends no request is told where its address is")
  func noRequest() throws {
    let run = try Self.run(script: "printf 'cloudy, 7\n'")
    #expect(
      run.output.contains(
        """
        sent no request [request-count]
            fix: let the command send its requests to the base URL in UNDERSTUDY_URL_WEATHER
        """), "\(run.output)")
    #expect(run.code == 1)
  }

  @Test("understudy call finds the contracts, whatever their folder is called")
  func call() throws {
    let samples = try SampleContracts(only: [
      "elsewhere/consumers.json": """
      { "check": { "upstreams": ["weather"], "command": ["\(Checkout.tool.path)", "call"] } }
      """,
      "elsewhere/weather/upstream.json": "{}",
      "elsewhere/weather/now.json": """
      { "request": { "method": "GET", "path": "/now" },
        "cases": { "ok": { "status": 200, "body": {}, "expect": { "check": { "exitCode": 0 } } } } }
      """,
    ])
    for words in [
      ["test"], ["run", "--each-case", "*", "--", Checkout.tool.path, "call"],
    ] {
      let run = try ProcessRun(
        Checkout.tool.path,
        words.prefix(1) + ["--contracts", "elsewhere"] + words.dropFirst(),
        directory: samples.folder)
      #expect(run.code == 0, "\(run.output)\(run.errors)")
    }
  }

  @Test("a wrong exit code is found at the line of the contract, with the last line of stderr")
  func fail() throws {
    let run = try Self.run(
      ["*#cut-short"],
      ["weather.py": Self.python.replacing("CAUGHT", with: "LookupError")])
    let report = """
      failed weather/now#cut-short, weather-cli  after TIME
        Contracts/weather/now.json:18:48: error: the command exited with 1, expected exit code 4: \
      "json.decoder.JSONDecodeError: Unterminated string starting a"… [outcome]
      """
    #expect(run.timelessOutput.contains(report), "\(run.output)")
    #expect(run.code == 1)
  }

  @Test("its requests are checked, and output that is not text is a finding")
  func script() throws {
    let run = try Self.run(
      script: """
        printf 'cloudy\\377, 7\\n'
        curl -s "$UNDERSTUDY_URL_WEATHER/then/Oslo" > /dev/null
        """)
    let report = """
      failed weather/now#ok, weather-cli  after TIME
        Contracts/weather/now.json:8:61: error: "cloudy\u{FFFD}, 7\\n" on stdout is not valid UTF-8 [value]
        Contracts/weather/now.json:8:34: error: sent GET /weather/v1/then/Oslo, which no contract \
      matches; nearest weather/now: path segment 1: found "then", expected "now" [request]
        Contracts/weather/now.json:8:34: error: sent no GET /now/{city}, which this case matches \
      [request]
      """
    #expect(run.timelessOutput.contains(report), "\(run.output)")
    #expect(run.code == 1)
  }

  @Test("a command that does not end is ended with everything it has started")
  func hang() throws {
    let contract = try #require(Self.files["Contracts/weather/now.json"]).replacing(
      #""exitCode": 0, "#, with: #""timeout": "300ms", "exitCode": 0, "#)
    let samples = try SampleContracts(
      only: Self.files.merging([
        "Contracts/weather/now.json": contract,
        "Contracts/consumers.json": """
        { "weather-cli": { "upstreams": ["weather"], "command": ["sh", "test.sh"] } }
        """,
        "test.sh": """
        curl -s $UNDERSTUDY_URL_WEATHER/now/a
        sleep 600 & echo $! > child.txt; sleep 600
        """,
      ]) { $1 })
    let run = try ProcessRun(
      Checkout.tool.path, ["test", "*#ok"], directory: samples.folder)
    #expect(run.output.contains("error: no outcome within 300 ms [hang]"), "\(run.output)")
    #expect(run.code == 1)
    let child = try samples.read("child.txt").trimmingCharacters(in: .whitespacesAndNewlines)
    let words = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
    #expect(words?.contains("sleep") != true)
  }

  @Test("endless output is a finding, and only its beginning is kept")
  func endless() throws {
    let run = try Self.run(
      script: """
        curl -s $UNDERSTUDY_URL_WEATHER/now/a > /dev/null; yes | head -c 3000000
        """)
    #expect(run.output.contains("error: found 3000000 bytes on stdout, expected at most 1048576"))
    #expect(run.code == 1)
  }

  @Test("it gets no input, no credentials, the folder of Contracts, and a session of its own")
  func surroundings() throws {
    let samples = try SampleContracts(
      only: Self.files.merging([
        "Contracts/consumers.json": """
        {
          "weather-cli": {
            "upstreams": ["weather"], "command": ["sh", "test.sh"], "environment": ["HARMLESS"]
          }
        }
        """,
        "test.sh": """
        cat > input.txt
        env | cut -d= -f1 > names.txt
        echo "$UNDERSTUDY_CASE" > case.txt
        echo "$UNDERSTUDY_URL" > url.txt
        curl -s "$UNDERSTUDY_URL_WEATHER/now/Oslo" > /dev/null
        echo "cloudy, 7"
        """,
      ]) { $1 })
    let secrets = [
      "UNDERSTUDY_WEATHER_TOKEN", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID",
      "NPM_CONFIG_AUTH_TOKEN", "SSH_AUTH_SOCK", "DEPLOY_PAT", "DATABASE",
    ]
    var environment = Dictionary(uniqueKeysWithValues: secrets.map { ($0, "value") })
    environment["DATABASE"] = "postgres://me:pass@db/x"
    environment["HARMLESS"] = "value"
    environment["UNNAMED"] = "value"
    let run = try ProcessRun(
      Checkout.tool.path, ["test", "*#ok", "--contracts", "../Contracts"],
      directory: samples.folder.appending(path: "Contracts"), environment: environment)
    #expect(run.code == 0, "\(run.output)\(run.errors)")
    func text(_ name: String) throws -> String {
      try String(contentsOf: samples.folder.appending(path: name), encoding: .utf8)
    }
    #expect(try text("input.txt") == "")
    #expect(try text("case.txt") == "weather/now#ok\n")
    #expect(try text("url.txt").contains("/~0-0"))
    let names = Set(try text("names.txt").split(separator: "\n").map(String.init))
    #expect(names.isDisjoint(with: secrets), "\(names.intersection(secrets))")
    #expect(names.contains("HARMLESS"))
    #expect(!names.contains("UNNAMED"))
  }

  @Test("mutated responses are served to it, and a traceback is a finding")
  func mutate() throws {
    let run = try Self.run(["--mutate", "--mutants", "40"], Self.good)
    #expect(run.output.contains("[outcome]"), "\(run.output)")
    #expect(
      run.output.contains("expected an exit code that contracts expect of it: 0, 3, 4"),
      "\(run.output)")
    #expect(run.output.contains("weather-cli handled "), "\(run.output)")
    #expect(run.code == 1)
  }

  @Test("a handled mutation is no finding")
  func handled() throws {
    let run = try Self.run(
      ["--mutant", "weather/now#ok,weather-cli,missing/sky"],
      [
        "weather.py": Self.python.replacing("CAUGHT", with: "(ValueError, LookupError)")
          .replacing("print(", with: "if 'sky' not in weather: sys.exit(4)\nprint(")
      ])
    #expect(run.code == 0, "\(run.output)\(run.errors)")
  }

  @Test(
    "a command that cannot be run is refused before any check",
    arguments: [
      (
        #"["no-such-program", "x"]"#,
        """
        cannot run weather-cli: no program "no-such-program" on the PATH
          fix: install it, or correct "command" in consumers.json
        """
      ),
      (
        #"["./weather.py"]"#,
        """
        cannot run weather-cli: no program "./weather.py" in .
          fix: name one, make it executable, or run it by an interpreter: ["python3", "./weather.py"]
        """
      ),
    ])
  func refused(command: String, message: String) throws {
    let run = try Self.run(
      [],
      Self.good.merging([
        "Contracts/consumers.json": """
        { "weather-cli": { "upstreams": ["weather"], "command": \(command) } }
        """
      ]) { $1 })
    #expect(run.errors == "understudy: error: \(message)\n")
    #expect(run.output == "")
    #expect(run.code == 2)
  }
}
