import Foundation
import Testing

@testable import CommandLineTool

/// Contracts that change under a running server.
@Suite struct ServeReloadTests {
  private static let file = "Contracts/dog-ceo/random-images.json"
  private static let request = "GET /dog-ceo/api/breed/hound/images/random"

  @Test("a sound change is live and told, a broken one is told and changes nothing")
  func reload() throws {
    let samples = try SampleContracts()
    let sound = try samples.read(Self.file)
    let server = try RunningServer([], in: samples.folder)
    _ = server.lines { $0.isEmpty }

    try samples.write(Self.file, sound.replacing("ceo/1.jpg", with: "ceo/2.jpg"))
    #expect(server.line() == "reloaded: changed dog-ceo/random-images")
    #expect(
      try server.answer(Self.request).hasSuffix(#"{"message":"https://images.dog.ceo/2.jpg"}"#))
    #expect(server.line()?.hasSuffix("dog-ceo/random-images#ok") == true)

    try samples.write(Self.file, "{")
    #expect(
      server.lines { $0.hasPrefix("not reloaded") } == [
        "\(Self.file):1:2: error: found the end of the text, expected a key or \"}\" for the object"
          + " opened at 1:1 [invalid-json]",
        "  fix: add \"}\"",
        "not reloaded: found 1 error in 3 files, so those before are still played",
      ])
    #expect(
      try server.answer(Self.request).hasSuffix(#"{"message":"https://images.dog.ceo/2.jpg"}"#))
    server.terminate()
    #expect(server.end().code == 0)
  }
}
