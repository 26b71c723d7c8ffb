package import UnderstudyCore

/// A text with expressions in braces that are replaced when the response is served.
///
/// Braces without an expression stay as they are, since GitHub's bodies are full of
/// `{/other_user}`. A backslash escapes a brace: `\{uuid}` is the text `{uuid}`.
package struct Template: Hashable, Sendable {
  /// A part of the text: as it is, or filled in for each response.
  package enum Piece: Hashable, Sendable {
    case text(String)
    case expression(Expression)
  }

  /// What can be filled in. Contracts, lint and the server share this list.
  package enum Expression: Hashable, Sendable {
    /// The URL by which the client reached an upstream; `nil` for the contract's own.
    case baseURL(upstream: String?)
    case path(String)
    case query(String)
    case header(String)
    /// A JSON Pointer into the request's body.
    ///
    /// The empty one stands for the whole body, which need not be JSON.
    case body(String)
    /// A named string of the upstream's state. The name may have expressions.
    case state(Template)
    /// All those whose names begin with this text, as a JSON array, the oldest first.
    case states(Template)
    case uuid
    case counter
    case now(MovingTime)
    case random(ClosedRange<Int>)
    /// The value without quotes, when the expression is the whole JSON string.
    indirect case json(Expression)
  }

  package let pieces: [Piece]
  /// The whole text, if it has no expressions.
  package let plainText: String?
  /// Braces that look like an expression but are not one: `{path.}`, `{now +1q}`, `{form.user}`.
  package let mistakes: [String]

  /// A text whose braces are only text.
  init(plain text: String) {
    pieces = text.isEmpty ? [] : [.text(text)]
    plainText = text
    mistakes = []
  }

  package init(_ text: String) {
    var pieces: [Piece] = []
    var mistakes: [String] = []
    var literal = ""
    // In UTF-8, no other character contains the byte of a brace or a backslash.
    var rest = text.utf8[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
      let before = rest[..<open]
      let afterOpen = rest.index(after: open)
      if before.last == UInt8(ascii: "\\") {
        literal += Substring(before.dropLast()) + "{"
        rest = rest[afterOpen...]
        continue
      }
      guard let close = Self.closingBrace(in: rest[afterOpen...]) else {
        literal += Substring(rest[..<afterOpen])
        rest = rest[afterOpen...]
        continue
      }
      let inside = rest[afterOpen..<close]
      literal += Substring(before)
      let afterClose = rest.index(after: inside.endIndex)
      if let expression = Expression(Substring(inside)) {
        if !literal.isEmpty { pieces.append(.text(literal)) }
        literal = ""
        pieces.append(.expression(expression))
      } else {
        if Expression.looksLikeOne(Substring(inside)) { mistakes.append("{\(Substring(inside))}") }
        literal += Substring(rest[open..<afterClose])
      }
      rest = rest[afterClose...]
    }
    literal += Substring(rest)
    plainText = pieces.isEmpty ? literal : nil
    if !literal.isEmpty { pieces.append(.text(literal)) }
    self.pieces = pieces
    self.mistakes = mistakes
  }

  package var expressions: [Expression] {
    pieces.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
  }

  /// The text before the first expression.
  var start: String {
    if case .text(let text)? = pieces.first { text } else { "" }
  }

  /// Where an expression ends whose text begins here. Only the name of a state may have braces
  /// inside: `{state.thing.{path.id}}`.
  package static func closingBrace<Bytes: Collection<UInt8>>(in bytes: Bytes) -> Bytes.Index? {
    let mayNest = bytes.starts(with: "state.".utf8)
    var index = bytes.startIndex
    var isOpen = false
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "}"):
        guard isOpen else { return index }
        isOpen = false
      case UInt8(ascii: "{"):
        guard mayNest, !isOpen else { return nil }
        isOpen = true
      default: break
      }
      index = bytes.index(after: index)
    }
    return nil
  }
}

extension Template.Expression {
  /// The first words of all expressions, as documented.
  static let roots = [
    "server", "path", "query", "header", "body", "state", "uuid", "counter", "now", "random",
  ]

  /// Whether the text in braces is meant as an expression: it begins with the first word of one, in
  /// any case, or consists of words with dots between them.
  static func looksLikeOne(_ text: Substring) -> Bool {
    let word = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    let rest = text[word.endIndex...]
    if MovingTime.isMeant(by: text) { return true }
    if roots.contains(word.lowercased()) { return rest.first != " " || rest.contains(".") }
    let name = rest.hasSuffix(asJSON) ? rest.dropLast(asJSON.count) : rest
    return word.first?.isLetter == true && name.hasPrefix(".") && name.count > 1
      && !name.contains { $0.isWhitespace || $0 == "\"" || $0 == "," }
  }

  /// The value as text.
  package var plain: Template.Expression {
    if case .json(let value) = self { value } else { self }
  }

  /// Whether it reads the upstream's state.
  var readsState: Bool {
    switch plain {
    case .state, .states: true
    default: false
    }
  }

  private static let asJSON = " as json"

  init?(_ text: Substring) {
    guard text.utf8.last == UInt8(ascii: "n"), text.hasSuffix(Self.asJSON) else {
      self.init(plain: text)
      return
    }
    guard let value = Self(plain: text.dropLast(Self.asJSON.count)) else { return nil }
    self = .json(value)
  }

  private init?(plain text: Substring) {
    if MovingTime.isMeant(by: text) {
      guard let time = try? MovingTime(text) else { return nil }
      self = .now(time)
      return
    }
    let root = text.utf8.prefix { $0 != UInt8(ascii: ".") }
    let argument =
      root.endIndex < text.endIndex ? Substring(text.utf8[root.endIndex...].dropFirst()) : nil
    switch (String(Substring(root)), argument) {
    case ("server", "baseURL"?): self = .baseURL(upstream: nil)
    case ("server", let name?) where name.hasSuffix(".baseURL"):
      self = .baseURL(upstream: String(name.dropLast(".baseURL".count)))
    case ("path", let name?) where !name.isEmpty: self = .path(String(name))
    case ("query", let name?) where !name.isEmpty: self = .query(String(name))
    case ("header", let name?) where !name.isEmpty: self = .header(String(name))
    case ("body", nil): self = .body("")
    case ("state", let name?) where !name.isEmpty:
      let isList = name.hasSuffix(".*")
      let name = Template(String(isList ? name.dropLast() : name))
      guard name.mistakes.isEmpty else { return nil }
      self = isList ? .states(name) : .state(name)
    case ("body", let pointer?) where pointer.hasPrefix("/"): self = .body(String(pointer))
    case ("uuid", nil): self = .uuid
    case ("counter", nil): self = .counter
    case ("random", let range?):
      let parts = range.split(separator: "-", omittingEmptySubsequences: false)
      let bounds = parts.compactMap { $0.hasPrefix("+") ? nil : Int($0) }
      guard parts.count == 2, bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
      self = .random(bounds[0]...bounds[1])
    default: return nil
    }
  }
}
