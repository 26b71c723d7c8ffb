import Foundation
import Testing
import UnderstudyClient
import UnderstudyTesting

/// A fake that responds to HTTPS.
@Suite struct TLSTests {
  private static func get(_ fake: FakeAPI) async throws -> ClientResponse {
    var configuration = CurlConfiguration()
    configuration.trustFile = try fake.certificateFile
    configuration.ignoresProxies = true
    let transport = CurlTransport(configuration)
    let response = try await transport.send(
      ClientRequest(url: "\(fake.baseURL(of: "joke"))/random_joke"))
    await transport.close()
    return response
  }

  @Test("a client that trusts its certificate reaches it", .fake("joke", tls: true))
  func trusted() async throws {
    let fake = try FakeAPI.current
    #expect(try fake.baseURL().hasPrefix("https://127.0.0.1:"))
    #expect(try await Self.get(fake).status == 200)
  }

  @Test("one that does not, does not")
  func untrusted() async throws {
    let failures = Failures()
    await failures.collect {
      try await withFake("joke", tls: true) { fake in
        _ = await #expect(throws: (any Error).self) {
          try await JokeClient(baseURL: fake.baseURL()).randomJoke()
        }
      }
    }
    #expect(
      failures.texts == [
        "the test never reached its fake: no request to joke, expected one or more\nreceived nothing"
      ])
  }

  @Test("the certificate's file goes with the fake")
  func file() async throws {
    let file = try await withFake("joke", tls: true) { fake in
      _ = try await Self.get(fake)
      return try fake.certificateFile
    }
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Suite(.fake("joke", tls: true)) struct OfSuite {
    @Test("the traits of a test and of its suite share it", .fake("joke/random-joke", case: "udp"))
    func shared() async throws {
      #expect(try await TLSTests.get(FakeAPI.current).status == 200)
    }
  }

  @Test("a fake without HTTPS has no certificate, and says what to add", .fake("joke"))
  func none() async throws {
    let fake = try FakeAPI.current
    _ = try await JokeClient(baseURL: fake.baseURL()).randomJoke()
    let expected = """
      this fake does not respond to HTTPS
        fix: add tls: true to the first .fake(…) of the test, or of its suite, or to withFake(…)
      """
    let error = #expect(throws: FakeError.self) { try fake.certificateFile }
    #expect(error?.description == expected)
    let late = await #expect(throws: FakeError.self) {
      try await Failures.run(.fake("joke", tls: true)) {}
    }
    #expect(late?.description == expected)
  }
}
