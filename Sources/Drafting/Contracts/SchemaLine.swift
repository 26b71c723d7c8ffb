import UnderstudyCore
package import UnderstudyJSON
import UnderstudySystem

/// The `$schema` of a file, by which editors find the format.
package enum SchemaLine {
  /// `nil` where the folder of contracts does not have the schema.
  ///
  /// - Parameter kind: `contract` or `upstream`.
  package static func address(of kind: String, in folder: String) -> JSONText? {
    let name = "\(kind).schema.json"
    let path = folder == "." ? name : "\(folder)/\(name)"
    guard (try? FileRoot(folder).kind(of: path)) == .some(.file) else { return nil }
    return "../\(name)"
  }
}
