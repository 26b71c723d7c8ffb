import Testing
import UnderstudyJSON
import UnderstudyTestSupport

/// Any value of JSON, written with whatever layout the sequence yields.
struct RandomText {
  var random: Dice
  /// Keys stand once in an object unless duplicates are asked for.
  var hasDuplicates = false

  mutating func value(depth: Int = 4) -> String {
    switch random.below(depth > 0 ? 9 : 6) {
    case 0: return random.pick(["true", "false", "null"])
    case 1: return random.pick(["0", "-0", "1.0", "12", "-7.25", "1e3", "2E-2", "123456789012"])
    case 2, 3, 4: return string()
    case 5: return String(Int(truncatingIfNeeded: random.next()))
    case 6: return container("[", "]") { $0.value(depth: depth - 1) }
    default:
      var keys: Set<String> = []
      return container("{", "}") { text in
        var key = text.string()
        while !text.hasDuplicates, !keys.insert(key).inserted { key = text.string() }
        return key + text.space() + ":" + text.space() + text.value(depth: depth - 1)
      }
    }
  }

  mutating func string() -> String {
    let parts = ["a", "b", "key", "~", "/", "\\n", "\\\"", "\\u00e9", "é", "\\ud83d\\ude00", "語"]
    return "\"" + (0..<random.below(4)).map { _ in random.pick(parts) }.joined() + "\""
  }

  mutating func space() -> String { random.pick(["", "", " ", "\n  ", "\t", "\r\n"]) }

  private mutating func container(
    _ open: String, _ close: String, _ entry: (inout RandomText) -> String
  ) -> String {
    let entries = (0..<random.below(5)).map { _ in space() + entry(&self) + space() }
    return open + (entries.isEmpty ? space() : entries.joined(separator: ",")) + close
  }
}

func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }

/// What parsing fails with; `nil` when it does not.
func parsingError(_ bytes: [UInt8]) -> JSONError? {
  do throws(JSONError) {
    _ = try JSONDocument(parsing: bytes)
    return nil
  } catch {
    return error
  }
}

func parsingError(_ text: String) -> JSONError? { parsingError(Array(text.utf8)) }
