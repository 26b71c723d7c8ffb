import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyClient

@Suite(.timeLimit(.minutes(5))) struct ProxyTests {
  // In a process of its own, for the environment belongs to all tests.
  @Test("asks the proxy that the environment names, unless told not to")
  func environment() async {
    await #expect(processExitsWith: .success) {
      let proxy = try BytesPeer(headers: [], body: Array("by proxy".utf8))
      setenv("http_proxy", proxy.url, 1)
      for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
      // Longer than a label may be, so that no name server is asked.
      let request = ClientRequest(url: "http://\(String(repeating: "a", count: 64)).invalid/")
      let response = try await CurlTransport().send(request)
      #expect(response.text == "by proxy")
      let error = await failure { () async throws(TransportError) in
        try await CurlTransport.direct.send(request)
      }
      #expect(error?.kind == .cannotResolve)
      let chosen = try BytesPeer(headers: [], body: Array("by another".utf8))
      setenv("no_proxy", "*", 1)
      var configuration = CurlConfiguration()
      configuration.ignoresProxies = true
      configuration.proxy = chosen.url
      #expect(try await CurlTransport(configuration).send(request).text == "by another")
    }
  }
}
