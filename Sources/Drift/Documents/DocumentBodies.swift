import UnderstudyInterchange
import UnderstudyJSON
import UnderstudySchema

extension DocumentedResponse.Content {
  private static let alternativesMax = 8
  private static let listedMax = 64

  /// Bodies that the document allows, always the same: its examples; then made ones: complete, only
  /// what is required, null wherever it may be, arrays as empty as they may be, each alternative,
  /// and each value of a list.
  ///
  /// - Parameter example: whose values made bodies have where the document allows them.
  func bodies(like example: JSONValue) -> [JSONText] {
    guard let rule = schema?.rule else { return examples }
    var bodies = examples
    let maker = SchemaExample(rule.root, rule.schema)
    let filled = FilledBody(rule.root, rule.schema, like: example)
    func add(_ made: JSONText?, unlike plain: JSONText? = nil) {
      guard let made else { return }
      let body = filled.filled(made, unlike: plain)
      if !bodies.contains(body) { bodies.append(body) }
    }
    add(maker.value)
    let changes: [(inout SchemaExample.Choice) -> Void] = [
      { $0.isComplete = false }, { $0.isNull = true }, { $0.isSparse = true },
    ]
    for change in changes {
      var choice = SchemaExample.Choice()
      change(&choice)
      add(maker.value(choice))
    }
    var choice = SchemaExample.Choice()
    choice.usesExamples = false
    let plain = maker.value(choice)
    var made = plain.map { [$0] } ?? []
    for alternative in 1..<Self.alternativesMax {
      choice.alternative = alternative
      guard let other = maker.value(choice), !made.contains(other) else { continue }
      made.append(other)
      add(other)
    }
    choice.alternative = 0
    for listed in 1..<Self.listedMax {
      choice.listed = listed
      // After the longest list all values come again.
      guard let other = maker.value(choice), other != plain else { break }
      add(other, unlike: plain)
    }
    return bodies
  }
}
