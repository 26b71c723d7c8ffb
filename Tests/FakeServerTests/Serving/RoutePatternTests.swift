import Testing

@testable import UnderstudyFakeServer

@Suite struct RoutePatternTests {
  @Test(
    "gives the decoded values of the parameters in a path",
    arguments: [
      ("/journal", "/journal", []),
      ("/", "/", []),
      ("/contracts/{upstream}/{contract}", "/contracts/a%20b/c", ["a b", "c"]),
      ("/contracts/{upstream}/{contract}/hold", "/contracts/a/b/hold", ["a", "b"]),
      ("/contracts/{upstream}", "/contracts/", [""]),
      ("/contracts/{upstream}", "/contracts/%zz", ["%zz"]),
      ("/files/{name...}", "/files/a", ["a"]),
      ("/files/{name...}", "/files/a/b%2Fc/", ["a/b/c/"]),
    ] as [(String, String, [String])])
  func values(template: String, path: String, values: [String]) {
    #expect(RoutePattern.values(of: template, in: path[...]) == values)
  }

  @Test(
    "does not match a path with other, more or fewer segments",
    arguments: [
      ("/journal", "/request logs"), ("/request logs", "/journal"), ("/journal", "/journal/"),
      ("/journal", ""), ("/journal", "journal"),
      ("/contracts/{upstream}/{contract}", "/contracts/a"),
      ("/contracts/{upstream}/{contract}", "/contracts/a/b/c"),
      ("/contracts/{upstream}/hold", "/contracts/a/held"),
      ("/files/{name...}", "/files"), ("/files/{name...}", "/file/a/b"),
    ])
  func mismatch(template: String, path: String) {
    #expect(RoutePattern.values(of: template, in: path[...]) == nil)
  }
}
