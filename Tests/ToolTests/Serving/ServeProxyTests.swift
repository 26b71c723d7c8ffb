import Foundation
import Testing
import UnderstudyTestSupport

@testable import UnderstudyTool

/// What `understudy serve --proxy` tells helpers.
@Suite(.enabled(if: ProcessRun.find("curl") != nil, "curl is not installed"))
struct ServeProxyTests {
  private struct Listening: Decodable {
    let proxy: String
    let certificate: String
    let environment: [String: String]
  }

  private static func environment(_ session: String, of listening: Listening) -> [String: String] {
    let proxy = listening.proxy.replacing("//", with: "//\(session):-@")
    return listening.environment.mapValues { $0 == listening.proxy ? proxy : $0 }
  }

  private static func ask(_ session: String, _ listening: Listening) async throws -> String {
    let environment = environment(session, of: listening)
    return try await offPool {
      try ProcessRun(
        "/usr/bin/env",
        [
          "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}",
          "https://dog.ceo/api/breed/hound/images/random",
        ], environment: environment
      ).output
    }
  }

  @Test(
    "prints the variables by which programs use it, each in its session",
    arguments: [["--temporary-authority"], []])
  func variables(options: [String]) async throws {
    let (samples, state) = (try SampleContracts(), try StateStage())
    let server = try RunningServer(
      ["--proxy"] + options, in: samples.folder, format: "json", environment: state.environment)
    let line = server.firstLine.replacing("PORT", with: "\(server.port)")
    let listening = try JSONDecoder().decode(Listening.self, from: Data(line.utf8))
    #expect(FileManager.default.fileExists(atPath: state.certificateFile) == options.isEmpty)
    #expect(listening.proxy == "http://127.0.0.1:\(server.port)")
    let response = try server.send(
      "PUT /~a/__understudy/contracts/dog-ceo/random-images/case",
      "Content-Type: application/json", host: "127.0.0.1:\(server.port)",
      body: #"{"case": "not-found"}"#)
    #expect(response.hasPrefix("HTTP/1.1 200 "), "\(response)")
    #expect(try await Self.ask("a", listening) == "404")
    #expect(try await Self.ask("b", listening) == "200")
    server.interrupt()
    #expect(server.end().code == 0)
    let files = listening.environment.values.filter { $0.hasSuffix(".pem") }
    #expect(files.count == 6)
    for file in files { #expect(!FileManager.default.fileExists(atPath: file)) }
  }
}
