import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyJSON

@testable import UnderstudyInterchange

/// Patterns of URLs, held against what they mean as patterns for the whole URL.
@Suite struct WireMockURLTests {
  private static let paths = [
    "/", "/a", "/a/", "/a/b", "/a/b/", "/a/b/c", "/a/b/x/c", "/b/c", "/c/d", "/a/b/d", "/a/c",
    "/a/7",
    "/a/77", "/a/777", "/a/7/8", "/a/7x", "/cars", "/cars/", "/a/cars", "/a/b/cars", "/xcars",
    "/a/cars/x", "/v1/x", "/v2/x/y", "/v3/x", "/a/x.json", "/a/xjson", "/a/b/x.json", "/ab/c",
    "/ab",
    "/a/A", "/A/a", "/a-b", "/a.b",
  ]
  private static let queries = [
    "", "?b=1", "?b=2", "?b=1&c=2", "?c=2&b=1", "?bb=1", "?b=12", "?b=12&c=2", "?c=2&b=12",
  ]

  private static let ofPaths = [
    "/a/[0-9]+", "/a/[0-9]*", "/a/.*", "/a/.+", "/a/.*?", "/a/.+?", "/a/.*/c", "/a/.+/c",
    "/a/.+?/c",
    "/(a|b)/c", "/(a/b|c)/d", "/(?:a|ab)(?:/c)?", "/a/?", "/a(/.*)?", "/a(/.+)?", ".*/cars",
    ".+/cars",
    "/.*/cars", ".*", ".+", "/.*", "/.+", ".*cars", ".*cars.*", "/a/[^/]+", "/a/[^/]*",
    "/a/[^/]+/c",
    "/a/([^/]+)", "/a/([^/]+)/?", "/a/\\d{2,3}", "/a/\\d{2}", "/[a-c]/[a-c]", "/[ab]+/c",
    "/v[12]/.*",
    "/v(1|2)/x", "/a/.*\\.json", "/a/[a-z]+\\.json", "/a[.-]b", "/a\\.b", "/a.b", "/a/x\\.?json",
    "/a/7x?", "/(a)", "/(a|b|c)/(b|c|d)", "^/a/b$", "^/a/.*$", "(?i)/a/a", "/a/b|/b/c", "/a.+",
    "/a(.+)", "(.+)/cars", "/.*a.*/c", "/[^/]*/c",
    "/a/(7|77)/?8?",
  ]
  private static let ofURLs = [
    "/a", "/a\\?b=1", "/a\\?b=[0-9]", "/a(\\?.*)?", "/a\\?.*", "/a.*", "/a\\?b=1&c=2",
    "/a\\?b=.*&c=2",
    "/a/b\\?b=(1|2)", ".*\\?b=1", ".*", "/a\\?b=1.*", "/a\\?b=.+", "/a\\?.*b=1", "/a\\?.*b=1.*",
    "/a\\?b=(?!2).*", "/a\\?b=1&.*", "/a\\?b=1(&.*)?",
  ]

  @Test(
    "a pattern for a path, or for a URL, matches what it says; what it does not is noted",
    arguments: ofPaths.map { ("urlPathPattern", $0) } + ofURLs.map { ("urlPattern", $0) })
  func meaning(key: String, pattern: String) throws {
    var writer = JSONWriter()
    writer.string(pattern)
    let text = """
      { "request": { "method": "GET", "\(key)": \(String(decoding: writer.bytes, as: UTF8.self)) },
        "response": { "status": 200 } }
      """
    let document = try ForeignDocument(reading: Array(text.utf8), file: "stub.json")
    let stubs = try ImportedStubs(ImportSource(documents: [document]))
    let kinds = Set(stubs.notes.map(\.kind))
    let upstream = try #require(stubs.library.upstreams.first)
    let meant = try NSRegularExpression(pattern: "^(?:\(pattern))$")
    var (more, less) = ([String](), [String]())
    for path in Self.paths {
      for query in key == "urlPattern" ? Self.queries : [""] {
        let target = path + query
        let isMeant =
          meant.firstMatch(in: target, range: NSRange(target.startIndex..., in: target)) != nil
        let isFound =
          stubs.library.index.match(RequestParts(Request("GET", target)), in: upstream) != nil
        if isFound, !isMeant { more.append(target) }
        if isMeant, !isFound { less.append(target) }
      }
    }
    #expect(!kinds.contains(.leftOut))
    // A note is not made without need.
    if !kinds.contains(.widened) { #expect(more == []) }
    if !kinds.contains(.narrowed) { #expect(less == []) }
  }
}
