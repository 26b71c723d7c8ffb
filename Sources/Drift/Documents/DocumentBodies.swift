import UnderstudyInterchange
import UnderstudyJSON
import UnderstudySchema

/// Bodies that a document allows, always the same: its examples; then made ones: complete, arrays
/// as empty as they may be, with each alternative, only what is required, null wherever it may be,
/// and each value of a list.
struct DocumentBodies {
  private static let alternativesMax = 8
  private static let listedMax = 64
  private static let variedMax = 12

  private(set) var bodies: [JSONText]
  private let filled: FilledBody
  private let variants: BodyVariants
  /// The places where a body differs from the contract.
  private let differing: (JSONText) -> [[BodyStep]]

  /// - Parameters:
  ///   - examples: of the document.
  ///   - example: of the contract; made bodies have its values where the document allows them.
  ///   - differing: where a body differs from the contract. Of several places that one change makes
  ///     different, each gets a body of its own, which shows whom it breaks.
  init(
    _ examples: [JSONText], of rule: DocumentedSchema.Rule, like example: JSONValue,
    differing: @escaping (JSONText) -> [[BodyStep]]
  ) {
    bodies = examples
    filled = FilledBody(rule.root, rule.schema, like: example)
    variants = BodyVariants(rule.root, rule.schema)
    self.differing = differing
    let maker = SchemaExample(rule.root, rule.schema)
    var choice = SchemaExample.Choice()
    choice.isSparse = true
    for made in [maker.value, maker.value(choice)] { add(made) }
    choice = SchemaExample.Choice()
    choice.usesExamples = false
    let plain = maker.value(choice)
    var made = plain.map { [$0] } ?? []
    for alternative in 1..<Self.alternativesMax {
      choice.alternative = alternative
      guard let other = maker.value(choice), !made.contains(other) else { continue }
      made.append(other)
      add(other)
    }
    for body in bodies.prefix(Self.variedMax) { addVariants(of: body) }
    choice.alternative = 0
    for listed in 1..<Self.listedMax {
      choice.listed = listed
      // After the longest list all values come again.
      guard let other = maker.value(choice), other != plain else { break }
      add(other, unlike: plain)
    }
  }

  private mutating func add(_ made: JSONText?, unlike plain: JSONText? = nil) {
    guard let made else { return }
    append(filled.filled(made, unlike: plain))
  }

  private mutating func append(_ body: JSONText) {
    if !bodies.contains(body) { bodies.append(body) }
  }

  private mutating func addVariants(of body: JSONText) {
    let known = differing(body)
    for level in BodyVariants.levels {
      for change in BodyVariants.Change.allCases {
        guard let variant = variants.variant(of: body, change, at: level) else { continue }
        let paths = differing(variant).filter { !known.contains($0) }
        for path in paths where paths.count > 1 {
          if let one = variants.variant(of: body, change, at: level, only: path) { append(one) }
        }
        append(variant)
      }
    }
  }
}
