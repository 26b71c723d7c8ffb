import UnderstudyJSON
import UnderstudySchema

/// Translates what WireMock asks of one value, such as a query parameter, into a condition.
struct WireMockMatcher {
  typealias Unusable = WireMockStub.Unusable

  /// A condition in its parts: a test, perhaps `optional`, and what must not hold beside it.
  private struct Parts {
    var members: [(key: String, value: JSONText)]
    var exclusion: JSONText?

    init(_ key: String, _ value: JSONText) { members = [(key, value)] }

    init(_ members: [(key: String, value: JSONText)]) { self.members = members }

    /// Anything but this, or nothing.
    init(except exclusion: JSONText) {
      members = []
      self.exclusion = exclusion
    }

    var written: JSONText {
      if exclusion == nil, members.count == 1, members[0].key == "equals" {
        return members[0].value
      }
      return .object(members.map { ($0.key, $0.value) } + [("not", exclusion)])
    }
  }

  /// Where it is in the stub.
  let pointer: String
  /// A key beside the matchers.
  var ignoring: String?

  /// A condition as the contract writes it.
  func condition(_ value: JSONValue) throws(Unusable) -> JSONText {
    if let text = value.string { return .string(text) }
    return try parts(value).written
  }

  private func parts(_ value: JSONValue) throws(Unusable) -> Parts {
    let ignoresCase = value["caseInsensitive"]?.bool == true
    for member in value.members
    where member.key != "caseInsensitive" && member.key != ignoring {
      let place = "\(pointer)/\(member.key.escapedForPointer)"
      switch member.key {
      case "equalTo":
        let text = try text(member, place)
        guard ignoresCase else { return Parts("equals", .string(text)) }
        return Parts("matches", .string("^\(JavaPattern.escaped(text, ignoringCase: true))$"))
      case "contains":
        return Parts("matches", .string(JavaPattern.escaped(try text(member, place))))
      case "matches":
        let pattern = try Self.pattern(text(member, place), place)
        return pattern == "^.*$"
          ? Parts("absent", .bool(false)) : Parts("matches", .string(pattern))
      case "doesNotMatch":
        let pattern = try Self.pattern(text(member, place), place)
        return Parts(except: ["matches": .string(pattern)])
      case "doesNotContain":
        let part = JavaPattern.escaped(try text(member, place))
        return Parts(except: ["matches": .string(part)])
      case "absent": return Parts("absent", .bool(member.value.bool ?? true))
      case "anything": return Parts("optional", .bool(true))
      case "or": return try either(member.value, place)
      case "and", "includes": return try all(member.value, place)
      case "not": return Parts(except: try WireMockMatcher(pointer: place).condition(member.value))
      case "hasExactly":
        let texts = member.value.elements.compactMap { $0["equalTo"]?.string }
        guard texts.count == member.value.count, !texts.isEmpty else {
          throw Unusable(place, "only texts can be all values of a repeated parameter")
        }
        return Parts("equals", .strings(texts))
      case let key where WireMockDateMatcher.has(key):
        return Parts(try WireMockDateMatcher.members(of: value, key, place))
      default: throw Unusable(place, "a contract has no condition like \(member.key)")
      }
    }
    throw Unusable(pointer, "the matcher is empty")
  }

  private func text(_ member: JSONMember, _ place: String) throws(Unusable) -> String {
    if let text = member.value.string { return text }
    switch member.value.kind {
    case .number, .boolean: return String(decoding: member.value.compact, as: UTF8.self)
    default: throw Unusable(place, "\(member.key) is not a string")
    }
  }

  /// An anchored pattern that contracts can have.
  static func pattern(_ source: String, _ place: String) throws(Unusable) -> String {
    let pattern: String
    do throws(JavaPattern.Unusable) {
      pattern = try JavaPattern(source).anchored
    } catch {
      throw Unusable(place, error.reason)
    }
    return try checked(pattern, place)
  }

  static func checked(_ pattern: String, _ place: String) throws(Unusable) -> String {
    do throws(PatternError) {
      _ = try Pattern(pattern)
      return pattern
    } catch {
      throw Unusable(place, "the pattern cannot be used: \(error.message)")
    }
  }

  /// One of several: a pattern with an alternative for each, or the values themselves.
  private func either(_ value: JSONValue, _ place: String) throws(Unusable) -> Parts {
    var (values, patterns): ([String], [String]) = ([], [])
    var isOptional = false
    for (index, element) in value.elements.enumerated() {
      let inner = WireMockMatcher(pointer: "\(place)/\(index)")
      let parts = try inner.parts(element)
      guard parts.exclusion == nil, let only = parts.members.first, let read = only.value.root
      else { throw Unusable(inner.pointer, "alternatives cannot be negated") }
      switch (only.key, read.string) {
      case ("equals", let text?):
        values.append(text)
        patterns.append("^\(JavaPattern.escaped(text))$")
      case ("matches", let pattern?): patterns.append(pattern)
      case ("absent", _) where read.bool == true, ("optional", _): isOptional = true
      default: throw Unusable(inner.pointer, "alternatives are texts and patterns only")
      }
    }
    guard !patterns.isEmpty else { throw Unusable(place, "the matcher is empty") }
    var parts =
      values.count == patterns.count
      ? Parts("oneOf", .strings(values))
      : Parts("matches", .string(patterns.joined(separator: "|")))
    if isOptional { parts.members.append(("optional", .bool(true))) }
    return parts
  }

  /// All of several. A condition has one test, and one that must not hold: "not not" says more.
  private func all(_ value: JSONValue, _ place: String) throws(Unusable) -> Parts {
    var tests: [Parts] = []
    var exclusion: JSONText?
    for (index, element) in value.elements.enumerated() {
      let inner = WireMockMatcher(pointer: "\(place)/\(index)")
      var parts = try inner.parts(element)
      if let own = parts.exclusion {
        exclusion = try Self.either(exclusion, own, inner.pointer)
        parts.exclusion = nil
      }
      tests.append(parts)
    }
    guard var result = tests.popLast() else {
      throw Unusable(place, "the matcher is empty")
    }
    result.exclusion = exclusion
    while var outer = tests.popLast() {
      outer.exclusion = ["not": result.written]
      result = outer
    }
    return result
  }
}

extension WireMockMatcher {
  /// A condition that holds where one of two patterns is met.
  private static func either(
    _ first: JSONText?, _ second: JSONText, _ place: String
  ) throws(Unusable) -> JSONText {
    guard let first else { return second }
    guard let own = first.root?["matches"]?.string, let other = second.root?["matches"]?.string,
      first.root?.count == 1, second.root?.count == 1
    else { throw Unusable(place, "only patterns can be negated together") }
    return ["matches": "\(own)|\(other)"]
  }
}

extension String {
  var escapedForPointer: String { replacing("~", with: "~0").replacing("/", with: "~1") }
}
