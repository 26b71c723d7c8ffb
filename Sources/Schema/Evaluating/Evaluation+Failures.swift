import UnderstudyCore

import UnderstudyJSON

extension Evaluation {
  /// One failure without its position: finding a position means searching the text, and most failed
  /// alternatives are never shown.
  struct Failure {
    enum Place {
      case value(JSONValue)
      /// The value of a member, shown at the member's name.
      case key(JSONMember)
    }

    let place: Place
    let schema: JSONValue
    let document: Int
    let keyword: String
    let message: String
    /// The text after "expected" in the message, if the message says nothing else.
    let expected: String?
    /// How deeply the value is nested.
    let depth: Int
    /// The number of alternatives, if this is a failure of the nearest one.
    var alternatives: Int?
  }

  func value(at cursor: JSONCursor) -> JSONValue { document.value(at: cursor) }

  func place(of cursor: JSONCursor) -> Failure.Place { .value(value(at: cursor)) }

  /// Records that a keyword expected another value.
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

  /// Records another failure of a keyword.
  mutating func fail(
    _ keyword: Keyword, of node: SchemaNode, at place: Failure.Place,
    _ message: @autoclosure () -> String
  ) {
    guard !stopsEarly else { return }
    record(
      failure(keyword, at: place, of: node, schema: node.source[keyword.rawValue], message()))
  }

  /// Records that a whole schema rejects a value.
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

  /// What was probably meant. Words of one or two letters are too short to compare.
  static func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
    word.unicodeScalars.count > 2 ? Spelling.suggestion(for: word, among: candidates) : nil
  }

  mutating func record(_ failure: Failure) {
    if !stopsEarly { failures.append(failure) }
  }

  /// The failures with positions, without duplicates: several paths may lead to one keyword.
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
        of: written(failure.schema), in: program.documents[failure.document]),
      keyword: failure.keyword, message: failure.message + note)
  }
}
