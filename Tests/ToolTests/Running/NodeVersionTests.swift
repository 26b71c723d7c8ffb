import Testing

@testable import UnderstudyTool

@Suite struct NodeVersionTests {
  @Test(
    "knows which Node heeds proxy variables",
    arguments: [
      ("v18.13.0", false), ("v20.20.2", false), ("v22.20.0", false), ("v22.21.0", true),
      ("v23.11.1", false), ("v24.4.1", false), ("v24.5.0", true), ("v25.0.0", true),
      ("v26.0.0-nightly20260101", true), ("v22.21.0\n", true),
    ])
  func heeds(text: String, heedsProxies: Bool) {
    #expect(NodeVersion(text)?.heedsProxies == heedsProxies)
  }

  @Test(
    "what is no version has none", arguments: ["", "v", "20.1.0", "v20", "v20.x.1", "No version"])
  func none(text: String) {
    #expect(NodeVersion(text) == nil)
  }
}
