import Foundation
import UnderstudyCore

/// A file beside these tests.
enum Fixture {
  static func url(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/\(name)")
  }

  static func text(_ name: String) throws -> String {
    try String(contentsOf: url(name), encoding: .utf8)
  }

  /// How a text differs from the file; empty where it does not. With
  /// `UNDERSTUDY_TRANSCRIPTS=write` the file gets the text.
  static func difference(_ name: String, _ found: String) throws -> String {
    let expected = try text(name)
    if ProcessInfo.processInfo.environment["UNDERSTUDY_TRANSCRIPTS"] == "write" {
      try Data(found.utf8).write(to: url(name))
    }
    return TextDiff.unified(expected, found)
  }
}
