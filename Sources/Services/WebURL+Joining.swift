import UnderstudyClient

extension WebURL {
  /// The address of something beneath this one; fails for a part that would name something else.
  func appending(
    _ segments: String..., query: [(name: String, value: String)] = []
  ) throws(ServiceError) -> WebURL {
    if let url = appending(segments, query: query) { return url }
    for segment in segments where appending([segment]) == nil {
      throw .invalidURL("\(text): found \"\(segment)\" as a part of the path")
    }
    throw .invalidURL("/" + segments.joined(separator: "/"))
  }
}
