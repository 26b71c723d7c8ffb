import Testing
import UnderstudyClient

@testable import UnderstudyDrift

/// Which redirects are followed, by where they lead from and to.
@Suite struct RedirectRuleTests {
  @Test(
    "not every redirect is followed",
    arguments: [
      ("GET", "https://a.example/x", "https://a.example/y", nil),
      ("GET", "https://a.example/x", "https://b.example/x", nil),
      ("HEAD", "http://a.example/x", "https://b.example/x", nil),
      ("POST", "https://a.example/x", "https://a.example:443/y", nil),
      (
        "POST", "https://a.example/x", "https://b.example/x",
        "it could change something on another host"
      ),
      ("GET", "https://a.example/x", "http://a.example/x", "it leads from https to http"),
      ("GET", "http://a.example/x", "http://b.example.:8080/", nil),
      ("GET", "http://127.0.0.1/x", "http://127.0.0.1:8080/x", nil),
      (
        "GET", "http://127.0.0.1/x", "http://169.254.169.254/x",
        "nobody is led to a link-local or unspecified address: 169.254.169.254"
      ),
      (
        "GET", "http://169.254.1.1/x", "http://[fe80::1]/x",
        "nobody is led to a link-local or unspecified address: fe80:0:0:0:0:0:0:1"
      ),
      ("GET", "http://169.254.1.1/x", "http://169.254.1.1/y", nil),
    ] as [(String, String, String, String?)])
  func rule(method: String, from: String, to: String, reason: String?) {
    let request = ClientRequest(HTTPMethod(rawValue: method), url: from)
    var next = request
    next.url = to
    #expect(request.refusal(toFollow: next) == reason)
  }

  @Test(
    "no redirect is followed from a public name to what means something else on every machine",
    arguments: [
      "169.254.169.254", "0x7f.1", "[::1]", "intranet", "localhost", "a.localhost.:8080",
      "printer.local", "metadata.google.internal", "joke.default.svc", "nas.home.arpa.",
    ])
  func localNames(host: String) {
    let request = ClientRequest(url: "http://a.example/x")
    let next = ClientRequest(url: "http://\(host)/")
    #expect(
      request.refusal(toFollow: next)
        == "it leads from a public name to a local name or an IP address")
    #expect(next.refusal(toFollow: ClientRequest(url: "http://127.0.0.1/x")) == nil)
  }
}
