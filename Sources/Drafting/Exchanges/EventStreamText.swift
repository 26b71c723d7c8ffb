import UnderstudyContractModel
import UnderstudyJSON

/// Reads `text/event-stream` as the HTML standard says.
enum EventStreamText {
  private static let eventCountMax = 1_000

  /// The events of a stream, without its comments; `nil` for one that ends within an event, has no
  /// events, or says what a contract cannot.
  static func events(in text: String) -> [ServerEvent]? {
    var events: [ServerEvent] = []
    var ids: Set<String> = []
    var block = Block()
    let lines = ServerEvent.lines(of: text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
    guard lines.last == "" else { return nil }
    for line in lines.dropLast() {
      guard line.isEmpty else {
        guard block.add(line) else { return nil }
        continue
      }
      guard let event = block.event else { continue }
      if let id = event.id, !ids.insert(id).inserted { return nil }
      events.append(event)
      guard events.count <= eventCountMax else { return nil }
      block = Block()
    }
    return block.event == nil && !events.isEmpty ? events : nil
  }

  /// The lines up to an empty one.
  private struct Block {
    private var name: String?
    private var id: String?
    private var retry: Duration?
    private var lines: [String] = []

    /// `nil` without fields.
    var event: ServerEvent? {
      if name == nil, id == nil, retry == nil, lines.isEmpty { return nil }
      let data = lines.isEmpty ? nil : lines.joined(separator: "\n")
      let json = data.flatMap { JSONDocument(valid: Array($0.utf8)) }
      if let json, json.root.kind == .object || json.root.kind == .array {
        let compact = String(decoding: json.root.compact, as: UTF8.self)
        return ServerEvent(event: name, id: id, retry: retry, data: compact, isJSON: true)
      }
      return ServerEvent(event: name, id: id, retry: retry, data: data)
    }

    /// Fails for a value that a contract cannot have.
    mutating func add(_ line: String) -> Bool {
      let field = line.prefix { $0 != ":" }
      var value = line[field.endIndex...].dropFirst()
      if value.first == " " { value = value.dropFirst() }
      switch field {
      case "data": lines.append(String(value))
      case "event": name = String(value)
      case "id":
        if value.utf8.contains(0) { return false }
        id = String(value)
      case "retry":
        guard let count = Int(value), count >= 0, count < 1_000_000_000 else { return false }
        retry = .milliseconds(count)
      default: break
      }
      return true
    }
  }
}
