import Testing

@testable import UnderstudyTool

/// What keeps `understudy serve` from serving, word for word.
@Suite struct ServeErrorTests {
  struct Mistake: CustomTestStringConvertible {
    let words: [String]
    let message: String

    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(
    "a mistake on the command line is an error with its fix",
    arguments: [
      Mistake(
        words: ["--bind", "0.0.0.0"],
        message: """
          other machines can reach "0.0.0.0", but no admin token is set
            fix: set UNDERSTUDY_ADMIN_TOKEN, or leave out --bind
          """),
      Mistake(
        words: ["--case", "dog-ceo/random-image=ok"],
        message: """
          unknown contract "dog-ceo/random-image" in --case dog-ceo/random-image=ok
            fix: did you mean "dog-ceo/random-images"?
          """),
      Mistake(
        words: ["--case", "dog-ceo/random-images=not-fond"],
        message: """
          unknown case "not-fond" in --case dog-ceo/random-images=not-fond
            fix: did you mean "not-found"?
          """),
      Mistake(
        words: ["--case", "dog-ceo/random-images=x"],
        message: """
          unknown case "x" in --case dog-ceo/random-images=x
            fix: known: ok, not-found, cut-short, slow, reset
          """),
      Mistake(
        words: ["--script", "dog-ceo/random-images=fails"],
        message: """
          unknown script "fails" in --script dog-ceo/random-images=fails
          """),
      Mistake(
        words: ["--scenario", "dogs=empty"],
        message: """
          unknown upstream "dogs" in --scenario dogs=empty
            fix: known: dog-ceo
          """),
      Mistake(
        words: ["--case", "malformed"],
        message: "found \"malformed\" for --case, expected CONTRACT=CASE"),
      Mistake(
        words: ["--port", "70000"],
        message: "found \"70000\" for --port, expected a port: 0 to 65535"),
      Mistake(
        words: ["--limit", "head=2G"],
        message: "found \"2G\" for --limit head, expected a size from 256 to 1024M, such as 32K"),
      Mistake(
        words: ["--limit", "idle=5"],
        message:
          "found \"5\" for --limit idle, expected a time above 0 and up to 277777h with its unit,"
          + " such as 500ms or 30s"),
      Mistake(
        words: ["--limit", "idle=-5s"],
        message:
          "found \"-5s\" for --limit idle, expected a time above 0 and up to 277777h with its unit,"
          + " such as 500ms or 30s"),
      Mistake(
        words: ["--limit", "request=99999999h"],
        message:
          "found \"99999999h\" for --limit request, expected a time above 0 and up to 277777h with its"
          + " unit, such as 500ms or 30s"),
      Mistake(
        words: ["--limit", "bodyy=1M"],
        message: """
          unknown limit "bodyy" in --limit
            fix: did you mean "body"?
          """),
      Mistake(
        words: ["--limit", "body=1M", "--limit", "body=2M"],
        message: """
          --limit body is given twice, as "1M" and "2M"
            fix: keep one of them
          """),
      Mistake(
        words: ["--limit", "body"],
        message: "found \"body\" for --limit, expected NAME=VALUE"),
      Mistake(
        words: ["--threads", "100000"],
        message: "found \"100000\" for --threads, expected a number from 1 to 128"),
      Mistake(
        words: ["--limit", "head=1"],
        message: "found \"1\" for --limit head, expected a size from 256 to 1024M, such as 32K"),
      Mistake(
        words: ["--bind", "999.1.1.1"],
        message: """
          found "999.1.1.1" for --bind, expected an IPv4 or IPv6 address of this machine, or localhost
            fix: write 127.0.0.1 or ::1 for this machine only, 0.0.0.0 or :: for all machines
          """),
      Mistake(
        words: ["--bind", "127.0.0.1.example.com"],
        message: """
          found "127.0.0.1.example.com" for --bind, expected an IPv4 or IPv6 address of this machine, or localhost
            fix: write 127.0.0.1 or ::1 for this machine only, 0.0.0.0 or :: for all machines
          """),
      Mistake(words: ["--bind", "0.0.0.0", "--admin-token", " "], message: weakToken("0.0.0.0")),
      Mistake(
        words: ["--bind", "::", "--admin-token", "fifteen-letters"], message: weakToken("::")),
      Mistake(
        words: ["--bind", "::", "--admin-token", "more than sixteen letters"],
        message: weakToken("::")),
      Mistake(
        words: ["--time-scale", "-1"],
        message: "found \"-1\" for --time-scale, expected a number from 0 to 1000, such as 0.1"),
      Mistake(
        words: ["--port", "-1"],
        message: "found \"-1\" for --port, expected a port: 0 to 65535"),
    ])
  func mistake(mistake: Mistake) throws {
    let run = try SampleContracts().run(["serve"] + mistake.words)
    #expect(run.errors == "understudy: error: \(mistake.message)\n")
    #expect(run.output == "")
    #expect(run.code == .couldNotRun)
  }

  private static func weakToken(_ host: String) -> String {
    """
    other machines can reach "\(host)", but the admin token is too easy to guess: expected at least 16 visible ASCII characters
      fix: generate one: UNDERSTUDY_ADMIN_TOKEN=$(openssl rand -hex 16)
    """
  }

  /// In a process of its own: what waits for a server must not do so on a test's thread.
  @Test(
    "an unavailable address is an error with its fix",
    arguments: [
      Mistake(
        words: ["--bind", "192.0.2.1", "--admin-token", "sixteen-letters!"],
        message: """
          cannot listen on 192.0.2.1:8080: cannot assign requested address
            fix: name an address of this machine, such as --bind 127.0.0.1
          """),
      Mistake(
        words: ["--ports", "--port", "65535"],
        message: """
          cannot listen on port 65536: numerical result out of range
            fix: choose a --port that leaves enough ports above it for all upstreams
          """),
    ])
  func address(mistake: Mistake) throws {
    let samples = try SampleContracts()
    let run = try ProcessRun(
      Checkout.tool.path, ["serve"] + mistake.words, directory: samples.folder)
    #expect(run.errors == "understudy: error: \(mistake.message)\n")
    #expect(run.output == "")
    #expect(run.code == 2)
  }

  @Test("contracts with errors are not served, and each error is shown")
  func broken() throws {
    let samples = try SampleContracts([
      "Contracts/dog-ceo/upstream.json": #"{ "baseURL": "https://dog.ceo/api", "sumary": "" }"#
    ])
    let run = samples.run(["serve"])
    #expect(
      run.errors == """
        Contracts/dog-ceo/upstream.json:1:37: error: unknown key "sumary" in an upstream [unknown-key]
          fix: did you mean "summary"?
        understudy: error: 1 error in 3 files
          fix: correct what is listed above; "understudy lint" shows warnings too

        """)
    #expect(run.code == .couldNotRun)
  }

  @Test("a missing folder is an error")
  func missing() {
    let run = CommandLineRun("serve nowhere")
    #expect(
      run.errors == """
        understudy: error: nothing matches "nowhere"
          fix: see "understudy list"

        """)
    #expect(run.code == .couldNotRun)
  }
}
