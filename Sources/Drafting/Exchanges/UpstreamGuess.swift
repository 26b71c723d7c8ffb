import UnderstudyContractModel
package import UnderstudyCore

/// The default name of an upstream.
package enum UpstreamGuess {
  private static let plainEndings: Set<String> = [
    "com", "org", "net", "io", "dev", "app", "co", "me",
  ]

  /// `github` for `https://api.github.com`, `dog-ceo` for `https://dog.ceo`, `localhost-3000` for
  /// `http://localhost:3000`: another port is another upstream.
  package static func name(for baseURL: WebURL) -> String {
    var labels = baseURL.host.split(separator: ".").map(String.init)
    let isAddress = labels.allSatisfy { Int($0) != nil } || baseURL.host.hasPrefix("[")
    if !isAddress {
      while labels.count > 2, ["api", "www"].contains(labels[0]) { labels.removeFirst() }
      if labels.count > 1, plainEndings.contains(labels[labels.count - 1]) { labels.removeLast() }
    }
    if let port = baseURL.port { labels.append("\(port)") }
    let name = labels.joined(separator: "-").slug
    return name.isEmpty ? "upstream" : name
  }

  /// `github`, or `api-github-com` beside another upstream of that name, or with a number.
  package static func freeName(
    for baseURL: WebURL, _ numbers: inout UniqueNames, isFree: (String) -> Bool
  ) -> String {
    let short = name(for: baseURL)
    if isFree(short) { return short }
    let whole = "\(baseURL.host) \(baseURL.port.map(String.init) ?? "")".slug
    return numbers.name(whole.isEmpty ? "upstream" : whole, isFree: isFree)
  }
}
