import Testing
import UnderstudyContractModel
import UnderstudyCore

@testable import UnderstudyRecording

/// Which upstreams a server records, and where they are.
@Suite struct BaseURLTests {
  private static let library = ContractLibrary(reading: [
    "joke/upstream.json": #"{ "baseURL": "https://joke.example/v1" }"#,
    "dog/upstream.json": #"{ "baseURL": "https://dog.example" }"#,
    "gone/upstream.json": #"{ "baseURL": "https://gone.example", "retired": "it is" }"#,
    "dark/upstream.json": "{}",
  ])

  private static func found(
    _ chosen: [(String, String?)], in library: ContractLibrary? = library
  ) throws -> [String] {
    let chosen = try chosen.map { name, url in
      (name: name, baseURL: try url.map { try #require(WebURL(base: $0)) })
    }
    return try ServeRecorder.baseURLs(of: chosen, library, "here").map { "\($0) \($1)" }.sorted()
  }

  @Test("all upstreams with a live API are recorded unless some are chosen")
  func chosen() throws {
    let (joke, dog) = ("joke https://joke.example/v1", "dog https://dog.example")
    #expect(try Self.found([]) == [dog, joke])
    #expect(try Self.found([("joke", nil)]) == [joke])
    #expect(try Self.found([("joke", nil), ("dog", nil)]) == [dog, joke])
    #expect(try Self.found([("joke", "https://joke.example/v1")]) == [joke])
    // One that is chosen may be retired, have no base URL, or be new.
    #expect(try Self.found([("gone", nil)]) == ["gone https://gone.example"])
    #expect(try Self.found([("dark", "http://a")]) == ["dark http://a"])
    #expect(try Self.found([("new", "http://a/b")]) == ["new http://a/b"])
    #expect(try Self.found([("new", "http://a/b")], in: nil) == ["new http://a/b"])
  }

  @Test(
    "what cannot be recorded is said, with what to do",
    arguments: [
      (
        [("dark", nil)], #"upstream "dark" has no base URL"#,
        "give its URL: --upstream dark=https://…"
      ),
      (
        [("x", nil)], #"unknown upstream "x" in --upstream"#, "give its URL: --upstream x=https://…"
      ),
      (
        [("jok", nil)], #"unknown upstream "jok" in --upstream"#,
        #"did you mean "joke"? If it is new, give its URL: --upstream jok=https://…"#
      ),
      (
        [("dog", nil), ("joke", "https://joke.example/v2")],
        "joke already exists with the base URL https://joke.example/v1, not https://joke.example/v2",
        "choose another name with --upstream"
      ),
    ] as [([(String, String?)], String, String)])
  func refusals(chosen: [(String, String?)], message: String, fix: String) {
    let failure = #expect(throws: Failure.self) { try Self.found(chosen) }
    #expect(failure?.message == message)
    #expect(failure?.fix == fix)
  }

  @Test("a folder without a live API leaves nothing to record", arguments: [true, false])
  func nothing(isThere: Bool) {
    let library = ContractLibrary(reading: ["dark/upstream.json": "{}"])
    let failure = #expect(throws: Failure.self) {
      try Self.found([], in: isThere ? library : nil)
    }
    #expect(
      failure?.message
        == "no upstream with a live API in here, so nothing can be recorded")
    #expect(failure?.fix == "name one with --upstream NAME=URL")
  }
}
