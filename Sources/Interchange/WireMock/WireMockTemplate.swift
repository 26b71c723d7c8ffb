import UnderstudyCore
import UnderstudyJSON

/// Translates WireMock's Handlebars into the expressions of contracts.
struct WireMockTemplate {
  typealias Unusable = WireMockStub.Unusable

  /// The stub's own path, whose names its expressions use.
  let path: WireMockURL.Path
  /// This path with the names of parameters that the contract has.
  let shown: WireMockURL.Path
  let method: String
  /// The names of the query parameters that the stub has conditions on.
  let query: [String]
  let pointer: String
  /// The constants that the response names.
  var parameters: JSONValue?

  /// Whether the text has expressions at all.
  static func isTemplate(_ text: String) -> Bool { text.utf8.contains(bytes: "{{".utf8) }

  /// The text with expressions of contracts, and with other braces made plain.
  func translated(_ text: String) throws(Unusable) -> String {
    var output = ""
    var constants: [String: String] = [:]
    var rest = text[...]
    while let open = rest.utf8.firstRange(ofBytes: "{{".utf8)?.lowerBound {
      output += Self.plain(rest[..<open])
      let isTriple = rest[open...].hasPrefix("{{{")
      let inner = rest[open...].dropFirst(isTriple ? 3 : 2)
      guard let close = inner.utf8.firstRange(ofBytes: (isTriple ? "}}}" : "}}").utf8) else {
        throw Unusable(pointer, "an expression has no end")
      }
      let expression = String(inner[..<close.lowerBound]).trimmed
      rest = inner[close.upperBound...]
      if expression.hasPrefix("!") { continue }
      if expression.hasPrefix("#assign") {
        let name = expression.dropFirst("#assign".count).filter { !" '\"".contains($0) }
        guard let end = rest.utf8.firstRange(ofBytes: "{{/assign}}".utf8) else {
          throw Unusable(pointer, "an expression has no end")
        }
        constants[String(name)] = try translated(String(rest[..<end.lowerBound]))
        rest = rest[end.upperBound...]
      } else if let constant = constants[expression] {
        output += constant
      } else {
        output += try self.expression(expression, constants)
      }
    }
    return output + Self.plain(rest)
  }

  /// A text whose braces are only text: those that would be an expression get a backslash.
  static func plain(_ text: some StringProtocol) -> String {
    var output = ""
    for (index, character) in zip(text.indices, text) {
      if character == "{", let next = text[index...].dropFirst().first, next.isLetter {
        output += "\\"
      }
      output.append(character)
    }
    return output
  }

  private func expression(
    _ text: String, _ constants: [String: String]
  ) throws(Unusable) -> String {
    var words = Self.words(text)
    for index in words.indices.dropFirst() {
      words[index] = try argument(words[index], constants)
    }
    guard let first = words.first else { throw Unusable(pointer, "an expression is empty") }
    let options = Self.options(words.dropFirst())
    switch first {
    case "now": return try date(options)
    case "date" where words.count > 1:
      guard let inner = try moved(words[1]) else { throw other(text) }
      let movesTwice = inner.options["offset"] != nil || inner.start != nil
      guard options["offset"] == nil || !movesTwice else { throw other(text) }
      return try date(options.merging(inner.options) { own, _ in own }, from: inner.start)
    case "jsonPath" where words.dropFirst().first == "request.body" && words.count == 3:
      return "{body.\(try Self.jsonPointer(words[2].unquoted, pointer))}"
    case "randomValue" where options["type"] == "UUID" && options.count == 1: return "{uuid}"
    case "randomInt":
      guard let lower = Int(options["lower"] ?? "0"),
        // The first number that is too large.
        let end = Int(options["upper"] ?? "\(1 << 31)"), 0 <= lower, lower < end
      else { throw other(text) }
      return "{random.\(lower)-\(end - 1)}"
    default:
      if words.count == 1, let text = parameter(first) { return Self.plain(text) }
      guard words.count == 1, first.hasPrefix("request.") else { throw other(text) }
      return try request(String(first.dropFirst("request.".count)), text)
    }
  }

  /// An argument of an expression, such as `format=f`, with the text that its name stands for.
  private func argument(
    _ word: String, _ constants: [String: String]
  ) throws(Unusable) -> String {
    let start = word.firstIndex(of: "=").map { word.index(after: $0) } ?? word.startIndex
    let name = String(word[start...])
    guard let text = constants[name] ?? parameter(name) else { return word }
    guard !text.contains("{") else {
      throw Unusable(pointer, "the value of {{\(name)}} is not a fixed text")
    }
    return "\(word[..<start])'\(text)'"
  }

  /// The constant of a response, by its name with `parameters.`.
  private func parameter(_ name: String) -> String? {
    guard name.hasPrefix("parameters.") else { return nil }
    return parameters?[String(name.dropFirst("parameters.".count))].map {
      $0.string ?? String(decoding: $0.compact, as: UTF8.self)
    }
  }

  private func other(_ text: String) -> Unusable {
    let helper = text.prefix { $0 != " " }
    return Unusable(pointer, "contracts have no expression like {{\(helper)}}")
  }

  /// What stands behind `request.`.
  private func request(_ text: String, _ whole: String) throws(Unusable) -> String {
    let text = text.hasPrefix("requestLine.") ? String(text.dropFirst("requestLine.".count)) : text
    if text == "baseUrl" { return "{server.baseURL}" }
    if text == "method" { return method }
    if text == "body" { return "{body}" }
    if text == "path" { return wholePath }
    if text == "url" {
      // Each has one value, in the order of the stub. Further ones are unknown.
      let pairs = query.map { "\($0)={query.\($0)}" }
      return wholePath + (pairs.isEmpty ? "" : "?\(pairs.joined(separator: "&"))")
    }
    let keys = Self.keys(text)
    guard keys.count >= 2 else { throw other(whole) }
    let isFirst = keys.count == 2 || keys.count == 3 && keys[2] == "0"
    switch keys[0] {
    case "query" where isFirst: return "{query.\(keys[1])}"
    case "headers" where isFirst: return "{header.\(keys[1])}"
    case "pathSegments", "path":
      if let index = Int(keys[1]), keys.count == 2, path.segments.indices.contains(index) {
        return segment(index)
      }
      let name = keys[1].parameterName
      guard keys.count == 2, let index = path.names.first(where: { $0.value == name })?.key else {
        throw other(whole)
      }
      return segment(index)
    default: throw other(whole)
    }
  }

  private var wholePath: String {
    "/"
      + (path.segments.indices.map(segment) + (path.hasTail ? ["{path.rest}"] : []))
      .joined(separator: "/")
  }

  private func segment(_ index: Int) -> String {
    path.segments[index].map { Self.plain($0) } ?? "{path.\(shown.name(of: index))}"
  }

  /// `query.a`, `headers.[X-A]`, `pathSegments.[1]`, `query.a.[0]`.
  private static func keys(_ text: String) -> [String] {
    var keys: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      if rest.first == "[" {
        let key = rest.dropFirst().prefix { $0 != "]" }
        keys.append(String(key))
        rest = rest[key.endIndex...].dropFirst()
      } else {
        let key = rest.prefix { $0 != "." && $0 != "[" }
        keys.append(String(key))
        rest = rest[key.endIndex...]
      }
      if rest.first == "." { rest = rest.dropFirst() }
    }
    return keys
  }

  static func jsonPointer(_ path: String, _ pointer: String) throws(Unusable) -> String {
    var rest = path[...]
    guard rest.first == "$" else { throw Unusable(pointer, "a JSONPath begins with $") }
    rest = rest.dropFirst()
    var result = ""
    while let first = rest.first {
      let key: Substring
      if first == "." {
        key = rest.dropFirst().prefix { $0 != "." && $0 != "[" }
        rest = rest[key.endIndex...]
      } else {
        let inside = rest.dropFirst().prefix { $0 != "]" }
        rest = rest[inside.endIndex...].dropFirst()
        key = inside.filter { $0 != "'" && $0 != "\"" }[...]
      }
      guard !key.isEmpty, first == "." || first == "[", !key.contains("*"), !key.contains("?"),
        !key.contains("{"), !key.contains("}")
      else { throw Unusable(pointer, "a value is named by members and indices only") }
      result += "/" + String(key).escapedForPointer
    }
    guard !result.isEmpty else { throw Unusable(pointer, "the JSONPath names the whole body") }
    return result
  }

  // MARK: - Dates

  /// What `date` writes: `now`, `(now offset='3 days')` or `(truncateDate (now) 'first hour of
  /// day')`.
  private func moved(
    _ word: String, mayTruncate: Bool = true
  ) throws(Unusable) -> (options: [String: String], start: DateUnit?)? {
    guard word.hasPrefix("("), word.hasSuffix(")") else { return word == "now" ? ([:], nil) : nil }
    let words = Self.words(String(word.dropFirst().dropLast()))
    if words.first == "now" { return (Self.options(words.dropFirst()), nil) }
    guard mayTruncate, words.first == "truncateDate", words.count == 3,
      let (inner, _) = try moved(words[1], mayTruncate: false)
    else { return nil }
    let name = words[2].unquoted
    guard let unit = WireMockDate.starts.first(where: { $0.name == name })?.unit else {
      throw Unusable(pointer, "no contract goes to the \(name)")
    }
    return (inner, unit)
  }

  /// - Parameter start: the unit to whose beginning the date goes.
  private func date(
    _ options: [String: String], from start: DateUnit? = nil
  ) throws(Unusable) -> String {
    for name in options.keys where !["offset", "format", "timezone", "truncate"].contains(name) {
      throw Unusable(pointer, "a date has no \(name)")
    }
    var words: [String] = []
    if let offset = options["offset"], !offset.trimmed.isEmpty { words.append(try step(offset)) }
    if let start { words.append("/\(start.rawValue)") }
    let zone = options["timezone"].map { ["in", Self.zone($0)] } ?? []
    guard start == nil || zone.isEmpty else {
      throw Unusable(pointer, "the unit begins in UTC, and the date is in another zone")
    }
    switch options["format"] {
    case nil:
      return "{\((["now"] + words + zone).joined(separator: " "))}"
    case "epoch": return "{\((["now.unixMilliseconds"] + words).joined(separator: " "))}"
    case "unix": return "{\((["now.unix"] + words).joined(separator: " "))}"
    case let format?:
      return "{\((["now"] + words + zone + [format]).joined(separator: " "))}"
    }
  }

  /// `+02:00` for `GMT+02:00`.
  private static func zone(_ name: String) -> String {
    let start = ["GMT", "UTC"].first { name.hasPrefix("\($0)+") || name.hasPrefix("\($0)-") }
    return String(name.dropFirst(start?.count ?? 0))
  }

  /// `-3d` for `-3 days`.
  private func step(_ offset: String) throws(Unusable) -> String {
    let parts = offset.split(separator: " ")
    let units = [
      "second": "s", "minute": "m", "hour": "h", "day": "d", "month": "M", "year": "y",
    ]
    guard parts.count == 2, let amount = Int(parts[0]) else {
      throw Unusable(pointer, "the offset \"\(offset)\" is not a number and a unit")
    }
    let unit = parts[1].hasSuffix("s") ? parts[1].dropLast() : parts[1]
    guard let letter = units[unit.lowercased()] else {
      throw Unusable(pointer, "the offset \"\(offset)\" has an unknown unit")
    }
    return "\(amount < 0 ? "" : "+")\(amount)\(letter)"
  }

  /// Split at spaces that are not in quotes or parentheses.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Character?
    var depth = 0
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        depth -= 1
      }
      if character == " ", quote == nil, depth == 0 {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// `offset='3 days'`
  private static func options(_ words: some Sequence<String>) -> [String: String] {
    var options: [String: String] = [:]
    for word in words where !word.hasPrefix("(") {
      guard let equals = word.firstIndex(of: "=") else { continue }
      options[String(word[..<equals])] = String(word[equals...].dropFirst()).unquoted
    }
    return options
  }
}

extension String {
  fileprivate var unquoted: String {
    guard count >= 2, let first, first == last, first == "'" || first == "\"" else { return self }
    return String(dropFirst().dropLast())
  }
}
