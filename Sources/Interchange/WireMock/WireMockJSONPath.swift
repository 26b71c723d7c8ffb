import UnderstudyCore
import UnderstudyJSON

/// A JSONPath as far as a JSON Schema can say the same: members, indices, one filter at the end.
struct WireMockJSONPath {
  typealias Unusable = WireMockStub.Unusable

  private enum Step {
    case member(String)
    case index(Int)
    case each
  }

  /// What an element must be: `@.a > 5`.
  private struct Test {
    let path: [String]
    /// `nil` asks only whether it is there.
    let comparison: (sign: String, value: JSONText)?
  }

  /// A schema lists all elements before the one that it asks for.
  private static let indexMax = 1_000

  private var steps: [Step] = []
  private var filters: [Test] = []
  private var isFiltered = false
  private let pointer: String

  init(_ text: String, _ pointer: String) throws(Unusable) {
    self.pointer = pointer
    var rest = text[...].drop { $0 == " " }
    guard rest.first == "$" else { throw Self.other(pointer) }
    rest = rest.dropFirst()
    while let first = rest.first {
      guard !isFiltered else { throw Self.other(pointer) }
      if first == " " {
        rest = rest.dropFirst()
      } else if rest.hasPrefix("..") {
        throw Self.other(pointer)
      } else if first == "." {
        let name = rest.dropFirst().prefix { !".[ ".contains($0) }
        guard !name.isEmpty, !name.contains("(") else { throw Self.other(pointer) }
        steps.append(name == "*" ? .each : .member(String(name)))
        rest = rest[name.endIndex...]
      } else if first == "[" {
        rest = try readBrackets(rest.dropFirst())
      } else {
        throw Self.other(pointer)
      }
    }
  }

  private static func other(_ pointer: String) -> Unusable {
    Unusable(pointer, "a schema cannot say what this JSONPath does")
  }

  private mutating func readBrackets(_ text: Substring) throws(Unusable) -> Substring {
    if text.hasPrefix("?(") {
      guard let end = text.range(of: ")]")?.lowerBound else { throw Self.other(pointer) }
      let inside = text[..<end].dropFirst(2)
      guard !inside.contains("||") else { throw Self.other(pointer) }
      for part in inside.split(separator: "&&") { filters.append(try test(String(part))) }
      isFiltered = true
      return text[end...].dropFirst(2)
    }
    guard let end = text.firstIndex(of: "]") else { throw Self.other(pointer) }
    let inside = text[..<end]
    if inside == "*" {
      steps.append(.each)
    } else if let index = Int(inside), 0..<Self.indexMax ~= index {
      steps.append(.index(index))
    } else if inside.count > 2, let quote = inside.first, "'\"".contains(quote),
      inside.last == quote
    {
      steps.append(.member(String(inside.dropFirst().dropLast())))
    } else {
      throw Self.other(pointer)
    }
    return text[end...].dropFirst()
  }

  private func test(_ text: String) throws(Unusable) -> Test {
    let signs = ["==", "!=", ">=", "<=", "=~", ">", "<"]
    let trimmed = text.trimmed
    if let range = trimmed.utf8.firstRange(ofBytes: " in ".utf8) {
      let list = trimmed[range.upperBound...].replacing("'", with: "\"")
      guard let values = (try? JSONDocument(parsing: String(list)))?.root, values.kind == .array
      else { throw Self.other(pointer) }
      return Test(
        path: try path(String(trimmed[..<range.lowerBound]).trimmed),
        comparison: ("in", .value(values)))
    }
    guard let sign = signs.first(where: { trimmed.contains($0) }) else {
      return Test(path: try path(trimmed), comparison: nil)
    }
    let parts = trimmed.split(separator: sign, maxSplits: 1).map { String($0).trimmed }
    guard parts.count == 2 else { throw Self.other(pointer) }
    return Test(path: try path(parts[0]), comparison: (sign, try value(parts[1], sign)))
  }

  /// `@.a.b`
  private func path(_ text: String) throws(Unusable) -> [String] {
    guard text.hasPrefix("@"), !text.contains(".."), !text.contains("("), !text.contains(" ")
    else {
      throw Self.other(pointer)
    }
    let bare = text.dropFirst().replacing("['", with: ".").replacing("']", with: "")
    guard !bare.contains("[") else { throw Self.other(pointer) }
    return bare.split(separator: ".").map(String.init)
  }

  private func value(_ text: String, _ sign: String) throws(Unusable) -> JSONText {
    if sign == "=~" {
      guard text.hasPrefix("/"), let end = text.lastIndex(of: "/"), end > text.startIndex else {
        throw Self.other(pointer)
      }
      let flags = text[end...].dropFirst()
      guard flags.isEmpty || flags == "i" else { throw Self.other(pointer) }
      let source = text[..<end].dropFirst()
      return .string(
        try WireMockMatcher.pattern(flags == "i" ? "(?i)\(source)" : String(source), pointer))
    }
    if text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") {
      return .string(String(text.dropFirst().dropLast()))
    }
    guard let value = (try? JSONDocument(parsing: text))?.root, value.kind != .object else {
      throw Self.other(pointer)
    }
    return .value(value)
  }

  // MARK: - The schema

  /// A schema of documents in which the path finds something.
  func schema() throws(Unusable) -> JSONText {
    if isFiltered {
      let element = try element()
      // A filter asks an object itself as well.
      return schema(
        of: steps[...],
        leaf: ["if": ["type": "array"], "then": ["contains": element], "else": element])
    }
    return schema(of: steps[...], leaf: Self.something)
  }

  /// A schema of documents in which what the path finds meets another schema.
  func schema(where leaf: JSONText) throws(Unusable) -> JSONText {
    guard !isFiltered else { throw Self.other(pointer) }
    return schema(of: steps[...], leaf: leaf)
  }

  private static let something: JSONText = [
    "not": ["type": "null"], "minItems": 1, "minProperties": 1,
  ]

  private func schema(of steps: ArraySlice<Step>, leaf: JSONText) -> JSONText {
    guard let step = steps.first else { return leaf }
    let inner = schema(of: steps.dropFirst(), leaf: leaf)
    switch step {
    case .member(let name): return Self.object(name, inner)
    case .index(let index):
      let before = [JSONText](repeating: .bool(true), count: index)
      return [
        "type": "array", "minItems": .int(index + 1), "prefixItems": .array(before + [inner]),
      ]
    case .each: return ["type": "array", "contains": inner]
    }
  }

  private static func object(_ name: String, _ inner: JSONText) -> JSONText {
    ["type": "object", "required": .strings([name]), "properties": [name: inner]]
  }

  private func element() throws(Unusable) -> JSONText {
    let all = try filters.map { test throws(Unusable) -> JSONText in
      var schema = try leaf(of: test)
      for name in test.path.reversed() { schema = Self.object(name, schema) }
      // What is missing is something else, too.
      return test.comparison?.sign == "!=" ? ["not": schema] : schema
    }
    return all.count == 1 ? all[0] : ["allOf": .array(all)]
  }

  private func leaf(of test: Test) throws(Unusable) -> JSONText {
    guard let (sign, value) = test.comparison else { return .emptyObject }
    switch sign {
    case "==", "!=": return ["const": value]
    case "in": return ["enum": value]
    case "=~": return ["type": "string", "pattern": value]
    default:
      guard value.root?.kind == .number else { throw Self.other(pointer) }
      let keys = [
        ">": "exclusiveMinimum", ">=": "minimum", "<": "exclusiveMaximum", "<=": "maximum",
      ]
      return ["type": "number", keys[sign] ?? "const": value]
    }
  }
}

extension String {
  var trimmed: String {
    let start = drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}

extension Substring {
  fileprivate func range(of text: String) -> Range<Index>? { utf8.firstRange(ofBytes: text.utf8) }
}
