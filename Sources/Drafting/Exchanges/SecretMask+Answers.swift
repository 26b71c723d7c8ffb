import UnderstudyContractModel
package import UnderstudySecrets

extension SecretMask {
  /// A live answer without the secrets in it: a text stays a text and a number that a name hides
  /// becomes 0, so that types are what they were.
  package func masked(_ answer: LiveAnswer) -> LiveAnswer {
    LiveAnswer(
      status: answer.status, headers: masked(answer.headers),
      body: masked(answer.body, of: answer.header("content-type") ?? ""),
      latency: answer.latency, wholeAt: answer.wholeAt)
  }
}
