import UnderstudySchema

/// A regular expression of Java, as far as one of ECMAScript can say the same.
///
/// The folder has this type alone. A pattern is parsed into alternatives of items, so that
/// `WireMockURL` can take it apart at slashes and question marks; `text` and `anchored` write it
/// for contracts.
///
/// No pattern changes its meaning in silence: what ECMAScript cannot express makes the initializer
/// throw. The depth of groups is limited, since parsing recurses.
struct JavaPattern {
  /// Why it cannot be taken over.
  struct Unusable: Error {
    let reason: String
  }

  indirect enum Node {
    case literal(Unicode.Scalar)
    /// Anything but a line break.
    case any
    /// One scalar of several, as ECMAScript writes it.
    case set(String)
    /// Alternatives in parentheses, after which the group opens with the text.
    case group(String, [[Item]])
    /// What takes no characters: `^`, `\b`.
    case place(String)
    /// A look-around.
    case look(Look, [[Item]])
  }

  /// What opens a look-around.
  enum Look: String, CaseIterable {
    case ahead = "?="
    case notAhead = "?!"
    case behind = "?<="
    case notBehind = "?<!"

    var isNegated: Bool { self == .notAhead || self == .notBehind }
    var isAhead: Bool { self == .ahead || self == .notAhead }
  }

  struct Item {
    var node: Node
    /// `*`, `+?`, `{2,3}`, or nothing.
    var quantifier = ""
  }

  var alternatives: [[Item]]

  init(_ source: String) throws(Unusable) {
    var parser = Parser(source)
    alternatives = try parser.parse()
  }

  init(alternatives: [[Item]]) { self.alternatives = alternatives }

  /// As ECMAScript writes it.
  var text: String { Self.text(of: alternatives) }

  /// A pattern that is met by whole texts only, as Java's `matches` asks.
  var anchored: String { alternatives.count > 1 ? "^(?:\(text))$" : "^\(text)$" }

  static func text(of alternatives: [[Item]]) -> String {
    alternatives.map { text(of: $0) }.joined(separator: "|")
  }

  static func text(of items: some Sequence<Item>) -> String { items.map(\.text).joined() }

  /// A text that matches only itself, in any case if so asked.
  static func escaped(_ text: String, ignoringCase: Bool = false) -> String {
    text.unicodeScalars.map { scalar in
      Item(node: ignoringCase ? Node.inAnyCase(scalar) : .literal(scalar)).text
    }.joined()
  }
}

extension JavaPattern.Item {
  var text: String { node.text + quantifier }

  /// The text when only one is met.
  var literal: Unicode.Scalar? {
    if quantifier.isEmpty, case .literal(let scalar) = node { scalar } else { nil }
  }
}

extension JavaPattern.Node {
  private static let syntax = Set("^$\\.*+?()[]{}|/".unicodeScalars)

  static func inAnyCase(_ scalar: Unicode.Scalar) -> Self {
    let other = scalar.inOtherCase
    return other == scalar ? .literal(scalar) : .set("[\(scalar)\(other)]")
  }

  var text: String {
    switch self {
    case .literal(let scalar):
      return Self.syntax.contains(scalar) ? "\\\(scalar)" : String(Character(scalar))
    case .any: return "."
    case .set(let text), .place(let text): return text
    case .group(let opening, let alternatives):
      return "(\(opening)\(JavaPattern.text(of: alternatives)))"
    case .look(let look, let alternatives):
      return "(\(look.rawValue)\(JavaPattern.text(of: alternatives)))"
    }
  }

  /// Whether it can take this scalar, somewhere.
  func canTake(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .literal(let own): own == scalar
    case .any: true
    case .set(let text): (try? Pattern("^\(text)$"))?.matches(String(scalar)) ?? true
    case .group(_, let alternatives):
      alternatives.contains { $0.contains { $0.node.canTake(scalar) } }
    case .place, .look: false
    }
  }
}

extension JavaPattern {
  /// Reads Java's syntax. What ECMAScript writes otherwise is translated.
  private struct Parser {
    private static let depthMax = 50
    private static let classes: [String: String] = [
      "Lower": "a-z", "Upper": "A-Z", "ASCII": "\\x00-\\x7F", "Alpha": "a-zA-Z", "Digit": "0-9",
      "Alnum": "a-zA-Z0-9", "Punct": "!-\\/:-@\\[-`\\{-~", "Blank": " \\t",
      "XDigit": "0-9a-fA-F", "Space": "\\s", "IsAlphabetic": "\\p{Alphabetic}",
      "IsDigit": "\\p{Nd}", "IsLetter": "\\p{L}",
    ]

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var ignoresCase = false
    private var depth = 0

    init(_ source: String) { scalars = Array(source.unicodeScalars) }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func starts(with text: String) -> Bool {
      let own = Array(text.unicodeScalars)
      return index + own.count <= scalars.count
        && own.indices.allSatisfy { scalars[index + $0] == own[$0] }
    }

    mutating func parse() throws(Unusable) -> [[Item]] {
      let alternatives = try alternatives()
      if index < scalars.count { throw Unusable(reason: "the pattern has a \")\" too many") }
      return alternatives
    }

    private mutating func alternatives() throws(Unusable) -> [[Item]] {
      depth += 1
      defer { depth -= 1 }
      guard depth <= Self.depthMax else {
        throw Unusable(reason: "the pattern is nested more than \(Self.depthMax) levels deep")
      }
      var all: [[Item]] = [[]]
      while let scalar = next, scalar != ")" {
        index += 1
        if scalar == "|" {
          all.append([])
          continue
        }
        guard let nodes = try node(after: scalar) else { continue }
        all[all.count - 1] += nodes.map { Item(node: $0) }
        if let last = all[all.count - 1].indices.last, !nodes.isEmpty {
          let quantifier = try quantifier()
          // ECMAScript lets only groups around a look-around be repeated.
          if case .look = nodes[nodes.count - 1], !quantifier.isEmpty {
            all[all.count - 1][last].node = .group("?:", [[all[all.count - 1][last]]])
          }
          all[all.count - 1][last].quantifier = quantifier
        }
      }
      return all
    }

    /// `nil` for flags; several for a quoted text.
    private mutating func node(after scalar: Unicode.Scalar) throws(Unusable) -> [Node]? {
      switch scalar {
      case ".": return [.any]
      case "^", "$": return [.place(String(Character(scalar)))]
      case "(": return try group().map { [$0] }
      case "[": return [.set(try set())]
      case "\\": return try escape()
      default: return [literal(scalar)]
      }
    }

    private func literal(_ scalar: Unicode.Scalar) -> Node {
      ignoresCase ? .inAnyCase(scalar) : .literal(scalar)
    }

    private mutating func quantifier() throws(Unusable) -> String {
      guard let scalar = next else { return "" }
      var text = ""
      switch scalar {
      case "*", "+", "?":
        text = String(Character(scalar))
        index += 1
      case "{":
        let end = scalars[index...].firstIndex(of: "}")
        guard let end else { throw Unusable(reason: "the pattern has a \"{\" without an end") }
        text = String(String.UnicodeScalarView(scalars[index...end]))
        index = end + 1
      default: return ""
      }
      if next == "?" {
        text += "?"
        index += 1
      } else if next == "+" {
        throw Unusable(reason: "the pattern has a possessive quantifier")
      }
      return text
    }

    private mutating func group() throws(Unusable) -> Node? {
      var opening = ""
      let look = Look.allCases.first { starts(with: $0.rawValue) }
      if let look {
        index += look.rawValue.utf8.count
      } else if starts(with: "?:") {
        index += 2
        opening = "?:"
      } else if starts(with: "?i)") {
        index += 3
        ignoresCase = true
        return nil
      } else if starts(with: "?<") {
        let end = scalars[index...].firstIndex(of: ">")
        guard let end else { throw Unusable(reason: "the pattern has a group without an end") }
        index = end + 1
      } else if next == "?" {
        throw Unusable(reason: "the pattern has flags or an atomic group")
      }
      let inner = try alternatives()
      guard next == ")" else { throw Unusable(reason: "the pattern has a group without an end") }
      index += 1
      return look.map { .look($0, inner) } ?? .group(opening, inner)
    }

    private mutating func escape() throws(Unusable) -> [Node] {
      guard let scalar = next else {
        throw Unusable(reason: "the pattern ends in a backslash")
      }
      index += 1
      switch scalar {
      case "Q":
        var quoted: [Node] = []
        while let scalar = next, !starts(with: "\\E") {
          quoted.append(literal(scalar))
          index += 1
        }
        if next != nil { index += 2 }
        return quoted
      case "E": return []
      case "d", "D", "w", "W", "s", "S": return [.set("\\\(scalar)")]
      case "b", "B": return [.place("\\\(scalar)")]
      case "A": return [.place("^")]
      case "z", "Z": return [.place("$")]
      case "h": return [.set("[ \\t]")]
      case "p", "P":
        let inner = try property()
        return [.set(scalar == "P" ? "[^\(inner)]" : "[\(inner)]")]
      default: return [literal(try escaped(scalar))]
      }
    }

    /// The scalar that an escape stands for, in a set as well.
    private mutating func escaped(_ scalar: Unicode.Scalar) throws(Unusable) -> Unicode.Scalar {
      switch scalar {
      case "t": return "\t"
      case "n": return "\n"
      case "r": return "\r"
      case "f": return "\u{C}"
      case "x", "u":
        let count = scalar == "x" ? 2 : 4
        let digits = scalars[index...].prefix(count).map { String(Character($0)) }.joined()
        guard let number = UInt32(digits, radix: 16), let read = Unicode.Scalar(number) else {
          throw Unusable(reason: "the pattern has an escape of unknown meaning")
        }
        index += count
        return read
      default:
        guard !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar) else {
          throw Unusable(reason: "the pattern has the escape \"\\\(scalar)\"")
        }
        return scalar
      }
    }

    /// What a class such as `\p{Alpha}` has, for the inside of a set.
    private mutating func property() throws(Unusable) -> String {
      guard next == "{", let end = scalars[index...].firstIndex(of: "}") else {
        throw Unusable(reason: "the pattern has a class of unknown meaning")
      }
      let name = String(String.UnicodeScalarView(scalars[(index + 1)..<end]))
      index = end + 1
      return Self.classes[name] ?? "\\p{\(name)}"
    }

    private mutating func set() throws(Unusable) -> String {
      var opening = "["
      if next == "^" {
        opening += "^"
        index += 1
      }
      // `other` is the inside with the other case of each letter, for patterns that ignore case.
      var (inside, other) = ("", "")
      var isFirst = true
      while let scalar = next {
        index += 1
        switch scalar {
        case "]" where !isFirst: return opening + inside + (ignoresCase ? other : "") + "]"
        case "[": throw Unusable(reason: "the pattern has a set within a set")
        case "&" where next == "&": throw Unusable(reason: "the pattern intersects sets")
        case "\\":
          guard let following = next else { break }
          index += 1
          switch following {
          case "d", "D", "w", "W", "s", "S": inside += "\\\(following)"
          case "p": inside += try property()
          default:
            let scalar = try escaped(following)
            inside += Self.inSet(scalar, isEscaped: true)
            other += Self.inSet(scalar.inOtherCase, isEscaped: true)
          }
        default:
          inside += Self.inSet(scalar, isEscaped: false)
          other += Self.inSet(scalar.inOtherCase, isEscaped: false)
        }
        isFirst = false
      }
      throw Unusable(reason: "the pattern has a set without an end")
    }

    private static func inSet(_ scalar: Unicode.Scalar, isEscaped: Bool) -> String {
      let mustEscape = "\\]^".unicodeScalars.contains(scalar) || scalar == "-" && isEscaped
      return mustEscape ? "\\\(scalar)" : String(Character(scalar))
    }
  }
}

extension Unicode.Scalar {
  /// A small letter for a large one and the other way round; itself where there is no such pair.
  fileprivate var inOtherCase: Unicode.Scalar {
    for mapping in [properties.lowercaseMapping, properties.uppercaseMapping] {
      let scalars = mapping.unicodeScalars
      if scalars.count == 1, let other = scalars.first, other != self { return other }
    }
    return self
  }
}
