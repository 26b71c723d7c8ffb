import Testing
import UnderstudyClient
import UnderstudyTesting

@Suite struct SecureTests {
  @Test("the client trusts the fake's certificate", .fake("jokes", tls: true))
  func secure() async throws {
    let fake = try FakeAPI.current
    var configuration = CurlConfiguration()
    configuration.trustFile = try fake.certificateFile
    let transport = CurlTransport(configuration)
    let url = try fake.baseURL() + "/random_joke"
    #expect(try await transport.send(ClientRequest(url: url)).status == 200)
    await transport.close()
  }
}
