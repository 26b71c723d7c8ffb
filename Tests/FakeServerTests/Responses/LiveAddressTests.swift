import Testing

@testable import UnderstudyFakeServer

@Suite struct ResponseLiveAddressTests {
  private static let fake = "http://127.0.0.1:4010"

  static let links: [Replacement] = [
    Replacement("https://dog.example/api", "\(fake)/api"),
    Replacement("https://dog.example/api/x?y=1", "\(fake)/api/x?y=1"),
    Replacement(
      "<https://dog.example/api>, https://images.dog.example.", "<\(fake)/api>, \(fake)/images."),
    Replacement("at https://images.dog.example: here", "at \(fake)/images: here"),
    Replacement("https://dog.example/api/v2/x", "\(fake)/newer/x"),
    Replacement("https://dog.example/api/v22", "\(fake)/api/v22"),
    Replacement("https://dog.example/apiary", "https://dog.example/apiary"),
    Replacement("https://dog.example", "https://dog.example"),
    Replacement("https://images.dog.example.com/a", "https://images.dog.example.com/a"),
    Replacement("https://images.dog.example-x/a", "https://images.dog.example-x/a"),
    Replacement("https://images.dog.example:8443/a", "https://images.dog.example:8443/a"),
    Replacement("https://images.dog.example@evil.com", "https://images.dog.example@evil.com"),
    Replacement("http://images.dog.example/a", "http://images.dog.example/a"),
    Replacement("hhttps://images.dog.example", "h\(fake)/images"),
  ]

  @Test("a live address leads to the fake, but nothing that only looks like one", arguments: links)
  func text(link: Replacement) throws {
    let response =
      #""status": 200, "headers": { "Link": "\#(link.text)" }, "text": "\#(link.text)""#
    #expect(
      try Stage(response, rewritesLinks: true).wire()
        == head(
          "HTTP/1.1 200 OK", "Link: \(link.result)", "Content-Length: \(link.result.utf8.count)",
          "Date: \(Stage.httpDate)") + link.result)
    #expect(try Stage(response).bodyText() == link.text)
  }

  @Test("in JSON slashes stay escaped where they were")
  func json() throws {
    let stage = try Stage(
      #""status": 200, "body": ["https:\/\/images.dog.example\/a\/b", "https://dog.example/api/c"]"#,
      rewritesLinks: true)
    #expect(
      stage.bodyText()
        == #"["http:\/\/127.0.0.1:4010\/images\/a\/b","http://127.0.0.1:4010/api/c"]"#)
  }

  @Test("links and expressions are replaced side by side")
  func besideTemplates() throws {
    let stage = try Stage(
      #""status": 200, "body": ["https://images.dog.example/{counter}/{server.baseURL}"], "#
        + #""template": ["body"]"#, rewritesLinks: true)
    #expect(
      stage.bodyText() == #"["http://127.0.0.1:4010/images/1/http://127.0.0.1:4010/api"]"#)
  }

  @Test("a picture stays as it is")
  func binary() throws {
    // FF, then an address, in base64.
    let response = #""status": 200, "base64": "/2h0dHBzOi8vaW1hZ2VzLmRvZy5leGFtcGxl""#
    let stage = try Stage(response, rewritesLinks: true)
    #expect(stage.body() == [0xFF] + Array("https://images.dog.example".utf8))
    #expect(stage.servable.staticResponse(for: stage.context) != nil)
  }

  @Test("a response without live addresses stays static")
  func stillStatic() throws {
    let stage = try Stage(#""status": 200, "text": "x""#, rewritesLinks: true)
    #expect(stage.servable.staticResponse(for: stage.context) != nil)
  }
}
