import Testing
import UnderstudySchema
import UnderstudyTestSupport

/// A random pattern that can say what it matches, by backtracking and on its own.
private indirect enum Oracle {
  case letter(Character)
  case letters(String, isNegated: Bool)
  case any
  case start
  case end
  case boundary(isNegated: Bool)
  case sequence([Oracle])
  case choice([Oracle])
  case repetition(Oracle, Int, Int?, isLazy: Bool)
  case look(Oracle, isBehind: Bool, isNegated: Bool)

  static let alphabet = Array("ab-\n")

  static func random(_ depth: Int, _ generator: inout Dice) -> Oracle {
    func children(_ range: ClosedRange<Int>) -> [Oracle] {
      (0..<Int.random(in: range, using: &generator)).map { _ in random(depth - 1, &generator) }
    }
    switch Int.random(in: depth > 0 ? 0..<19 : 0..<9, using: &generator) {
    case 0...3: return .letter(["a", "a", "b", "-"][Int.random(in: 0..<4, using: &generator)])
    case 4:
      return .letters(
        ["ab", "a-", "b", ""][Int.random(in: 0..<4, using: &generator)],
        isNegated: Bool.random(using: &generator))
    case 5: return .any
    case 6: return .start
    case 7: return .end
    case 8: return .boundary(isNegated: Bool.random(using: &generator))
    case 9...11: return .sequence(children(0...4))
    case 12...13: return .choice(children(1...3))
    case 14...16:
      return .look(
        random(depth - 1, &generator), isBehind: Bool.random(using: &generator),
        isNegated: Bool.random(using: &generator))
    default:
      let min = Int.random(in: 0...2, using: &generator)
      let max = min + Int.random(in: 0...2, using: &generator)
      let body = random(depth - 1, &generator)
      return .repetition(
        body, min, Bool.random(using: &generator) ? max : nil,
        isLazy: Bool.random(using: &generator))
    }
  }

  var source: String {
    switch self {
    case .letter(let letter): String(letter)
    case .letters(let letters, let isNegated): "[\(isNegated ? "^" : "")\(letters)]"
    case .any: "."
    case .start: "^"
    case .end: "$"
    case .boundary(let isNegated): isNegated ? "\\B" : "\\b"
    case .sequence(let parts): parts.map(\.source).joined()
    case .choice(let branches): "(?:" + branches.map(\.source).joined(separator: "|") + ")"
    case .repetition(let body, let min, let max, let isLazy):
      "(\(body.source)){\(min),\(max.map(String.init) ?? "")}\(isLazy ? "?" : "")"
    case .look(let body, let isBehind, let isNegated):
      "(?\(isBehind ? "<" : "")\(isNegated ? "!" : "=")\(body.source))"
    }
  }

  /// Whether this matches from `place` on so that the rest is content with where it ends.
  func matches(_ text: [Character], _ place: Int, _ rest: (Int) -> Bool) -> Bool {
    func take(_ isWanted: (Character) -> Bool) -> Bool {
      place < text.count && isWanted(text[place]) && rest(place + 1)
    }
    func isWord(_ place: Int) -> Bool {
      text.indices.contains(place) && text[place].isLetter
    }
    switch self {
    case .letter(let letter): return take { $0 == letter }
    case .letters(let letters, let isNegated): return take { letters.contains($0) != isNegated }
    case .any: return take { $0 != "\n" }
    case .start: return place == 0 && rest(place)
    case .end: return place == text.count && rest(place)
    case .boundary(let isNegated):
      return (isWord(place - 1) != isWord(place)) != isNegated && rest(place)
    case .sequence(let parts):
      guard let first = parts.first else { return rest(place) }
      return first.matches(text, place) {
        Oracle.sequence(Array(parts.dropFirst())).matches(text, $0, rest)
      }
    case .choice(let branches): return branches.contains { $0.matches(text, place, rest) }
    case .repetition(let body, let min, let max, let isLazy):
      if min > 0 {
        let fewer = Oracle.repetition(body, min - 1, max.map { $0 - 1 }, isLazy: isLazy)
        return body.matches(text, place) { fewer.matches(text, $0, rest) }
      }
      if max == 0 { return rest(place) }
      let fewer = Oracle.repetition(body, 0, max.map { $0 - 1 }, isLazy: isLazy)
      // An optional round that takes nothing is no round, says ECMA-262.
      return rest(place)
        || body.matches(text, place) { $0 != place && fewer.matches(text, $0, rest) }
    case .look(let body, let isBehind, let isNegated):
      let holds =
        isBehind
        ? (0...place).contains { body.matches(text, $0) { $0 == place } }
        : body.matches(text, place) { _ in true }
      return holds != isNegated && rest(place)
    }
  }

  func isFound(in text: [Character]) -> Bool {
    (0...text.count).contains { matches(text, $0) { _ in true } }
  }
}

@Suite struct DifferentialTests {
  @Test("agrees with a backtracking matcher on random patterns and texts", arguments: 0..<40)
  func random(seed: UInt64) throws {
    var generator = Dice(seed: seed)
    for _ in 0..<25 {
      let oracle = Oracle.random(3, &generator)
      let pattern = try Pattern(oracle.source)
      let engines = try BothEngines(oracle.source)
      for length in 0..<8 {
        let text = (0..<length).compactMap { _ in Oracle.alphabet.randomElement(using: &generator) }
        let comment: Comment = "\(oracle.source) on \(String(text).debugDescription)"
        let expected = oracle.isFound(in: text)
        #expect(pattern.matches(String(text)) == expected, comment)
        #expect(engines.matches(Array(String(text).utf8), comment) == expected, comment)
      }
    }
  }
}
