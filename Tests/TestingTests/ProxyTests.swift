import Foundation
import Testing
import UnderstudyClient
import UnderstudyTestSupport
import UnderstudyTesting

/// A fake that is the proxy of clients of live APIs.
@Suite struct ProxyTests {
  private static let url = "https://official-joke-api.appspot.com/random_joke"

  private static func get(_ url: String = url, by fake: FakeAPI) async throws -> Int {
    var configuration = CurlConfiguration()
    configuration.proxy = try fake.proxyURL
    configuration.trustFile = try fake.certificateFile
    let transport = CurlTransport(configuration)
    let response = try? await transport.send(ClientRequest(url: url))
    await transport.close()
    return try #require(response).status
  }

  @Test("clients keep the URL of the live API", .fake("joke", case: "not-found", proxy: true))
  func live() async throws {
    let fake = try FakeAPI.current
    #expect(try fake.baseURL().hasPrefix("http://127.0.0.1:"))
    #expect(try await Self.get(by: fake) == 404)
    let requests = await fake.expectRequests(to: "joke/random-joke")
    #expect(requests.first?.path == "/joke/random_joke")
  }

  @Test("beside HTTPS of its own", .fake("joke", tls: true, proxy: true))
  func both() async throws {
    let fake = try FakeAPI.current
    #expect(try fake.baseURL().hasPrefix("https://127.0.0.1:"))
    #expect(try await Self.get(by: fake) == 200)
    #expect(try await Self.get(fake.baseURL() + "/random_joke", by: fake) == 200)
  }

  @Test("programs of a test get it by their environment", .fake("joke", proxy: true))
  func programs() async throws {
    let variables = try FakeAPI.current.proxyEnvironment
    let printed = try await offPool {
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", Self.url]
      process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
      process.standardOutput = output
      try process.run()
      return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    #expect(printed == "200")
  }

  @Test("its files go with it")
  func files() async throws {
    let files = try await withFake("joke", proxy: true) { fake in
      #expect(try await Self.get(by: fake) == 200)
      return [try fake.certificateFile, try fake.proxyEnvironment["SSL_CERT_FILE"] ?? ""]
    }
    for file in files { #expect(!FileManager.default.fileExists(atPath: file)) }
  }

  @Test("a fake that is none says what to add", .fake("joke"))
  func none() async throws {
    let fake = try FakeAPI.current
    _ = try await JokeClient(baseURL: fake.baseURL()).randomJoke()
    let expected = """
      this fake is no proxy
        fix: add proxy: true to the first .fake(…) of the test, or of its suite, or to withFake(…)
      """
    let error = #expect(throws: FakeError.self) { try fake.proxyURL }
    #expect(error?.description == expected)
    #expect(throws: FakeError.self) { try fake.proxyEnvironment }
    let late = await #expect(throws: FakeError.self) {
      try await Failures.run(.fake("joke", proxy: true)) {}
    }
    #expect(late?.description == expected)
  }
}
