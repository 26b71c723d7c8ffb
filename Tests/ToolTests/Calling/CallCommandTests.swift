import Foundation
import Testing
import UnderstudyCore

@testable import UnderstudyTool

/// The built tool calls services against the built server, which plays our own contracts.
@Suite struct CallCommandTests {
  /// What a call prints, with PORT for the server's.
  private static func call(
    _ line: String, on upstream: String, _ cases: String...
  ) throws -> (code: Int32, output: String, errors: String) {
    let folder = "Contracts/" + upstream.prefix { $0 != "/" }
    let server = try RunningServer(
      [folder, "--time-scale", "0.01"] + cases.flatMap { ["--case", $0] }, in: Checkout.root)
    let run = try ProcessRun(
      Checkout.tool.path,
      ["call"] + line.split(separator: " ").map(String.init)
        + ["--base-url", "http://127.0.0.1:\(server.port)/\(upstream)"])
    return (
      run.code, run.output.replacing(":\(server.port)", with: ":PORT"),
      run.errors.replacing(":\(server.port)", with: ":PORT")
    )
  }

  @Test(
    "prints what a service gives as a table",
    arguments: [
      (
        "dogs", "dog-ceo",
        """
        NAME              PICTURE
        Setter English    https://images.dog.ceo/breeds/setter-english/n02100735_10038.jpg
        Retriever Golden  https://images.dog.ceo/breeds/retriever-golden/n02099601_6331.jpg
        Komondor          https://images.dog.ceo/breeds/komondor/n02105505_1657.jpg

        3 dogs

        """
      ),
      (
        "dogs 0", "dog-ceo/",
        """
        NAME          PICTURE
        Hound Afghan  https://images.dog.ceo/breeds/hound-afghan/n02088094_1003.jpg

        1 dog

        """
      ),
      ("jokes", "joke", "What does an angry pepper do?\nIt gets jalapeño face.\n"),
      ("jokes 1", "joke", "What did the fish say when it hit the wall?\nDam.\n"),
      (
        "listings", "dogpatch/api/v1",
        """
        NAME  BREED            COST    RATING  CREATED
        Jack  German Shepherd  399.99  4.5     2026-11-17T17:25:12.106Z
        Lulu  Poodle           225.99  5.0     2026-11-20T13:25:12.106Z

        2 listings

        """
      ),
      (
        "repos apple", "github",
        """
        NAME                         STARS  LANGUAGE  DESCRIPTION
        jenkinsci/gmaven             5      Java      -
        jenkinsci/core-js            2      Java      Patched core-js used in Hudson
        jenkinsci/qualys-was-plugin  0      Java      -
        jenkinsci/opencover-plugin   0      Java      Jenkins OpenCover Plugin

        4 repositories

        """
      ),
      (
        "restaurants", "restaurants",
        """
        NAME         FAVORITE  MINUTES  RATE                  TYPE
        McDonald's   -         25-35    4.0 Good (500+)       American, Burgers
        KFC          -         15-25    4.1 Good (500+)       Sandwichs, Burgers
        Carl's Jr    -         15-25    3.8 Good (61)         Sandwichs, Burgers
        BURGER KING  yes       25-35    4.3 Very good (500+)  American, Burgers

        4 restaurants

        """
      ),
    ])
  func table(line: String, upstream: String, expected: String) throws {
    let run = try Self.call(line, on: upstream)
    #expect(TextDiff.unified(expected, run.output) == "")
    #expect(run.errors == "")
    #expect(run.code == 0)
  }

  @Test("prints the value as contracts write it")
  func json() throws {
    let run = try Self.call("jokes --format json", on: "joke", "joke/random-joke=udp")
    #expect(
      run.output == """
        {
          "id": 73,
          "type": "programming",
          "setup": "The punchline often arrives before the set-up.",
          "punchline": "Do you know the problem with UDP jokes?"
        }

        """)
    #expect(run.code == 0)
  }

  @Test("says that there is nothing")
  func empty() throws {
    let run = try Self.call("dogs", on: "dog-ceo", "dog-ceo/random-images=empty")
    #expect(run.output == "0 dogs\n")
    #expect(run.code == 0)
  }

  @Test(
    "says what went wrong, and whether that is a finding",
    arguments: [
      ("not-found", 1, "http://127.0.0.1:PORT/joke: found status 404, expected 200"),
      (
        "stray-comma", 1,
        "http://127.0.0.1:PORT/joke: 1:2: found a comma, expected a key in double quotes or \"}\""
      ),
      (
        "id-as-text", 1,
        "http://127.0.0.1:PORT/joke: 1:101: /id: found string \"236\", expected an integer"
      ),
      ("rate-limited", 3, "http://127.0.0.1:PORT/joke: asked too often"),
    ])
  func failure(name: String, code: Int32, message: String) throws {
    let run = try Self.call("jokes", on: "joke", "joke/random-joke=\(name)")
    #expect(run.errors == "understudy: error: \(message)\n")
    #expect(run.output == "")
    #expect(run.code == code)
  }

  @Test("a broken answer could not be checked", arguments: ["reset", "corrupt-gzip"])
  func broken(name: String) throws {
    let run = try Self.call("jokes", on: "joke", "joke/random-joke=\(name)")
    #expect(
      run.errors.hasPrefix("understudy: error: no answer from http://127.0.0.1:PORT/joke: "))
    #expect(run.code == 3)
  }

  @Test("gives up when the time is over")
  func timeout() throws {
    let run = try Self.call(
      "jokes --timeout 50ms", on: "joke", "joke/random-joke=stalled")
    #expect(
      run.errors.hasPrefix(
        "understudy: error: no answer from http://127.0.0.1:PORT/joke: timed out while "))
    #expect(run.code == 3)
  }

  @Test("where nobody listens, it says what to start")
  func nobody() throws {
    let server = try RunningServer(["Contracts/joke"], in: Checkout.root)
    let port = server.port
    server.terminate()
    _ = server.end()
    let run = try ProcessRun(
      Checkout.tool.path, ["call", "jokes", "--base-url", "http://127.0.0.1:\(port)/joke"])
    #expect(
      run.errors.hasPrefix(
        "understudy: error: no answer from http://127.0.0.1:\(port)/joke: cannot connect: "))
    #expect(
      run.errors.hasSuffix(
        "\n  fix: start \"understudy serve\", or name the address it printed\n"))
    #expect(run.code == 3)
  }

  @Test(
    "usage that makes no sense is an error",
    arguments: [
      (
        "restaurants",
        "restaurants have no live API to ask\n  fix: start \"understudy serve\" and add --base-url"
          + " http://127.0.0.1:8080/restaurants\n"
      ),
      ("dogs x", "found \"x\" for ARGUMENT, expected how many dogs, such as 3\n"),
      ("dogs 3 4", "unexpected argument \"4\"\n  fix: write understudy call dogs 3\n"),
      ("jokes 0", "found \"0\" for ARGUMENT, expected the number of a joke, such as 1\n"),
      ("listings 1", "unexpected argument \"1\"\n  fix: write understudy call listings\n"),
      (
        "repos",
        "missing ARGUMENT, expected an organisation on GitHub\n  fix: write understudy call repos"
          + " apple\n"
      ),
      (
        "repos apple --github-token x",
        "unknown option \"--github-token\"\n  fix: see \"understudy call --help\"\n"
      ),
      (
        "cats",
        "found \"cats\" for SERVICE, expected dogs, jokes, listings, repos or restaurants\n"
      ),
      (
        "jokes --base-url joke",
        "found \"joke\" for --base-url, expected an address such as http://127.0.0.1:8080/joke\n"
      ),
      (
        "jokes --base-url http://h/?a",
        "found \"http://h/?a\" for --base-url, expected an address such as"
          + " http://127.0.0.1:8080/joke\n"
      ),
    ])
  func usage(line: String, message: String) {
    let run = CommandLineRun("call \(line)")
    #expect(run.errors == "understudy: error: \(message)")
    #expect(run.output == "")
    #expect(run.code == .couldNotRun)
  }

  @Test("a name that is none is refused before anything is asked")
  func name() throws {
    let run = try Self.call("repos ..", on: "github")
    #expect(
      run.errors == """
        understudy: error: found no address of the upstream: http://127.0.0.1:PORT/github: found \
        ".." for a part of the path

        """)
    #expect(run.code == 2)
  }
}
