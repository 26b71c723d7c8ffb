/// Something in a schema that is wrong, or that has no effect.
package struct SchemaProblem: Hashable, Sendable {
  package let place: SchemaPlace
  /// One sentence without a full stop: `found string "3" as "maxLength", expected …`.
  package let message: String
  /// What to do about it, as an instruction.
  package let fix: String?
}

extension SchemaProblem: CustomStringConvertible {
  package var description: String {
    let place =
      place.document.isEmpty ? "\(place.position)" : "\(place.document):\(place.position)"
    return "\(place): \(message)" + (fix.map { "\n  fix: \($0)" } ?? "")
  }
}

/// Everything that is wrong with a schema, in the order of its text; never empty.
package struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  package let problems: [SchemaProblem]

  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}
