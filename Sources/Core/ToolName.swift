/// The name of the running executable, for the commands that texts tell a user to type.
///
/// Texts are written for `understudy`. An executable with consumers of its own, such as `showcase`,
/// shows them with its own name.
package struct ToolName: Hashable, Sendable {
  package static let standard = ToolName("understudy", verbs: [])

  private let name: String
  /// The second words of its commands: other mentions of `understudy` mean the product.
  private let verbs: [String]

  package init(_ name: String, verbs: [String]) {
    (self.name, self.verbs) = (name, verbs)
  }

  /// The text with this tool's commands: `run understudy test` becomes `run showcase test`.
  package func inserted(in text: String) -> String {
    let standard = Self.standard.name
    guard name != standard, text.contains(standard) else { return text }
    return verbs.reduce(text) { $0.replacing("\(standard) \($1)", with: "\(name) \($1)") }
  }
}
