import Testing

@testable import UnderstudyReports

@Suite struct ContextTests {
  @Test(
    "a link leads from the folder of the report, as long as both are beneath the working folder",
    arguments: [
      ("page.html", "a/b#c.json", "a/b%23c.json"), ("x/page.html", "a/b", "../a/b"),
      ("./x/y/page.html", "x/b", "../b"), ("x/page.html", "x/a b", "a%20b"),
      ("/tmp/page.html", "a/b", nil), ("../page.html", "a/b", nil), (nil, "a/b", nil),
      ("page.html", "/a/b", nil),
    ] as [(String?, String, String?)])
  func address(path: String?, file: String, expected: String?) {
    var context = ReportContext()
    context.path = path
    #expect(context.address(of: file) == expected)
  }
}
