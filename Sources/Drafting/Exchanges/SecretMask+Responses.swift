import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudySecrets

extension SecretMask {
  /// A live response without its secrets. Types are kept: a text stays a text, and a hidden number
  /// becomes 0.
  package func masked(_ response: LiveResponse) -> LiveResponse {
    var known: [ExactText: String] = [:]
    return masked(response, &known)
  }

  /// Masks one of many responses, which have most of their headers in common.
  ///
  /// - Parameter known: masked values by the lines of their headers.
  package func masked(
    _ response: LiveResponse, _ known: inout [ExactText: String]
  ) -> LiveResponse {
    let headers = response.headers.map { field in
      let line = ExactText("\(field.name):\(field.value)")
      if let value = known[line] { return HeaderField(name: field.name, value: value) }
      let value = masked(field.value, of: field.name)
      known[line] = value
      return HeaderField(name: field.name, value: value)
    }
    return LiveResponse(
      status: response.status, headers: headers,
      body: masked(response.body, of: response.header("content-type") ?? ""),
      cutFromByteCount: response.cutFromByteCount, latency: response.latency,
      wholeAt: response.wholeAt)
  }
}
