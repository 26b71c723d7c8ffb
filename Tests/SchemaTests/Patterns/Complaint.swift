import Testing
import UnderstudySchema

/// A pattern that is not accepted, with the whole of what is said about it.
struct Complaint: Sendable, CustomTestStringConvertible {
  let source: String
  let text: String

  init(_ source: String, at offset: Int, _ message: String, fix: String? = nil) {
    self.source = source
    text = "at offset \(offset): \(message)" + (fix.map { "\n  fix: \($0)" } ?? "")
  }

  var testDescription: String { String(source.prefix(40)) }

  func check() {
    #expect(Self.text(about: source) == text)
  }

  static func text(about source: String) -> String? {
    do throws(PatternError) {
      _ = try Pattern(source)
      return nil
    } catch {
      return error.description
    }
  }
}
