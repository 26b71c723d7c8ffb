import Testing
import UnderstudyCore

@testable import UnderstudyTool

@Suite struct ListCommandTests {
  private static let retired = [
    "Contracts/dog-ceo/upstream.json": """
    {
      "summary": "Pictures of \\u001b[31mdogs", "baseURL": "https://dog.ceo/api",
      "retired": "nobody asks it any more"
    }
    """
  ]

  @Test("shows upstreams, endpoints and cases in columns")
  func text() throws {
    let run = try SampleContracts(Self.retired).run(["list"])
    let expected = #"""
      dog-ceo  Pictures of \u{1B}[31mdogs  https://dog.ceo/api  retired: nobody asks it any more
        random-images  GET /breed/{name}/images/random  A picture at random
          ok         200  good       live  An address
          not-found  404  good
          cut-short  200  malformed
          slow       200  slow
          reset      -    broken

      1 upstream, 1 contract, 5 cases

      """#
    #expect(TextDiff.unified(expected, run.output) == "")
    #expect(run.errors == "")
    #expect(run.code == .pass)
  }

  @Test("--url without --curl has no use")
  func url() throws {
    let run = try SampleContracts().run(["list", "--url", "http://127.0.0.1:1"])
    #expect(
      run.errors == """
        understudy: error: --url needs --curl, whose commands have that address
          fix: add --curl, or leave out --url

        """)
    #expect(run.code == .couldNotRun)
  }

  @Test("a body that nobody knows is named, with what it lacks")
  func unknownBody() throws {
    let run = try SampleContracts(only: [
      "Contracts/a/upstream.json": "{}",
      "Contracts/a/b.json": """
      { "request": { "method": "POST", "path": "/b", "body": { "schema": { "required": ["id"] } } },
        "cases": { "ok": { "status": 200 } } }
      """,
    ]).run(["list", "--curl"])
    #expect(
      run.output == """
        # a/b#ok  200  good
        # no command: the body of its request has no "example" in Contracts/a/b.json (body: found \
        no body, expected JSON that matches a schema)

        """)
    #expect(run.code == .pass)
  }

  @Test("prints the same as JSON, with every key in every object")
  func json() throws {
    let run = try SampleContracts(Self.retired).run(["list", "--format=json"])
    let expected = #"""
      {
        "upstreams": [
          {
            "name": "dog-ceo",
            "summary": "Pictures of \u001b[31mdogs",
            "baseURL": "https://dog.ceo/api",
            "retired": "nobody asks it any more",
            "contracts": [
              {
                "id": "dog-ceo/random-images",
                "summary": "A picture at random",
                "file": "Contracts/dog-ceo/random-images.json",
                "method": "GET",
                "path": "/breed/{name}/images/random",
                "cases": [
                  {
                    "name": "ok",
                    "summary": "An address",
                    "status": 200,
                    "kind": "good",
                    "live": true
                  },
                  {
                    "name": "not-found",
                    "summary": null,
                    "status": 404,
                    "kind": "good",
                    "live": false
                  },
                  {
                    "name": "cut-short",
                    "summary": null,
                    "status": 200,
                    "kind": "malformed",
                    "live": false
                  },
                  {
                    "name": "slow",
                    "summary": null,
                    "status": 200,
                    "kind": "slow",
                    "live": false
                  },
                  {
                    "name": "reset",
                    "summary": null,
                    "status": null,
                    "kind": "broken",
                    "live": false
                  }
                ]
              }
            ]
          }
        ]
      }

      """#
    #expect(TextDiff.unified(expected, run.output) == "")
    #expect(run.errors == "")
    #expect(run.code == .pass)
  }

  @Test("shows what it can of broken contracts, and says that something is missing")
  func broken() throws {
    let run = try SampleContracts(["Contracts/dog-ceo/extra.json": "{"]).run(["list"])
    #expect(
      run.output == """
        dog-ceo  Pictures of dogs  https://dog.ceo/api
          random-images  GET /breed/{name}/images/random  A picture at random
            ok         200  good       live  An address
            not-found  404  good
            cut-short  200  malformed
            slow       200  slow
            reset      -    broken

        1 upstream, 1 contract, 5 cases

        """)
    #expect(
      run.errors == """
        understudy: error: 1 file has errors and may be listed only in part: \
        Contracts/dog-ceo/extra.json
          fix: see "understudy lint"

        """)
    #expect(run.code == .couldNotRun)
  }

  @Test("names the files that are listed only in part")
  func partly() throws {
    let run = try SampleContracts([
      "Contracts/consumers.json": "{",
      "Contracts/dog-ceo/extra.json": """
      { "request": { "method": "GET", "path": "/extra" }, "cases": { "ok": { "status": "200" } } }
      """,
    ]).run(["list"])
    #expect(run.output.contains("  extra  GET /extra\n    ok         -    good\n"), "\(run.output)")
    #expect(
      run.errors == """
        understudy: error: 2 files have errors and may be listed only in part: \
        Contracts/consumers.json, Contracts/dog-ceo/extra.json
          fix: see "understudy lint"

        """)
    #expect(run.code == .couldNotRun)
  }
}
