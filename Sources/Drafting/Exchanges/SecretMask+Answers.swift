import UnderstudyContractModel
package import UnderstudySecrets

extension SecretMask {
  /// A live answer without its secrets. Types are kept: a text stays a text, and a hidden number
  /// becomes 0.
  package func masked(_ answer: LiveAnswer) -> LiveAnswer {
    LiveAnswer(
      status: answer.status, headers: masked(answer.headers),
      body: masked(answer.body, of: answer.header("content-type") ?? ""),
      cutFromByteCount: answer.cutFromByteCount, latency: answer.latency, wholeAt: answer.wholeAt)
  }
}
