import Testing
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySchema
import UnderstudyTestSupport

@Suite struct InferredSchemaTests {
  private func json(_ samples: String...) throws -> String {
    try json(samples)
  }

  private func json(_ samples: [String]) throws -> String {
    InferredSchema(samples: try samples.map { try JSONDocument(parsing: $0).root }).text.laidOut()
  }

  @Test("samples of one object show what may be missing and what may be null")
  func members() throws {
    let text = try json(
      #"{"id": 1, "name": "a", "note": null, "price": 1}"#,
      #"{"id": 2, "name": null, "price": 1.5, "tags": ["x"]}"#)
    #expect(
      text == """
        {
          "type": "object",
          "required": ["id", "name", "price"],
          "properties": {
            "id": { "type": "integer" },
            "name": { "type": ["string", "null"] },
            "note": {},
            "price": { "type": "number" },
            "tags": { "type": "array", "items": { "type": "string" } }
          }
        }
        """)
  }

  @Test("the elements of all arrays are samples of one shape")
  func elements() throws {
    let text = try json(#"[{"id": 1, "a": true}, {"id": "x"}]"#, "[]")
    #expect(
      text == """
        {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["id"],
            "properties": { "id": { "type": ["string", "integer"] }, "a": { "type": "boolean" } }
          }
        }
        """)
  }

  @Test(
    "nothing is said of what was never seen",
    arguments: [
      ("[]", #"{ "type": "array" }"#), ("[null]", #"{ "type": "array" }"#),
      ("{}", #"{ "type": "object" }"#), ("null", "{}"),
    ])
  func unseen(sample: String, expected: String) throws {
    let text = try json(sample)
    #expect(try compact(text) == compact(expected))
  }

  @Test(
    "the values of a map are described as the elements of a list are",
    arguments: [
      ["1", "2.5", "3"], ["1", "2", "3e0"], ["true", "null", "false"], ["[1]", "[2.5]", "[]"],
      [#""a""#, #""b""#, #""c""#], [#""2024-01-31""#, #""2024-02-01""#, #""2024-03-01""#],
      [#""a@x.example""#, #""b@x.example""#, #""c@x.example""#],
      [#"{"a":1}"#, #"{"a":2.5}"#, #"{"a":null}"#],
      [#"{"a":[1],"b":2}"#, #"{"a":["x"],"b":2}"#, #"{"b":2,"a":[]}"#],
      [#"{"a":{"x":1,"y":2}}"#, #"{"a":{"x":1}}"#, #"{"a":{"x":1,"y":null}}"#],
      [#"{"a":"2024-01-31"}"#, #"{"a":"2024-01-31"}"#, #"{"a":"tomorrow"}"#],
    ])
  func maps(values: [String]) throws {
    let members = values.enumerated().map { "\"\($0 + 1)\":\($1)" }.joined(separator: ",")
    let map = try JSONDocument(parsing: try json("{\(members)}")).root
    let list = try JSONDocument(parsing: try json("[\(values.joined(separator: ","))]")).root
    let entries = try #require(map["additionalProperties"])
    #expect(
      String(decoding: entries.compact, as: UTF8.self)
        == list["items"].map { String(decoding: $0.compact, as: UTF8.self) })
  }

  @Test("without samples everything is allowed")
  func noSamples() {
    #expect(InferredSchema(samples: []).text.laidOut() == "{}")
  }

  @Test(
    "a format is what all strings have",
    arguments: [
      (["2024-01-31T12:00:00Z"], "date-time"), (["2024-01-31"], "date"),
      (["https://example.com/a"], "uri"),
      (["123e4567-e89b-12d3-a456-426614174000"], "uuid"),
      (["a@example.com", "b@example.com", "c@example.com"], "email"),
      (["a@example.com", "b@example.com"], nil), (["note:yes"], nil),
      (["2024-01-31", "2024-01-31T12:00:00Z"], nil), (["2024-01-31", ""], nil),
      (["https://example.com/{id}"], nil),
    ] as [([String], String?)])
  func formats(texts: [String], expected: String?) throws {
    let schema = try JSONDocument(parsing: try json(texts.map { "\"\($0)\"" })).root
    #expect(schema["format"]?.string == expected)
  }

  @Test("repetitions within samples, a constant word, and secrets are not enumerations")
  func noEnumerations() throws {
    func property(_ name: String, _ samples: [String]) throws -> JSONValue? {
      try JSONDocument(parsing: try json(samples)).root["properties"]?[name]?["items"]
    }
    func list(_ name: String, _ words: [String]) -> String {
      let elements = (0..<30).map { "\"\(words[$0 % words.count])\"" }.joined(separator: ",")
      return "{\"\(name)\": [\(elements)]}"
    }
    let many = try property("a", (0..<20).map { _ in list("a", ["x", "y"]) })
    #expect(many?["enum"]?.count == 2)
    for count in [1, 2, 19] {
      let few = try property("a", (0..<count).map { _ in list("a", ["x", "y"]) })
      #expect(few?["type"]?.string == "string")
      #expect(few?["enum"] == nil)
    }
    for (name, words) in [("a", ["x"]), ("a", ["x", "a [redacted]"]), ("tokens", ["x", "y"])] {
      let found = try property(name, (0..<20).map { _ in list(name, words) })
      #expect(found?["type"]?.string == "string")
      #expect(found?["enum"] == nil)
    }
  }

  @Test("few different words in many samples are an enumeration, if several have each")
  func enumerations() throws {
    let words = (0..<20).map { #"{"state": "\#(["open", "closed"][$0 % 2])"}"# }
    let many = try JSONDocument(parsing: try json(words)).root["properties"]?["state"]
    #expect(many?["enum"]?.elements.map { $0.string } == ["closed", "open"])
    let nullable = try JSONDocument(parsing: try json(words + [#"{"state": null}"#]))
    #expect(nullable.root["properties"]?["state"]?["enum"]?.count == 3)
    let few = try JSONDocument(parsing: try json(Array(words.dropLast()))).root
    #expect(few["properties"]?["state"]?["enum"] == nil)
    for (rareCount, isListed) in [(1, false), (2, false), (3, true)] {
      let rare = (0..<rareCount).map { _ in #"{"state": "draft"}"# }
      let found = try JSONDocument(parsing: try json(words + rare)).root["properties"]?["state"]
      #expect((found?["enum"] != nil) == isListed)
    }
  }

  /// Lists of words, of which some are rare, and some responses have only a few.
  @Test("the next response breaks no more than one in a hundred enumerations")
  func nextResponse() throws {
    var random = Dice(seed: 34)
    var (listedCount, brokenCount) = (0, 0)
    for _ in 0..<600 {
      let skew = Int.random(in: 0...3, using: &random)
      let weights = (1...Int.random(in: 2...8, using: &random)).map { rank in
        1_000 / (0..<skew).reduce(1) { weight, _ in weight * rank }
      }
      let length = [1, 3, 30].randomElement(using: &random) ?? 1
      let responses = (0...[2, 10, 25, 50].randomElement(using: &random)!).map { _ in
        let words = (0..<length).map { _ in
          var rest = Int.random(in: 0..<weights.reduce(0, +), using: &random)
          let word = weights.firstIndex { weight in
            rest -= weight
            return rest < 0
          }
          return "\"w\(word ?? 0)\""
        }
        return "[\(words.joined(separator: ","))]"
      }
      let schema = try JSONDocument(parsing: try json(Array(responses.dropLast()))).root
      guard let listed = schema["items"]?["enum"]?.elements.compactMap(\.string) else { continue }
      listedCount += 1
      let next = try JSONDocument(parsing: responses[responses.count - 1]).root.elements
      if next.contains(where: { !listed.contains($0.string ?? "") }) { brokenCount += 1 }
    }
    #expect(listedCount > 100)
    #expect(brokenCount * 100 <= listedCount, "\(brokenCount) of \(listedCount)")
  }

  @Test(
    "an object whose keys are data is a map",
    arguments: [
      [#"{"2024-01-01": 1.5, "2024-01-02": 2, "2024-01-03": 3}"#],
      [#"{"a": 1, "b": 2, "c": 3, "d": 4}"#, #"{"e": 5, "f": 6, "g": 7, "h": 8}"#],
      ["{\((0..<10).map { "\"breed\($0)\": []" }.joined(separator: ", "))}"],
      ["{\((0..<10).map { "\"user\($0)\": {\"id\": \($0)}" }.joined(separator: ", "))}"],
    ])
  func maps(samples: [String]) throws {
    let schema = try JSONDocument(parsing: try json(samples)).root
    #expect(schema["properties"] == nil)
    #expect(schema["required"] == nil)
  }

  @Test(
    "an object whose keys are names is not a map",
    arguments: [
      // As the first page of GitHub's API: many members, all of them links.
      [
        "{\((0..<40).map { "\"name\($0)_url\": \"https://example.com\"" }.joined(separator: ", "))}"
      ],
      [#"{"a": 1, "b": 2, "c": 3}"#, #"{"a": 1, "b": 2}"#],
      [#"{"1": 1, "2": "2", "3": 3}"#],
    ])
  func records(samples: [String]) throws {
    let schema = try JSONDocument(parsing: try json(samples)).root
    #expect(schema["properties"] != nil)
  }

  @Test("what is too large or too deep is described as far as it goes")
  func limits() throws {
    let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    #expect(try json(deep).utf8.count < 10_000)
    let wide =
      "[\((0..<3_000).map { "{\"a\($0)\": [{\"b\": 1}], \"c\($0)\": 1}" }.joined(separator: ","))]"
    #expect(try json(wide).utf8.count < 200)
  }

  // MARK: - Properties

  private func samples(seed: UInt64) throws -> [JSONValue] {
    var generator = SampleGenerator(dice: Dice(seed: seed))
    let count = Int.random(in: 1..<30, using: &generator.dice)
    return try (0..<count).map { _ in try generator.value() }
  }

  @Test("every sample matches it", arguments: 0..<40)
  func soundness(seed: Int) throws {
    let samples = try samples(seed: UInt64(seed))
    let inferred = try JSONDocument(parsing: InferredSchema(samples: samples).text.laidOut())
    let schema = try Schema(compiling: inferred.root)
    #expect(schema.warnings.isEmpty)
    for sample in samples {
      #expect(schema.complaints(about: sample).isEmpty)
    }
  }

  @Test("the order of the samples does not matter", arguments: 0..<40)
  func order(seed: Int) throws {
    let samples = try samples(seed: UInt64(seed))
    let expected = InferredSchema(samples: samples).text.laidOut()
    var dice = Dice(seed: UInt64(seed))
    for _ in 0..<3 {
      #expect(InferredSchema(samples: samples.shuffled(using: &dice)).text.laidOut() == expected)
    }
  }

  @Test("types, nullability and what may be missing only widen with a sample", arguments: 0..<40)
  func widening(seed: Int) throws {
    let samples = try samples(seed: UInt64(seed))
    let schemas = try samples.indices.map { last in
      try JSONDocument(parsing: InferredSchema(samples: Array(samples[...last])).text.laidOut())
        .root
    }
    for (fewer, more) in zip(schemas, schemas.dropFirst()) {
      #expect(narrowings(from: fewer, to: more, at: "") == [])
    }
  }

  /// Where the second schema allows less than the first; objects that are taken for maps in only
  /// one of them are not compared.
  private func narrowings(from fewer: JSONValue, to more: JSONValue, at path: String) -> [String] {
    var found: [String] = []
    let (types, newTypes) = (self.types(fewer), self.types(more))
    if let types, !types.isSubset(of: newTypes ?? types) { found.append("\(path): type") }
    if let items = fewer["items"] {
      found += more["items"].map { narrowings(from: items, to: $0, at: path + "/*") } ?? []
    }
    let isMap = fewer["additionalProperties"] != nil
    guard isMap == (more["additionalProperties"] != nil) else { return found }
    let isBoth = types?.contains("object") == true
    if isBoth, more["properties"] != nil {
      let had = Set((fewer["required"]?.elements).map { $0.compactMap(\.string) } ?? [])
      let has = Set((more["required"]?.elements).map { $0.compactMap(\.string) } ?? [])
      if !has.isSubset(of: had) { found.append("\(path): required \(has.subtracting(had))") }
    }
    for member in fewer["properties"]?.members.map({ $0 }) ?? [] {
      guard let other = more["properties"]?[member.key] else { continue }
      found += narrowings(from: member.value, to: other, at: "\(path)/\(member.key)")
    }
    return found
  }

  private func types(_ schema: JSONValue) -> Set<String>? {
    guard let type = schema["type"] else { return nil }
    var names = Set(type.string.map { [$0] } ?? type.elements.compactMap(\.string))
    if names.contains("number") { names.insert("integer") }
    return names
  }

  private func compact(_ text: String) throws -> [UInt8] {
    try JSONDocument(parsing: text).root.compact
  }
}
