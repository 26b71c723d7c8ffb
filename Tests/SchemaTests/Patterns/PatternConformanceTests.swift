import Foundation
import Testing
import UnderstudySchema

/// The official test suite's folder for our draft; `nil` where no conformance data are installed.
private let suite = ProcessInfo.processInfo.environment["UNDERSTUDY_CONFORMANCE"].map {
  URL(filePath: $0).appending(path: "JSON-Schema-Test-Suite/tests/draft2020-12")
}

private struct Group: Decodable {
  struct Schema: Decodable {
    let pattern: String?
    let patternProperties: [String: Either<Bool, Ignored>]?
    let additionalProperties: Either<Bool, Ignored>?
    let format: String?
  }

  struct Test: Decodable {
    let description: String
    let data: Either<String, Either<[String: Ignored], Ignored>>
    let valid: Bool
  }

  let description: String
  let schema: Schema
  let tests: [Test]
}

/// Whatever it is, it does not matter here.
private struct Ignored: Decodable {
  init(from decoder: any Decoder) {}
}

private enum Either<First: Decodable, Second: Decodable>: Decodable {
  case first(First)
  case second(Second)

  init(from decoder: any Decoder) throws {
    self = try (try? .first(First(from: decoder))) ?? .second(Second(from: decoder))
  }
}

// Without the conformance data these tests are skipped, and reported so: users need not have them.
@Suite(.enabled(if: suite != nil)) struct PatternConformanceTests {
  private func groups(in path: String) throws -> [Group] {
    let file = try #require(suite).appending(path: path)
    return try JSONDecoder().decode([Group].self, from: Data(contentsOf: file))
  }

  @Test("matches as the official suite says", arguments: ["pattern", "optional/ecmascript-regex"])
  func patterns(name: String) throws {
    var checked = 0
    for group in try groups(in: name + ".json") {
      guard let pattern = try group.schema.pattern.map({ try Pattern($0) }) else { continue }
      for test in group.tests {
        guard case .first(let text) = test.data else { continue }
        #expect(pattern.matches(text) == test.valid, "\(group.description): \(test.description)")
        checked += 1
      }
    }
    #expect(checked > 2)
  }

  @Test("chooses properties as the official suite says")
  func patternProperties() throws {
    var checked = 0
    for group in try groups(in: "optional/ecmascript-regex.json") {
      guard case .first(false) = group.schema.additionalProperties else { continue }
      let patterns = try (group.schema.patternProperties ?? [:]).keys.map { try Pattern($0) }
      for test in group.tests {
        guard case .second(.first(let object)) = test.data else { continue }
        let isValid = object.keys.allSatisfy { key in patterns.contains { $0.matches(key) } }
        #expect(isValid == test.valid, "\(group.description): \(test.description)")
        checked += 1
      }
    }
    #expect(checked > 10)
  }

  @Test(
    "accepts every pattern of the suite's schemas", arguments: ["patternProperties", "pattern"])
  func sources(name: String) throws {
    let schemas = try groups(in: name + ".json").map(\.schema)
    let sources = schemas.flatMap { ($0.patternProperties ?? [:]).keys + [$0.pattern ?? ""] }
    for source in sources { #expect(throws: Never.self) { try Pattern(source) } }
    #expect(!sources.isEmpty)
  }

  @Test("distinguishes patterns from other texts as the official suite says")
  func format() throws {
    var checked = 0
    for path in ["optional/format/ecmascript-regex.json", "optional/format/regex.json"] {
      for group in try groups(in: path) {
        for test in group.tests {
          guard case .first(let source) = test.data else { continue }
          let isValid = Pattern.syntaxError(in: source) == nil
          #expect(isValid == test.valid, "\(group.description): \(test.description)")
          checked += 1
        }
      }
    }
    #expect(checked > 10)
  }
}
