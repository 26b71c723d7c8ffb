import Testing
import UnderstudyClient

@testable import UnderstudyServices

@Suite struct LiveAddressTests {
  @Test("refuses a segment that would name something else", arguments: ["", ".", ".."])
  func emptySegments(segment: String) {
    #expect(
      throws: ServiceError.invalidURL(
        "https://dog.ceo: found \"\(segment)\" as a part of the path")
    ) { try WebURL.dogCEO.appending("favorites", segment) }
  }

  @Test(
    "the live addresses are addresses",
    arguments: [WebURL.dogCEO, .dogCEOPictures, .jokes, .dogPatch, .gitHub])
  func live(url: WebURL) {
    #expect(WebURL(url.text) == url)
  }

  @Test("the shared address of DogPatch ends in a slash")
  func dogPatch() {
    #expect(WebURL.dogPatch.text == "https://dogpatchserver.herokuapp.com/api/v1/")
  }
}
