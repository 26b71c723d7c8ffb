import UnderstudyCore
import UnderstudyJSON

extension OpenAPIDescription {
  private static let methods = ["get", "head", "post", "put", "patch", "delete", "options"]

  /// Those of all paths, in the order of the document; `notes` get what is left out.
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
      for source in item.identity == written.identity ? [item] : [item, written] {
        for (key, node) in source.members where node.value.kind == .object {
          guard Self.methods.contains(key) else {
            if key == "trace" || key == "query" {
              notes.append(
                node.note(
                  .leftOut, "\(key.uppercased()) \(path)",
                  because: "a contract has no method \(key.uppercased())"))
            }
            continue
          }
          operations.append(
            try OpenAPIOperation(key.uppercased(), path, node, of: item, in: self))
        }
      }
    }
    return operations
  }
}
