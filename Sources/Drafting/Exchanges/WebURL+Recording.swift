package import UnderstudyCore

extension WebURL {
  /// One that contracts can be made of; a fragment is left out.
  package init?(recording text: String) {
    guard let url = WebURL(String(text.prefix { $0 != "#" })),
      RecordedExchange.canRecord(path: url.path)
    else { return nil }
    self = url
  }

  /// The path beneath a base URL, with a slash at its beginning; `nil` when this is not beneath it.
  package func path(beneath base: WebURL) -> String? {
    base.remainder(of: self).map { $0.isEmpty ? "/" : $0 }
  }
}
