import UnderstudyJSON
import UnderstudyTestSupport

/// Bodies of all shapes: with members that come and go, maps, mixed types, texts of every format.
struct SampleGenerator {
  var dice: Dice

  mutating func value(depth: Int = 0) throws -> JSONValue {
    try JSONDocument(parsing: text(depth: depth)).root
  }

  private mutating func text(depth: Int) -> String {
    switch Int.random(in: depth > 3 ? 0..<6 : 0..<12, using: &dice) {
    case 0: "null"
    case 1: dice.pick(["true", "false"])
    case 2: dice.pick(["0", "-7", "12345678901234567890123", "2e3", "1.0", "-0.25"])
    case 3, 4: "\"\(string())\""
    case 5: dice.pick(["[]", "{}"])
    case 6, 7: array(depth: depth)
    case 8: map(depth: depth)
    default: object(depth: depth)
    }
  }

  private mutating func string() -> String {
    dice.pick([
      "", "open", "closed", "2024-01-31", "2024-01-31T12:00:00Z", "https://example.com/a?b=c",
      "a@example.com", "b@example.com", "c@example.com", "note: yes", "e\u{301}", "\u{e9}",
      "123e4567-e89b-12d3-a456-426614174000", "\\n\\\"", "https://example.com/{id}",
    ])
  }

  private mutating func array(depth: Int) -> String {
    let count = Int.random(in: 0..<5, using: &dice)
    return "[\((0..<count).map { _ in text(depth: depth + 1) }.joined(separator: ", "))]"
  }

  private mutating func object(depth: Int) -> String {
    let keys = ["id", "name", "url", "at", "tags", "owner", "", "e\u{301}", "\u{e9}", "id"]
      .filter { _ in Bool.random(using: &dice) }
    return "{\(keys.map { "\"\($0)\": \(text(depth: depth + 1))" }.joined(separator: ", "))}"
  }

  private mutating func map(depth: Int) -> String {
    let count = Int.random(in: 0..<14, using: &dice)
    let kind = Int.random(in: 0..<3, using: &dice)
    let members = (0..<count).map { _ in
      let key = Int.random(in: 0..<40, using: &dice)
      let name = dice.pick(["\(key)", "key-\(key)"])
      return "\"\(name)\": \([array(depth: depth + 2), "\(key)", "\"\(string())\""][kind])"
    }
    return "{\(members.joined(separator: ", "))}"
  }
}
