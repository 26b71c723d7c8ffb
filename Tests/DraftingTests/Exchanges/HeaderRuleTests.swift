import Testing
import UnderstudyContractModel
import UnderstudyCore

@testable import UnderstudyDrafting

/// Headers by what they are about.
@Suite struct HeaderRuleTests {
  private static let rules: [(rule: String, names: String)] = [
    (
      "ignored",
      """
      Connection Keep-Alive Proxy-Connection TE Trailer Transfer-Encoding Upgrade Content-Length \
      Age Alt-Svc Content-Encoding Date NEL Report-To Reporting-Endpoints Server Server-Timing \
      Traceparent Via X-Cache X-Cache-Hits X-Correlation-ID X-GitHub-Request-Id X-Powered-By \
      X-Request-ID X-Response-Time X-Runtime X-Served-By X-Timer X-Trace-Id X-Varnish X-Vercel-Id \
      CF-Ray X-Amz-Id-2 X-Amzn-Trace-Id X-Cloud-Trace-Context X-B3-TraceId X-Fastly-Request-ID \
      Set-Cookie
      """
    ),
    (
      "presence",
      """
      ETag Last-Modified Expires Retry-After Link Location Warning Sunset Content-Security-Policy \
      Accept-Ranges X-Poll-Interval RateLimit-Remaining X-RateLimit-Reset X-Rate-Limit
      """
    ),
    ("mediaType", "Content-Type"),
    ("list", "Cache-Control Vary Allow Access-Control-Expose-Headers"),
    ("value", "Content-Language Content-Disposition X-Cach Dates Deprecation WWW-Authenticate"),
  ]

  @Test("each header is compared by what it is about", arguments: rules.indices)
  func compared(index: Int) {
    let (rule, names) = Self.rules[index]
    for name in names.split(separator: " ").map(String.init) {
      #expect("\(HeaderRule(name, isTemplated: false))" == rule, "\(name)")
      #expect(
        "\(HeaderRule(name.lowercased(), isTemplated: true))"
          == (rule == "ignored" ? "ignored" : "presence"), "\(name)")
    }
  }

  @Test(
    "values are equal as their header means it",
    arguments: [
      ("Vary", "Accept, Origin", "origin,\taccept", true), ("Vary", "Accept", "Accept, A", false),
      ("Content-Type", "application/json", "application/json; charset=utf-8", true),
      ("Content-Type", "text/html; charset=utf-8", "TEXT/HTML;charset=\"UTF-8\"", true),
      ("Content-Type", "text/html; charset=utf-8", "text/html; charset=latin1", false),
      ("Content-Type", "text/html", "text/plain", false),
      ("Content-Language", "de", "DE", false), ("Content-Language", "de", "de", true),
      ("X-A", "\u{e9}", "e\u{301}", false), ("ETag", "1", "2", true), ("Date", "1", "2", true),
    ])
  func values(name: String, expected: String, found: String, areEqual: Bool) {
    #expect(HeaderRule(name, isTemplated: false).isEqual(expected, found) == areEqual)
  }

  @Test("clients work without what serves caches, or announces something")
  func dispensable() {
    let names = """
      Accept-Ranges Cache-Control Content-Security-Policy Deprecation ETag Expires Last-Modified \
      Pragma Retry-After Strict-Transport-Security Sunset Vary Warning X-Poll-Interval \
      RateLimit-Limit X-RateLimit-Reset X-Rate-Limit-Used RATELIMIT
      """
    for name in names.split(separator: " ").map(String.init) {
      #expect(HeaderRule.isDispensable(name), "\(name)")
      #expect(HeaderRule.isDispensable(name.lowercased()), "\(name)")
    }
    for name in ["Content-Type", "Link", "Location", "X-Rate", "Limit", "Ranges", "X-ETag", ""] {
      #expect(!HeaderRule.isDispensable(name), "\(name)")
    }
  }

  @Test(
    "JSON is what its type says",
    arguments: [
      ("application/json", true), ("APPLICATION/JSON; charset=utf-8", true),
      ("application/problem+json", true), ("text/json", true), ("application/jsonx", false),
      ("application/json+xml", false), ("json", false), ("", false), ("+json", true),
    ])
  func json(type: String, isJSON: Bool) {
    #expect(MediaType(type).isJSON == isJSON)
  }
}
