import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

/// The paths and query that a stub's URL matches.
struct WireMockURL {
  typealias Unusable = WireMockStub.Unusable
  typealias Item = JavaPattern.Item

  /// One path, with conditions on its parameters.
  struct Path: Hashable {
    /// Literals as in URLs; `nil` for a parameter.
    var segments: [String?] = []
    var hasTail = false
    /// The patterns for values of parameters, by the parameter's number among all segments, or by
    /// their count for the tail.
    var patterns: [Int: String] = [:]
    /// The names of parameters, where the stub has them.
    var names: [Int: String] = [:]

    /// `/things/{p2}`
    var template: String {
      let parts = segments.enumerated().map { $1 ?? "{\(name(of: $0))}" }
      let tail = hasTail ? ["{rest...}"] : []
      return "/" + (parts + tail).joined(separator: "/")
    }

    func name(of index: Int) -> String {
      index == segments.count && hasTail ? "rest" : names[index] ?? "p\(index + 1)"
    }

    /// What tells paths apart: parameters count whatever their name.
    var shape: [String] {
      segments.map { $0.map { "/\($0)" } ?? "{}" } + (hasTail ? ["..."] : [])
    }
  }

  /// Whether a request may have query parameters that have no condition.
  enum FurtherQuery { case allowed, forbidden }

  /// A path, with what it asks of the query.
  struct Variant {
    var path: Path
    /// Conditions by name.
    var query: [(name: String, condition: JSONText)] = []
    var furtherQuery = FurtherQuery.allowed

    /// Whether it takes whatever the other takes.
    fileprivate func covers(_ other: Variant) -> Bool {
      var shortened = path
      shortened.hasTail = other.path.hasTail
      let hasPath = path == other.path || path.hasTail && shortened == other.path
      return hasPath && query.isEmpty && furtherQuery == .allowed
    }
  }

  private(set) var variants: [Variant] = []
  private(set) var notes: [(kind: ImportNote.Kind, pointer: String, reason: String)] = []

  private static let pathCountMax = 16

  init(_ request: JSONValue) throws(Unusable) {
    if let text = request["url"]?.string {
      try readURL(text)
    } else if let text = request["urlPattern"]?.string {
      try readPattern(text, "/request/urlPattern", hasQuery: true)
    } else if let text = request["urlPath"]?.string {
      variants = [Variant(path: Self.path(of: text))]
    } else if let text = request["urlPathPattern"]?.string {
      try readPattern(text, "/request/urlPathPattern", hasQuery: false)
    } else if let text = request["urlPathTemplate"]?.string {
      variants = [Variant(path: try Self.template(text))]
    } else {
      variants = [Variant(path: Path(hasTail: true))]
    }
  }

  private mutating func note(_ kind: ImportNote.Kind, _ pointer: String, _ reason: String) {
    guard !notes.contains(where: { $0 == (kind, pointer, reason) }) else { return }
    notes.append((kind, pointer, reason))
  }

  // MARK: - Texts

  private static func path(of text: String) -> Path {
    let text = text.dropFirst(text.hasPrefix("/") ? 1 : 0)
    guard !text.isEmpty else { return Path() }
    return Path(
      segments: text.split(separator: "/", omittingEmptySubsequences: false).map {
        String($0).encodedSegment
      })
  }

  private mutating func readURL(_ text: String) throws(Unusable) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var variant = Variant(path: Self.path(of: String(parts.first ?? "")), furtherQuery: .forbidden)
    defer { variants = [variant] }
    guard parts.count == 2 else { return }
    let values = PercentEncoding.parameters(of: String(parts[1]))
    variant.query = values.map {
      ($0.name, $0.values.count > 1 ? .strings($0.values) : .string($0.values[0]))
    }
    if values.count > 1 {
      note(.widened, "/request/url", "query parameters may come in any order")
    }
  }

  private static func template(_ text: String) throws(Unusable) -> Path {
    var path = Path()
    let parts = text.drop { $0 == "/" }.split(separator: "/", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() where text != "/" {
      if part == "**", index == parts.count - 1 {
        path.hasTail = true
      } else if part.hasPrefix("{"), part.hasSuffix("}") {
        path.names[path.segments.count] = String(part.dropFirst().dropLast()).parameterName
        path.segments.append(nil)
      } else if part.contains("{") {
        throw Unusable("/request/urlPathTemplate", "a parameter is only part of a segment")
      } else {
        path.segments.append(String(part).encodedSegment)
      }
    }
    return path
  }

  // MARK: - Patterns

  private mutating func readPattern(
    _ source: String, _ pointer: String, hasQuery: Bool
  ) throws(Unusable) {
    let pattern: JavaPattern
    do throws(JavaPattern.Unusable) {
      pattern = try JavaPattern(source)
    } catch {
      throw Unusable(pointer, error.reason)
    }
    var whole: [[Item]] = []
    for alternative in pattern.alternatives {
      whole += try flattened(alternative, pointer)
      guard whole.count <= Self.pathCountMax else {
        throw Unusable(pointer, "the pattern stands for more than \(Self.pathCountMax) paths")
      }
    }
    var all: [Variant] = []
    for items in whole.flatMap({ Self.withoutStart($0) }).map(\.withLooksInSegments) {
      let url = hasQuery ? Self.split(items) : (path: items, query: nil)
      var variant = Variant(path: try path(url.path, pointer, hasQuery: hasQuery))
      if let query = url.query {
        try readQuery(query, into: &variant, pointer)
      } else if hasQuery,
        url.path.last(where: { !$0.isPlace && !$0.isLook })?.node.canTake("?") != true
      {
        variant.furtherQuery = .forbidden
      }
      all.append(variant)
      // The last segment may be empty, where its pattern takes nothing.
      let last = variant.path.segments.count - 1
      if let pattern = variant.path.patterns[last], !variant.path.hasTail,
        (try? Pattern(pattern))?.matches("") == true
      {
        variant.path.patterns[last] = nil
        variant.path.segments[last] = ""
        all.append(variant)
      }
    }
    for variant in all {
      let isCovered =
        variants.contains { $0.covers(variant) }
        || all.contains { $0.path != variant.path && $0.covers(variant) }
      guard !isCovered else { continue }
      variants.removeAll { variant.covers($0) }
      variants.append(variant)
    }
  }

  /// Sequences without groups that a slash or a question mark is in: one for each way through them.
  private mutating func flattened(
    _ items: [Item], _ pointer: String
  ) throws(Unusable) -> [[Item]] {
    var all: [[Item]] = [[]]
    for item in items {
      var ways: [[Item]] = [[item]]
      if item.node.hasBoundary {
        ways = [[Item(node: item.node)]]
        if case .group(_, let alternatives) = item.node {
          ways = []
          for alternative in alternatives { ways += try flattened(alternative, pointer) }
        }
        let (min, max) = item.bounds
        if max != 0, max != 1 {
          guard item.node.isBoundaryOnly else {
            throw Unusable(pointer, "the pattern repeats something with a slash")
          }
          guard min <= 1 else {
            throw Unusable(pointer, "the pattern repeats a slash or a question mark \(min) times")
          }
          note(
            .narrowed, pointer,
            "a slash or question mark that the pattern may repeat is matched only once")
        }
        if min == 0 { ways = max == 0 ? [[]] : [[]] + ways }
      }
      all = all.flatMap { start in ways.map { start + $0 } }
      guard all.count <= Self.pathCountMax else {
        throw Unusable(pointer, "the pattern stands for more than \(Self.pathCountMax) paths")
      }
    }
    return all
  }

  /// `.*/cars` is also `/cars`.
  private static func withoutStart(_ items: [Item]) -> [[Item]] {
    let items = items.filter { !$0.isPlace }
    guard items.count > 1, items[0].isAnything, items[0].mayBeNothing, items[1].literal == "/"
    else { return [items] }
    return [items, Array(items.dropFirst())]
  }

  private static func split(_ items: [Item]) -> (path: [Item], query: [Item]?) {
    guard let mark = items.firstIndex(where: { $0.literal == "?" }) else { return (items, nil) }
    return (Array(items[..<mark]), Array(items[(mark + 1)...]))
  }

  private mutating func path(
    _ items: [Item], _ pointer: String, hasQuery: Bool
  ) throws(Unusable) -> Path {
    let items = items.filter { !$0.isPlace }.withoutEscapes
    guard items.first?.literal == "/" || items.first?.isAnything == true else {
      throw Unusable(
        pointer,
        items.first?.isLook == true
          ? "the pattern looks ahead over a slash" : "the pattern does not begin with a slash")
    }
    var path = Path()
    let parts = items.drop { $0.literal == "/" }
      .split(omittingEmptySubsequences: false) { $0.literal == "/" }
    if items.count == 1, items[0].literal == "/" { return path }
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let others = part.filter { !$0.isLook }
      if isLast, others.count == 1, others[0].isAnything, others.count < part.count {
        noteLooks(in: part, pointer, beyond: hasQuery ? "?" : "")
        try addTail(matching: part, to: &path, pointer)
        continue
      }
      let isEnd = isLast && part.last?.isAnything != true
      noteLooks(in: part, pointer, beyond: (isEnd ? "" : "/") + (hasQuery ? "?" : ""))
      if isLast, let last = part.last, last.isAnything {
        try addTail(
          after: part.dropLast(), to: &path, pointer, mayBeNothing: last.mayBeNothing)
        continue
      }
      let literals = part.map(\.literal)
      if literals.allSatisfy({ $0 != nil }) {
        var text = ""
        for case let scalar? in literals { text.unicodeScalars.append(scalar) }
        path.segments.append(text.encodedSegment)
        continue
      }
      let isOneSegment = part.count == 1 && part[part.startIndex].isOneSegment
      noteSlashes(
        in: part, pointer, mayBeEmpty: !isOneSegment || !part[part.startIndex].mayBeNothing)
      let pattern = JavaPattern.text(of: part)
      if !isOneSegment {
        path.patterns[path.segments.count] = try WireMockMatcher.checked(
          "^(?:\(pattern))$", pointer)
      }
      path.segments.append(nil)
    }
    return path
  }

  /// Says where a part of the pattern could take more, or less, than a segment.
  private mutating func noteSlashes(
    in part: some Sequence<Item>, _ pointer: String, mayBeEmpty: Bool
  ) {
    guard !mayBeEmpty || part.contains(where: { $0.node.canTake("/") }) else { return }
    note(.narrowed, pointer, "a parameter is one segment, without a slash and not empty")
  }

  /// Says where a look-around could look at more than the part of the URL that it belongs to.
  private mutating func noteLooks(
    in part: some Sequence<Item>, _ pointer: String, beyond separators: String
  ) {
    for look in part.flatMap(\.looks) where separators.unicodeScalars.contains(where: look.sees) {
      note(
        look.isNegated ? .widened : .narrowed, pointer,
        "a look-around ends with its part of the URL")
    }
  }

  /// All the rest of a path, with look-arounds on it.
  private mutating func addTail(
    matching part: ArraySlice<Item>, to path: inout Path, _ pointer: String
  ) throws(Unusable) {
    path.patterns[path.segments.count] = try WireMockMatcher.checked(
      "^(?:\(JavaPattern.text(of: part)))$", pointer)
    try addTail(after: [], to: &path, pointer)
  }

  /// What `.*` at the end takes: the rest of the segment, and all that follow.
  private mutating func addTail(
    after start: ArraySlice<Item>, to path: inout Path, _ pointer: String, mayBeNothing: Bool = true
  ) throws(Unusable) {
    if !start.isEmpty {
      noteSlashes(in: start, pointer, mayBeEmpty: true)
      if !mayBeNothing { note(.widened, pointer, "the rest of a path may be missing") }
      path.patterns[path.segments.count] = try WireMockMatcher.checked(
        "^\(JavaPattern.text(of: start))", pointer)
      path.segments.append(nil)
    } else if !path.segments.isEmpty || !mayBeNothing {
      note(.widened, pointer, "the tail of a path may be missing with its slash")
    }
    path.hasTail = true
  }

  /// Conditions from a pattern such as `page=[0-9]+&size=10`.
  private mutating func readQuery(
    _ items: [Item], into variant: inout Variant, _ pointer: String
  ) throws(Unusable) {
    var items = items.filter { !$0.isPlace }[...]
    let ends = [items.first, items.last].map { $0?.isAnything == true }
    while items.first?.isAnything == true {
      items = items.dropFirst()
      if let next = items.first, next.literal != "&" {
        note(.narrowed, pointer, "the name of a query parameter has no pattern")
      }
    }
    while items.last?.isAnything == true,
      items.count == 1 || items.dropLast().last?.literal == "&"
    {
      items = items.dropLast()
    }
    variant.furtherQuery = ends.contains(true) ? .allowed : .forbidden
    if items.isEmpty { note(.widened, pointer, "a request may also have no query") }
    for pair in items.split(whereSeparator: { $0.literal == "&" }) {
      let name = pair.prefix { $0.literal != "=" }
      var text = ""
      for item in name {
        guard let scalar = item.literal else {
          throw Unusable(pointer, "the name of a query parameter is a pattern")
        }
        text.unicodeScalars.append(scalar)
      }
      let value = pair.dropFirst(name.count + 1)
      guard !text.isEmpty, name.count < pair.count else {
        throw Unusable(pointer, "the pattern has more than names and values in its query")
      }
      if value.contains(where: { $0.node.canTake("&") && !$0.isAnything }) {
        note(.narrowed, pointer, "the value of a query parameter has no \"&\"")
      }
      noteLooks(in: value, pointer, beyond: "&")
      let pattern = try WireMockMatcher.checked("^(?:\(JavaPattern.text(of: value)))$", pointer)
      variant.query.append(
        (
          text.decodedQuery,
          value.count == 1 && value.first?.isAnything == true
            ? ["absent": false] : ["matches": .string(pattern)]
        ))
    }
    if variant.query.count + ends.count(where: { $0 }) % 2 > 1 {
      note(.widened, pointer, "query parameters may come in any order")
    }
  }
}

extension String {
  /// A segment of a URL as paths of contracts have it.
  var encodedSegment: String {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      let isEscape =
        byte == UInt8(ascii: "%") && rest.count >= 2
        && rest.prefix(2).allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
      // At the start of a segment, other tools mean a parameter by a colon.
      let isPlain = !"%{}?#*<>".utf8.contains(byte) && (byte != .colon || !bytes.isEmpty)
      if isEscape || byte > 0x20 && byte != 0x7F && isPlain {
        bytes.append(byte)
      } else {
        bytes += PercentEncoding.encode(String(Character(Unicode.Scalar(byte)))).utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  var decodedQuery: String { PercentEncoding.decode(self[...], plusIsSpace: true) ?? self }

  /// A name that a parameter of a path can have.
  var parameterName: String {
    String(decoding: utf8.map { $0.isLetterOrDigit ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
  }
}
