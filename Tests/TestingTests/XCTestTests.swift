import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyTesting
import XCTest

/// Run by XCTest, in a process that the test below starts.
final class JokeXCTests: XCTestCase {
  func testCutShort() async throws {
    try await withFake("joke", case: "not-found") { fake in
      let client = JokeClient(baseURL: try fake.baseURL())
      await XCTAssertThrowsError(try await client.randomJoke()) { error in
        XCTAssertEqual(error as? UnexpectedStatus, UnexpectedStatus(code: 404))
      }
    }
  }

  func testFailures() async throws {
    try XCTSkipIf(
      ProcessInfo.processInfo.environment["UNDERSTUDY_FAILURES"] == nil, "fails on purpose")
    try await withFake("joke") { fake in
      let client = JokeClient(baseURL: try fake.baseURL())
      await XCTAssertThrowsError(try await client.randomJoke(), "for fun")
      await fake.expectRequests(2, to: "joke/random-joke")
    }
    try await withFake("joke") { _ in }
  }
}

@Suite struct XCTestTests {
  @Test("XCTest gets failures at their lines")
  func failures() async throws {
    let output = try await Self.run("TestingTests.JokeXCTests")
    let lines = output.split(separator: "\n").map(String.init)
    let failures = lines.filter { $0.contains(" error: ") || $0.hasPrefix("received") }
      .map { $0.replacing(/^.*\/Tests\//, with: "") }
    let place = "TestingTests/XCTestTests.swift"
    let name = "JokeXCTests.testFailures : failed -"
    #expect(
      failures == [
        "\(place):23: error: \(name) no error, expected one: for fun",
        "\(place):24: error: \(name) found 1 request to joke/random-joke, expected 2",
        "received:",
        "\(place):26: error: \(name) the test never reached its fake: no request to joke,"
          + " expected one or more",
        "received nothing",
      ])
    #expect(output.contains("Executed 2 tests, with 3 failures (0 unexpected)"), "\(output)")
  }

  private static func run(_ name: String) async throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [name]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["UNDERSTUDY_FAILURES": "1"]) { $1 }
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        let bytes = output.fileHandleForReading.readOn()
        process.waitUntilExit()
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
