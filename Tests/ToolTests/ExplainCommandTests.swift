import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

@Suite struct ExplainCommandTests {
  private static let target = "/dog-ceo/api/breed/hound/images/random"

  @Test(
    "says which contract and case respond, and why",
    arguments: [
      (["GET \(target)"], "ok, the default", 200),
      (["GET \(target)?a=1"], "ok, the default", 200),
      ([target], "ok, the default", 200),
      (["/~mine\(target)"], "ok, the default", 200),
      (["https://dog.ceo/api/breed/hound/images/random"], "ok, the default", 200),
      (["HEAD \(target)", "-H", "Prefer: code=404"], "not-found, as the request prefers", 404),
    ])
  func found(words: [String], choice: String, status: Int) throws {
    let run = try SampleContracts().run(["explain"] + words)
    #expect(
      run.output == """
        dog-ceo/random-images#\(choice)
          file     Contracts/dog-ceo/random-images.json
          request  GET /breed/{name}/images/random
          status   \(status)
          kind     good

        """)
    #expect(run.errors == "")
    #expect(run.code == .pass)
  }

  @Test(
    "leads whoever asks otherwise to what was meant",
    arguments: [
      (["GET", "/x"], "GET", "quote both as one word: understudy explain 'GET /path'"),
      (["schema-mismatch"], "schema-mismatch", "for a finding: understudy help schema-mismatch"),
      (
        ["ftp://a/b"], "ftp://a/b",
        "write a full address: http or https, a host, an optional port, and a path"
      ),
    ])
  func meant(words: [String], word: String, fix: String) {
    let run = CommandLineRun(words: ["explain"] + words)
    #expect(
      run.errors == """
        understudy: error: found "\(word)" for REQUEST, expected a method and a path, such as \
        'GET /joke/random_joke'
          fix: \(fix)

        """)
    #expect(run.code == .couldNotRun)
  }

  @Test("says that a request is the live one of its case")
  func live() throws {
    let contracts = try SampleContracts()
    let file = "Contracts/dog-ceo/random-images.json"
    try contracts.write(
      file,
      contracts.read(file).replacing(
        "\"status\": 404,",
        with: #""status": 404, "live": { "parameters": { "path.name": "cat" } },"#))
    let run = contracts.run(["explain", "/dog-ceo/api/breed/cat/images/random"])
    #expect(
      run.output == """
        dog-ceo/random-images#not-found, because this is its live request
          file     Contracts/dog-ceo/random-images.json
          request  GET /breed/{name}/images/random
          status   404
          kind     good

        """)
    #expect(run.code == .pass)
  }

  @Test("says of a miss what comes nearest and what differs")
  func unmatched() throws {
    let run = try SampleContracts().run(["explain", "POST \(Self.target)", "-d", "x"])
    #expect(
      run.output == """
        no contract for POST \(Self.target)
          nearest: dog-ceo/random-images  GET /breed/{name}/images/random
            method: found POST, expected GET

        """)
    #expect(run.code == .findings)
  }

  @Test("a method in small letters is another, as it is to a server")
  func method() throws {
    let run = try SampleContracts().run(["explain", "get \(Self.target)"])
    #expect(
      run.output == """
        no contract for get \(Self.target)
          nearest: dog-ceo/random-images  GET /breed/{name}/images/random
            method: found get, expected GET

        """)
    #expect(run.code == .findings)
  }

  @Test("shows no secret of the question")
  func everySecret() throws {
    let samples = try SampleContracts()
    for (text, secret) in SecretTable.texts {
      let target = "/dog-ceo/api/none?note=" + text.filter { $0 != " " }
      let run = samples.run(["explain", target, "--data=\(text)", "-H", "X-Note: \(text)"])
      #expect(run.output.hasPrefix("no contract for GET /dog-ceo/api/none\n"))
      #expect(!(run.output + run.errors).contains(secret), "\(text)")
    }
  }

  @Test("shows no secret of the request", arguments: ["text", "json"])
  func secrets(format: String) throws {
    let token = "q8ZrT3bK9wXy2LmN5vHd7sGf"
    let run = try SampleContracts().run([
      "explain", "POST /dog-ceo/api/webhooks/123456789012/\(token)", "-H", "Host: a:\(token)@b",
      "--format", format,
    ])
    #expect(run.output.contains("[redacted]"))
    #expect(!(run.output + run.errors).contains(token))
    #expect(run.code == .findings)
  }

  @Test("says which cases there are when the preferred one is not")
  func noSuchCase() throws {
    let run = try SampleContracts().run(["explain", Self.target, "-H", "Prefer: code=418"])
    #expect(
      run.output == """
        no case with status 418 in dog-ceo/random-images
          the cases are ok, not-found, cut-short, slow, reset

        """)
    #expect(run.code == .findings)
  }

  @Test("says that a preferred status is not valid")
  func noStatus() throws {
    let run = try SampleContracts().run(["explain", Self.target, "-H", "Prefer: code=gone"])
    #expect(
      run.output == """
        found code=gone in Prefer, expected a status such as code=404
          the cases are ok, not-found, cut-short, slow, reset

        """)
    #expect(run.code == .findings)
  }

  @Test("prints JSON for programs")
  func json() throws {
    let samples = try SampleContracts()
    #expect(
      samples.run(["explain", "GET \(Self.target)", "--format", "json"]).output == """
        {
          "contract": "dog-ceo/random-images",
          "file": "Contracts/dog-ceo/random-images.json",
          "case": "ok",
          "status": 200,
          "reason": "the default",
          "message": null,
          "nearest": null
        }

        """)
    #expect(
      samples.run(["explain", "/dog-ceo/api/x", "--format", "json"]).output.contains(
        #""message": "no contract for GET /dog-ceo/api/x""#))
  }

  @Test(
    "an invalid address is wrong usage",
    arguments: ["GET http://[::1", "http:///x", "http://localhost:99999/x", "https://a:b@dog.ceo/"])
  func address(word: String) throws {
    let run = try SampleContracts().run(["explain", word])
    #expect(
      run.errors == """
        understudy: error: found "\(word.replacing("a:b@", with: "[redacted]@"))" for REQUEST, \
        expected a method and a path, such as 'GET /joke/random_joke'
          fix: write a full address: http or https, a host, an optional port, and a path

        """)
    #expect(run.code == .couldNotRun)
  }

  @Test("an invalid request is wrong usage", arguments: ["nowhere", "GET a b", ""])
  func usage(word: String) throws {
    let run = try SampleContracts().run(["explain", word])
    #expect(
      run.errors == """
        understudy: error: found "\(word)" for REQUEST, expected a method and a path, such as \
        'GET /joke/random_joke'

        """)
    #expect(run.code == .couldNotRun)
  }
}
