import Testing
import UnderstudyClient

@Suite struct HTTPHeadersTests {
  private let headers = HTTPHeaders([
    .init("Link", "<a>"), .init("Set-Cookie", "a=1"), .init("set-cookie", "b=2"),
  ])

  @Test("finds fields by name in any case")
  func lookup() {
    #expect(headers["LINK"] == "<a>")
    #expect(headers["Set-Cookie"] == "a=1")
    #expect(headers.values(of: "Set-Cookie") == ["a=1", "b=2"])
    #expect(headers["Accept"] == nil)
    #expect(headers.values(of: "Accept") == [])
  }

  @Test("setting replaces every field of the name, at the place of the first")
  func setting() {
    var headers = headers
    headers.append("ETag", "1")
    headers["SET-COOKIE"] = "c=3"
    #expect(headers == ["Link": "<a>", "Set-Cookie": "c=3", "ETag": "1"])
    headers["link"] = nil
    headers["Accept"] = "*/*"
    #expect(headers == ["Set-Cookie": "c=3", "ETag": "1", "Accept": "*/*"])
  }

  @Test("is a sequence of its fields, in their order")
  func sequence() {
    #expect(headers.map(\.value) == ["<a>", "a=1", "b=2"])
    #expect(headers.contains { $0.isNamed("set-cookie") })
  }

  @Test("equal but for the case of names is equal, and so are the hashes")
  func equality() {
    let other = HTTPHeaders(headers.fields.map { .init($0.name.uppercased(), $0.value) })
    #expect(headers == other)
    #expect(Set([headers, other]).count == 1)
    #expect(headers != ["Link": "<A>"])
  }
}

@Suite struct ClientRequestTests {
  @Test(
    "is sent once if its method is not idempotent",
    arguments: [
      (HTTPMethod.get, false), (.head, false), (.put, false), (.delete, false), (.options, false),
      ("TRACE", false), (.post, true), (.patch, true), ("get", true), ("LOCK", true),
    ])
  func goesOnce(method: HTTPMethod, expected: Bool) {
    var request = ClientRequest(method, url: "http://a")
    #expect(request.goesOnce == expected)
    request.options.goesOnce = true
    #expect(request.goesOnce)
  }
}

@Suite struct TransportErrorTests {
  @Test("says what happened, what was found, and libcurl's number")
  func description() {
    #expect(
      "\(TransportError(.timedOut(.connecting), "GET http://a/b: no response", curlCode: 28))"
        == "timed out while connecting: GET http://a/b: no response (curl 28)")
    #expect("\(TransportError(.tls(.expired)))" == "the certificate has expired")
  }
}
