package import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
package import UnderstudyJSON

/// The contracts of an upstream as an OpenAPI 3.1 document.
///
/// What a document cannot say goes with each operation as `x-understudy`, so that importing it
/// gives the contracts back, as long as nobody has changed the operation.
package struct OpenAPIExport {
  static let key = "x-understudy"

  package let json: JSONText
  package let operationCount: Int

  package init(_ upstream: Upstream) {
    var components = OpenAPIComponents()
    var paths: [(key: String, value: [(key: String, value: JSONText?)])] = []
    var places: [String: Int] = [:]
    let operations = Self.operations(of: upstream)
    let written = operations.map { OpenAPIOperationText($0, &components).members }
    let schemas = OpenAPIOrigin.digest(ofSchemas: components.schemas.root)
    for (operation, members) in zip(operations, written) {
      let origin = OpenAPIOrigin(
        contracts: operation.contracts,
        digest: OpenAPIOrigin.digest(
          method: operation.method, path: operation.path, operation: JSONText.object(members).root,
          schemas: schemas))
      let member = (
        key: operation.method.lowercased(),
        value: Optional(JSONText.object(members + [(Self.key, origin.written)]))
      )
      if let place = places[operation.path] {
        paths[place].value.append(member)
      } else {
        places[operation.path] = paths.count
        paths.append((operation.path, [member]))
      }
    }
    operationCount = operations.count
    let security = Self.security(of: upstream)
    var document: [(key: String, value: JSONText?)] = [
      ("openapi", .string("3.1.0")),
      (
        "info",
        [
          "title": .string(upstream.summary ?? upstream.name), "version": "1",
          "contact": upstream.owner.map { ["name": .string($0)] },
        ]
      ),
      ("servers", upstream.baseURL.map { .array([["url": .string($0.text)]]) }),
      ("security", Self.requirements(security)),
      ("paths", .object(paths.map { ($0.key, .object($0.value)) })),
      (
        "components",
        components.isEmpty && security.isEmpty
          ? nil
          : [
            "schemas": components.isEmpty ? nil : components.schemas,
            "securitySchemes": security.isEmpty
              ? nil : .object(security.map { ($0.name, $0.scheme) }),
          ]
      ),
    ]
    if let origin = ContractOrigin.Upstream(upstream) {
      let root = JSONText.object(document).root
      document.append((Self.key, OpenAPIOrigin.written(origin, root)))
    }
    json = .object(document)
  }

  /// Contracts for the same requests but for their conditions are one operation; parameters have
  /// the names of the first.
  private static func operations(of upstream: Upstream) -> [OpenAPIOperationText.Operation] {
    var operations: [OpenAPIOperationText.Operation] = []
    var places: [[String]: Int] = [:]
    var names: [[String]: PathTemplate] = [:]
    for contract in upstream.contracts {
      guard let path = contract.request.paths.first else { continue }
      let shape = path.shape
      let template = names[shape] ?? path
      names[shape] = template
      let key = [contract.request.method] + shape
      if let place = places[key] {
        operations[place].contracts.append(contract)
      } else {
        places[key] = operations.count
        operations.append(
          OpenAPIOperationText.Operation(
            method: contract.request.method, template: template, contracts: [contract]))
      }
    }
    return operations
  }

  private static func security(
    of upstream: Upstream
  ) -> [(name: String, scheme: JSONText?, isOptional: Bool)] {
    let prefix = "understudy-\(upstream.name)-"
    return upstream.secrets.map { secret in
      // As another import names the variable.
      let slug = secret.environmentName.slug
      let name = slug.hasPrefix(prefix) ? String(slug.dropFirst(prefix.count)) : slug
      let isHTTP = HeaderName(secret.header) == "authorization"
      let scheme = secret.template.prefix { $0 != " " }.lowercased()
      let kind: [(key: String, value: JSONText?)] =
        isHTTP && (scheme == "bearer" || scheme == "basic")
        ? [("type", .string("http")), ("scheme", .string(scheme))]
        : [
          ("type", .string("apiKey")), ("in", .string("header")), ("name", .string(secret.header)),
        ]
      return (name, .object(kind), secret.isOptional)
    }
  }

  /// All that are needed together, or none where a request may go without.
  private static func requirements(
    _ security: [(name: String, scheme: JSONText?, isOptional: Bool)]
  ) -> JSONText? {
    guard !security.isEmpty else { return nil }
    let needed = security.filter { !$0.isOptional }
    let all = JSONText.object(security.map { ($0.name, .array([])) })
    let least = JSONText.object(needed.map { ($0.name, .array([])) })
    return .array(needed.count == security.count ? [all] : [all, least])
  }
}
