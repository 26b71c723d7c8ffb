import Foundation
import Testing
import UnderstudyCore
import UnderstudyTestSupport

@testable import UnderstudySecrets

/// What is hidden at the limits of each rule, and what is shown: the files of
/// `Fixtures/Transcripts`.
@Suite struct MaskTranscriptTests {
  private static let mask = SecretMask(secrets: ["sent-secret-1", "12345678"], seen: ["seen7"])

  private static let alphabets: [Character: String] = [
    "a": "q8ZrT3bK9wXy2LmN5vHd7sGf4jPc1aQe6uTi", "w": "q8Zr-T3bK_9wXy2LmN5vHd7sGf4jPc1aQe6u",
    "u": "Q8ZRT3BK9WXY2LMN5VHD7SGF4JPC1AQE6UTI", "l": "q8zrt3bk9wxy2lmn5vhd7sgf4jpc1aqe6uti",
    "d": "824715093682471509368247150936824715",
  ]

  /// With a text for each `$a36`, since texts that look like credentials are not written into
  /// files.
  private static func expect(
    _ name: String, near: (String) -> [String] = { _ in [] },
    _ outcome: (String) throws -> [String]
  ) throws {
    let transcript = try Transcript(name, near: near) { line in
      var text = ""
      var written: [(text: String, sign: String)] = []
      var rest = line[...]
      while let sign = rest.firstIndex(of: "$") {
        text += rest[..<sign]
        let kind = rest[sign...].dropFirst().first ?? "$"
        let digits = rest[sign...].dropFirst(2).prefix { $0.isNumber }
        guard let alphabet = Self.alphabets[kind], let count = Int(digits) else {
          text += "$"
          rest = rest[sign...].dropFirst()
          continue
        }
        let part = String((alphabet + alphabet).prefix(count))
        written.append((part, "$\(kind)\(count)"))
        text += part
        rest = rest[digits.endIndex...]
      }
      text += rest
      for (escape, plain) in [("\\n", "\n"), ("\\r", "\r"), ("\\\\", "\\")] {
        text = text.replacing(escape, with: plain)
      }
      return try outcome(text).map { found in
        let shown = written.sorted { $0.text.count > $1.text.count }.reduce(found) {
          $0.replacing($1.text, with: $1.sign)
        }
        return shown.unicodeScalars.map { scalar in
          switch scalar {
          case "\\": "\\\\"
          case "\n": "\\n"
          case "\r": "\\r"
          default: String(scalar)
          }
        }.joined()
      }
    }
    #expect(TextDiff.unified(transcript.expected, transcript.found) == "")
  }

  @Test("texts, each of which may also end anywhere")
  func texts() throws {
    try Self.expect("texts", near: NearInputs.few(8, NearInputs.ofText)) { text in
      [
        SecretMask.standard.masked(text)
          + (SecretMask.looksSecret(Array(text.utf8)) ? " (looks secret)" : "")
      ]
    }
  }

  @Test("names")
  func names() throws {
    try Self.expect("names", near: NearInputs.ofText) { name in
      let bytes = Array(name.utf8)[...]
      let rules = [SecretNames.Location.field, .parameter].map { place in
        SecretNames.standard.rule(of: bytes, in: place).map { "\($0)" } ?? "nothing"
      }
      return [rules.joined(separator: ", ") + (SecretNames.standard.hides(name) ? ", always" : "")]
    }
  }

  @Test("variables")
  func variables() throws {
    try Self.expect("variables", near: NearInputs.ofText) { line in
      let pair = line.split(separator: "=", maxSplits: 1)
      let isHidden =
        pair.count == 2
        ? SecretVariables.hides(String(pair[0]), String(pair[1]))
        : SecretVariables.hides(line)
      return [isHidden ? "hidden" : "shown"]
    }
  }

  @Test("bodies")
  func bodies() throws {
    try Self.expect("bodies", near: NearInputs.ofText) { line in
      guard let bar = line.range(of: " | ") else { return ["no body"] }
      let (type, body) = (line[..<bar.lowerBound], Array(line[bar.upperBound...].utf8))
      let shown = Self.mask.masked(body, of: String(type))
      return [String(decoding: shown, as: UTF8.self) + (Self.mask.isIn(body) ? " (in it)" : "")]
    }
  }

  @Test("texts that repeat a secret, in any spelling")
  func sent() throws {
    let mask = SecretMask(
      secrets: ["hush<4/2>\"+é", "abcdef", "wxyz", "a+/b=\\ c"], seen: ["word", "long-word"])
    try Self.expect("sent", near: NearInputs.ofText) { [mask.withoutSent($0)] }
  }

  @Test("headers")
  func headers() throws {
    try Self.expect("headers", near: NearInputs.ofText) { line in
      guard let colon = line.range(of: ": ") else { return ["no value"] }
      let (name, value) = (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
      return SecretMask.parts(of: value, inHeader: name) + [
        "shown: \(Self.mask.masked(value, of: name))"
      ]
    }
  }

  @Test("targets")
  func targets() throws {
    try Self.expect("targets", near: NearInputs.ofText) { [Self.mask.masked(target: $0)] }
  }
}
