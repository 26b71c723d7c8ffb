import Testing

@testable import UnderstudyServices

@Suite struct LinksTests {
  @Test(
    "finds the link to the next page",
    arguments: [
      ("<https://a/2>; rel=\"next\"", "https://a/2"),
      ("<https://a/1>; rel=\"prev\", <https://a/3>; rel=\"next\"", "https://a/3"),
      ("<https://a/2,3;4>;rel=next;title=\"a, b; c\" ,<https://a/9>; rel=last", "https://a/2,3;4"),
      ("<https://a/2>; REL=\"last NEXT\"", "https://a/2"),
      ("<https://a/2>; title; rel = next", "https://a/2"),
      ("<https://a/2>; rel=next, <https://a/3>; rel=next", "https://a/2"),
    ])
  func next(text: String, target: String) {
    #expect(Links(text)?["next"] == target)
  }

  @Test(
    "knows a header without one",
    arguments: ["<https://a/1>; rel=\"prev\"", "<https://a/1>", "<a>; rel=last; rel=next"])
  func last(text: String) throws {
    #expect(try #require(Links(text))["next"] == nil)
  }

  @Test(
    "refuses an invalid list of links",
    arguments: [
      "", "https://a/2", "<https://a/2", "<https://a/2>; rel=\"next", "<https://a/2>; =next",
      "<https://a/2>; rel=next x", "<https://a/2>; rel=next,", "next",
    ])
  func malformed(text: String) {
    #expect(Links(text) == nil)
  }
}
