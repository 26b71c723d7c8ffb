import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudySecrets

extension SecretMask {
  /// A live answer without its secrets. Types are kept: a text stays a text, and a hidden number
  /// becomes 0.
  package func masked(_ answer: LiveAnswer) -> LiveAnswer {
    var known: [ExactText: String] = [:]
    return masked(answer, &known)
  }

  /// The same for one of many answers, which have most of their headers in common.
  ///
  /// - Parameter known: masked values by the lines of their headers.
  package func masked(
    _ answer: LiveAnswer, _ known: inout [ExactText: String]
  ) -> LiveAnswer {
    let headers = answer.headers.map { field in
      let line = ExactText("\(field.name):\(field.value)")
      if let value = known[line] { return HeaderField(name: field.name, value: value) }
      let value = masked(field.value, of: field.name)
      known[line] = value
      return HeaderField(name: field.name, value: value)
    }
    return LiveAnswer(
      status: answer.status, headers: headers,
      body: masked(answer.body, of: answer.header("content-type") ?? ""),
      cutFromByteCount: answer.cutFromByteCount, latency: answer.latency, wholeAt: answer.wholeAt)
  }
}
