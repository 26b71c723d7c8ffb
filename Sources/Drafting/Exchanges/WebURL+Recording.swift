package import UnderstudyCore

extension WebURL {
  /// A URL that can be recorded; a fragment is dropped.
  package init?(recording text: String) {
    guard let url = WebURL(String(text.prefix { $0 != "#" })),
      RecordedExchange.canRecord(path: url.path)
    else { return nil }
    self = url
  }

  /// The path below a base URL, with a leading slash; `nil` when the URL is not below it.
  package func path(below base: WebURL) -> String? {
    base.remainder(of: self).map { $0.isEmpty ? "/" : $0 }
  }
}
