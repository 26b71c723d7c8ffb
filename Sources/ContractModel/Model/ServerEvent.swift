import UnderstudyCore
package import UnderstudyJSON

/// One event of an event stream, `text/event-stream` in the HTML standard.
package struct ServerEvent: Sendable {
  /// `message` for clients when there is none.
  package let event: String?
  package let id: String?
  /// How long a client waits before it connects again.
  package let retry: Duration?
  /// Text of any number of lines, or JSON without white space between tokens.
  package let data: String?
  package let isJSON: Bool
  /// The time from the event before, or from the head.
  package let after: Duration
  let source: JSONValue

  package init(
    event: String? = nil, id: String? = nil, retry: Duration? = nil, data: String?,
    isJSON: Bool = false, after: Duration = .zero, source: JSONValue = .null
  ) {
    self.event = event
    self.id = id
    self.retry = retry
    self.data = data
    self.isJSON = isJSON
    self.after = after
    self.source = source
  }

  package var retryMilliseconds: Int? { retry.map { Int(clamping: $0 / .milliseconds(1)) } }

  /// As sent, without the values of templates.
  package var bytes: [UInt8] {
    var text = ""
    if let event { text += "event: \(event)\n" }
    if let id { text += "id: \(id)\n" }
    if let retryMilliseconds { text += "retry: \(retryMilliseconds)\n" }
    if let data {
      for line in Self.lines(of: data) { text += "data: \(line)\n" }
    }
    return Array("\(text)\n".utf8)
  }

  /// The lines of a text, of which the standard knows three ends; at least one.
  package static func lines(of text: String) -> [String] {
    var lines: [String] = []
    var start = text.utf8.startIndex
    var index = start
    while index < text.utf8.endIndex {
      let byte = text.utf8[index]
      let next = text.utf8.index(after: index)
      guard byte == .newline || byte == .carriageReturn else {
        index = next
        continue
      }
      lines.append(String(text[start..<index]))
      let isPair =
        byte == .carriageReturn && next < text.utf8.endIndex && text.utf8[next] == .newline
      index = isPair ? text.utf8.index(after: next) : next
      start = index
    }
    return lines + [String(text[start...])]
  }
}
