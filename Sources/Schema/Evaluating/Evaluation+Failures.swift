import UnderstudyCore

import UnderstudyJSON

extension Evaluation {
  /// One thing that is wrong, not yet with its place: a place costs a search through the text, and
  /// most alternatives that fail are never shown.
  struct Failure {
    enum Place {
      case value(JSONValue)
      /// The value of a member, shown where its name stands.
      case key(JSONMember)
    }

    let place: Place
    let schema: JSONValue
    let document: Int
    let keyword: String
    let message: String
    /// What stands after "expected" in the message, if nothing else matters.
    let expected: String?
    /// How many containers stand around the value.
    let depth: Int
    /// Of how many alternatives this is about the nearest.
    var alternatives: Int?
  }

  func value(at cursor: JSONCursor) -> JSONValue { document.value(at: cursor) }

  func place(of cursor: JSONCursor) -> Failure.Place { .value(value(at: cursor)) }

  /// Notes that a value was found where a keyword expected another.
  mutating func fail(
    _ keyword: Keyword, of node: SchemaNode, _ instance: JSONCursor,
    found: (JSONValue) -> String, expected: @autoclosure () -> String,
    fix: (JSONValue) -> String? = { _ in nil }
  ) {
    guard !stopsEarly else { return }
    let (value, expected) = (value(at: instance), expected())
    let message =
      "found \(found(value)), expected \(expected)" + (fix(value).map { ": \($0)" } ?? "")
    record(
      failure(
        keyword, at: .value(value), of: node, schema: node.source[keyword.rawValue], message,
        expected: expected))
  }

  /// Notes something else a keyword has against a value.
  mutating func fail(
    _ keyword: Keyword, of node: SchemaNode, at place: Failure.Place,
    _ message: @autoclosure () -> String
  ) {
    guard !stopsEarly else { return }
    record(
      failure(keyword, at: place, of: node, schema: node.source[keyword.rawValue], message()))
  }

  /// Notes that a whole schema refuses a value.
  mutating func fail(
    _ keyword: Keyword?, at place: Failure.Place, schema node: SchemaNode,
    _ message: @autoclosure () -> String
  ) {
    guard !stopsEarly else { return }
    record(failure(keyword, at: place, of: node, schema: node.source, message()))
  }

  func failure(
    _ keyword: Keyword?, at place: Failure.Place, of node: SchemaNode, schema: JSONValue?,
    _ message: String, expected: String? = nil
  ) -> Failure {
    let context = named.map { "in the name \"\($0.key)\": " } ?? ""
    return Failure(
      place: named.map { .key($0) } ?? place, schema: schema ?? node.source,
      document: node.document, keyword: keyword?.rawValue ?? "false", message: context + message,
      expected: expected, depth: depth)
  }

  /// What was probably meant. One or two letters are near to any other one or two.
  static func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
    word.unicodeScalars.count > 2 ? Spelling.suggestion(for: word, among: candidates) : nil
  }

  mutating func record(_ failure: Failure) {
    if !stopsEarly { failures.append(failure) }
  }

  /// What was found, with places, each once: several ways may lead to one keyword.
  var complaints: [SchemaComplaint] {
    var seen: Set<SchemaComplaint> = []
    return (failures + (halt.map { [$0] } ?? [])).map(complaint).filter {
      seen.insert($0).inserted
    }
  }

  private func complaint(_ failure: Failure) -> SchemaComplaint {
    let (value, position) =
      switch failure.place {
      case .value(let value): (value, value.position)
      case .key(let member): (member.value, member.keyPosition)
      }
    let note = failure.alternatives.map { " (the nearest of \($0) alternatives)" } ?? ""
    return SchemaComplaint(
      instancePointer: value.pointer, instancePosition: position,
      schemaPlace: SchemaPlace(
        of: failure.schema, in: program.documents[failure.document]),
      keyword: failure.keyword, message: failure.message + note)
  }
}
