import Testing
import UnderstudyClient
import UnderstudyTesting

@Suite struct ProxyTests {
  @Test("a client of the live API meets the fake", .fake("jokes", proxy: true))
  func live() async throws {
    let fake = try FakeAPI.current
    var configuration = CurlConfiguration()
    configuration.proxy = try fake.proxyURL
    configuration.trustFile = try fake.certificateFile
    let transport = CurlTransport(configuration)
    let url = "https://official-joke-api.appspot.com/random_joke"
    #expect(try await transport.send(ClientRequest(url: url)).status == 200)
    await transport.close()
  }
}
