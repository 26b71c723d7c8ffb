import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

extension OpenAPIDescription {
  /// What else a path item has.
  private static let others: Set = ["$ref", "summary", "description", "servers", "parameters"]
  static let methods = RequestPattern.methods.map { $0.lowercased() }

  /// The operations of all paths, in the order of the document; `notes` get what is left out.
  func operations(notes: inout [ImportNote]) throws(Failure) -> [OpenAPIOperation] {
    var operations: [OpenAPIOperation] = []
    for (path, written) in root["paths"]?.members ?? [] {
      let item: OpenAPINode
      switch try resolved(written) {
      case .success(let target): item = target
      case .failure(let missing):
        notes.append(written.note(.leftOut, path, because: missing.reason))
        continue
      }
      // A path item may have members beside its reference.
      let items = item.identity == written.identity ? [item] : [item, written]
      for (key, node) in items.flatMap(\.members) where !Self.others.contains(key) {
        let subject = "\(key.uppercased()) \(path)"
        if !Self.methods.contains(key) {
          let reason =
            Self.methods.contains(key.lowercased())
            ? "methods are written in lower case: \(key.lowercased())"
            : "a contract has no method \(key.uppercased().visible)"
          notes.append(node.note(.leftOut, subject, because: reason))
        } else if node.value.kind != .object {
          notes.append(
            node.note(
              .leftOut, subject, because: "an operation is \(node.value.summary), not an object"))
        } else {
          operations.append(
            try OpenAPIOperation(key.uppercased(), path, node, of: items, in: self))
        }
      }
    }
    return operations
  }
}
