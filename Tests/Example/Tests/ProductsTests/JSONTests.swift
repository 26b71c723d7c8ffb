import Testing
import UnderstudyJSON

@Suite struct JSONTests {
  @Test("an error names the place, what was found and what was expected")
  func place() {
    let text = #"{"setup": 7, "punchline": "Because."}"#
    let error = #expect(throws: JSONDecodingError.self) {
      try JSONTreeDecoder().decode(Joke.self, from: Array(text.utf8))
    }
    #expect(error?.path == "/setup")
    #expect(error?.line == 1)
    #expect(error?.column == 11)
  }

  @Test("what is written can be read")
  func writing() throws {
    let joke = Joke(setup: "Why?", punchline: "Because.")
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.member("setup", joke.setup)
      writer.member("punchline", joke.punchline)
    }
    #expect(try JSONTreeDecoder().decode(Joke.self, from: writer.bytes) == joke)
  }
}
