/// A request that anybody can send with a browser or a short command.
package struct ExampleGet: Sendable {
  package let contract: Contract
  /// The path below the base URL, with the query.
  package let target: String

  package func url(below baseURL: String) -> String { baseURL + target }
}

extension Upstream {
  /// The first that a contract responds to with a good case; `nil` where none responds to a `GET`
  /// without headers and body.
  package var exampleGet: ExampleGet? {
    for contract in contracts where contract.request.method == "GET" {
      guard let served = contract.defaultCase, served.kind == .good,
        let request = try? contract.exampleRequest(for: served), request.headers.isEmpty,
        request.body.isEmpty
      else { continue }
      let query = request.query.map { "?\($0)" } ?? ""
      return ExampleGet(contract: contract, target: request.path + query)
    }
    return nil
  }
}
