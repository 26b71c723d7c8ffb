import UnderstudyClient
import UnderstudyCore
import UnderstudyDrafting
import UnderstudySecrets

/// The requests of one service call, redirects included.
extension [LiveExchange] {
  /// Names the last request before the outcome of the service: `; request 2 of 2, page 2:
  /// GET https://api.github.com/orgs/apple/repos?page=2, status 200`; empty for an only one.
  var lastNote: String { indices.last.map(note) ?? "" }

  /// Names the request that this exchange belongs to; empty for an only one.
  func note(at index: Int) -> String {
    let count = self.count(where: \.isFirst)
    guard count > 1 else { return "" }
    let number = prefix(through: index).count(where: \.isFirst)
    let page = page(at: index)
    return "; request \(number) of \(count)\(page > 1 ? ", page \(page)" : ""):"
      + " \(self[index].words)"
  }

  /// From 1 on, counting the different requests by the same method to the same path.
  func page(at index: Int) -> Int {
    if index == startIndex { return 1 }
    let own = self[index].first
    return Set(
      prefix(through: index).filter {
        $0.isFirst && $0.method == own.method && $0.request.address == own.request.address
      }.map(\.target)
    ).count
  }
}

extension LiveExchange {
  /// Whether no redirect led to it.
  fileprivate var isFirst: Bool { redirects.isEmpty }

  fileprivate var first: LiveExchange { redirects.first ?? self }

  private static let urlLengthMax = 300

  /// `GET https://api.github.com/orgs/apple/repos?page=2, status 200`
  fileprivate var words: String {
    let query = request.url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
    let url =
      request.address
      + (query.isEmpty ? "" : "?\(SecretMask.standard.masked(query: String(query)))")
    let shown = String(String.UnicodeScalarView(url.unicodeScalars.prefix(Self.urlLengthMax)))
    let ending =
      switch outcome {
      case .response(let response): "status \(response.status)"
      case .failure(let error): "no response (\(error.kind.name))"
      case .withheld: "not sent"
      }
    return "\(method) \(shown.visible), \(ending)"
  }
}
