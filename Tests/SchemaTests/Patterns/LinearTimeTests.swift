import Testing

@testable import UnderstudySchema

@Suite struct LinearTimeTests {
  static let hostile: [(pattern: String, unit: String, end: String)] = [
    ("^(a+)+$", "a", "!"), ("(a|a)*b", "a", ""), ("(x+x+)+y", "x", ""), ("(.*)*=.*", "a", ""),
    ("^(a|aa)+$", "a", "!"), ("^(([a-z])+.)+[A-Z]([a-z])+$", "a", ""), ("(a*)*$", "a", "!"),
    ("^(\\w+\\s?)*$", "ab ", "!"), ("(.*a){12}", "b", ""), ("(a?){30}a{30}c", "a", ""),
    ("(a|b)*a(a|b){20}c", "ab", ""), ("(\\b|a)*\\Bc", "a", ""), (".*.*.*=.*", "é", ""),
    ("[a-z]{1,60}@[a-z]{1,60}", "a", ""), ("^((a*)*)*b", "a", ""),
    ("^(?!(a+)+$).*b", "a", "!"), ("((?!x)[^&])+!", "a", ""), ("(?:(?=(a|a)*b)a)*c", "a", ""),
    ("(?<=^(a|aa)*)c", "a", ""), ("(?<!(b+)+)(?=.*(?<=a+(?!.*c)))c", "ab", ""),
  ]

  @Test("takes no step twice for one scalar, whatever the pattern", arguments: hostile)
  func bound(pattern: String, unit: String, end: String) throws {
    let program = try Program(try Parser.parse(pattern))
    for units in [100, 1000, 10_000] {
      let text = String(repeating: unit, count: units) + end
      var simulation = Simulation(program)
      #expect(simulation.matches(Array(text.utf8).span) == false || pattern == "(a*)*$")
      // One more is for finding where each scalar begins.
      let factor = program.stepCount + (program.looks.isEmpty ? 0 : 1)
      #expect(simulation.visits <= factor * (text.unicodeScalars.count + 1))
    }
  }

  @Test("does the same work for each further scalar", arguments: hostile)
  func increments(pattern: String, unit: String, end: String) throws {
    let program = try Program(try Parser.parse(pattern))
    let visits = [2000, 4000, 6000].map { units in
      var simulation = Simulation(program)
      _ = simulation.matches(Array((String(repeating: unit, count: units) + end).utf8).span)
      return simulation.visits
    }
    #expect(visits[2] - visits[1] == visits[1] - visits[0])
  }

  @Test("stops a match that takes more steps than are left", arguments: hostile)
  func budget(pattern: String, unit: String, end: String) throws {
    let pattern = try Pattern(pattern)
    let text = String(repeating: unit, count: 1000) + end
    var stepsLeft = 1_000_000
    let response = pattern.matches(utf8: Array(text.utf8).span, stepsLeft: &stepsLeft)
    #expect(response == pattern.matches(text))
    let needed = 1_000_000 - stepsLeft
    stepsLeft = needed
    #expect(pattern.matches(utf8: Array(text.utf8).span, stepsLeft: &stepsLeft) == response)
    #expect(stepsLeft == 0)
    stepsLeft = needed - 1
    #expect(pattern.matches(utf8: Array(text.utf8).span, stepsLeft: &stepsLeft) == nil)
    #expect(stepsLeft < 0)
  }

  @Test("gives up a table of states before it costs much", arguments: hostile)
  func tables(pattern: String, unit: String, end: String) throws {
    let program = try Program(try Parser.parse(pattern))
    guard let alphabet = Alphabet(program) else { return }
    var builder = StateTable.Builder(program, alphabet)
    _ = builder.build()
    #expect(builder.visits <= StateTable.visitsMax + program.steps.count)
    #expect(builder.entries.count <= StateTable.entriesMax + Int(UInt8.max))
  }

  @Test(
    "keeps a table where there are few states, and only there",
    arguments: [
      ("^(a+)+$", true), ("^\\d{4}-\\d\\d-\\d\\dT.*$", true), ("^.{1,5000}$", true),
      ("(a|b)*a(a|b){20}c", false), ("[a-z]{1,255}@[a-z]{1,255}", false),
    ])
  func kept(pattern: String, hasTable: Bool) throws {
    #expect(try (BothEngines(pattern).table != nil) == hasTable)
  }

  @Test("simulates a pattern with more different sets than a table can distinguish")
  func manySets() throws {
    let letters = (0..<300).compactMap { Unicode.Scalar(0x4E00 + $0).map(Character.init) }
    let source = "^(" + letters.map(String.init).joined(separator: "|") + ")+$"
    #expect(try BothEngines(source).table == nil)
    #expect(try Pattern(source).matches(String(letters)))
    #expect(try !Pattern(source).matches(String(letters) + "a"))
  }

  @Test("matches n optional letters and n letters against n letters", arguments: [1, 30, 300])
  func optional(count: Int) throws {
    let pattern = try Pattern(
      "^" + String(repeating: "a?", count: count) + String(repeating: "a", count: count) + "$")
    for (length, expected) in [(count - 1, false), (count, true), (2 * count + 1, false)] {
      #expect(pattern.matches(String(repeating: "a", count: length)) == expected)
    }
  }
}
