import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// The contracts that an operation was exported from.
struct OpenAPIOrigin {
  let originals: [ContractDraft]
  private let digest: String

  init(contracts: [Contract], digest: String) {
    originals = contracts.map { contract in
      ContractDraft(
        named: contract.name, of: contract.source, files: contract.bodyFiles)
    }
    self.digest = digest
  }

  /// - Parameters:
  ///   - operation: without this.
  ///   - schemas: the digest of those that operations refer to.
  static func digest(
    method: String, path: String, operation: JSONValue?, schemas: String
  ) -> String {
    ContractOrigin.digest(of: [JSONText.strings([method, path, schemas]).root, operation])
  }

  /// - Parameter schemas: those of the components, if there are any.
  static func digest(ofSchemas schemas: JSONValue?) -> String {
    ContractOrigin.digest(of: [schemas?.count == 0 ? nil : schemas])
  }

  var written: JSONText {
    [
      "digest": .string(digest),
      "contracts": .array(
        originals.map { original in
          [
            "name": .string(original.name), "source": original.text,
            "files": original.files.isEmpty
              ? nil
              : .object(original.files.map { ($0.path, .string(Base64.encode($0.bytes))) }),
          ]
        }),
    ]
  }

  /// `nil` where an operation was not exported, or has changed since.
  init?(of operation: OpenAPIOperation, schemas: String) {
    guard let value = operation.node.value[OpenAPIExport.key], let digest = value["digest"]?.string
    else { return nil }
    let others = operation.node.value.members.filter { $0.key != OpenAPIExport.key }
    let rest = JSONText.object(others.map { ($0.key, .value($0.value)) }).root
    guard
      digest
        == Self.digest(
          method: operation.method, path: operation.path, operation: rest, schemas: schemas)
    else { return nil }
    var originals: [ContractDraft] = []
    for contract in (value["contracts"] ?? .null).elements {
      var files: [(path: String, bytes: [UInt8])] = []
      for file in (contract["files"] ?? .null).members {
        guard ContractOrigin.isBodyFile(file.key),
          let bytes = file.value.string.flatMap(Base64.decode)
        else { return nil }
        files.append((file.key, bytes))
      }
      guard let name = contract["name"]?.string, ContractOrigin.isName(name),
        let source = contract["source"]
      else { return nil }
      originals.append(ContractDraft(named: name, of: source, files: files))
    }
    self.originals = originals
    self.digest = digest
  }
}

extension OpenAPIOrigin {
  /// What a document was exported from, if nobody has changed what it says of the API since.
  static func upstream(of root: JSONValue) -> ContractOrigin.Upstream? {
    let value = root[OpenAPIExport.key]
    guard value?["digest"]?.string == digest(ofAPI: root) else { return nil }
    return ContractOrigin.Upstream(value?["upstream"])
  }

  /// - Parameter root: of the document.
  static func written(_ upstream: ContractOrigin.Upstream, _ root: JSONValue?) -> JSONText {
    ["digest": .string(digest(ofAPI: root ?? .null)), "upstream": upstream.written]
  }

  private static func digest(ofAPI root: JSONValue) -> String {
    ContractOrigin.digest(of: [
      root["info"], root["servers"], root["security"], root["components"]?["securitySchemes"],
    ])
  }
}
