import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Reads `events`.
struct EventsReader {
  private static let contentKeys = ["data", "event", "id", "retry"]
  private static let names = JSONNames(contentKeys + ["after"])

  let complaints: Complaints

  func read(_ value: JSONValue) -> [ServerEvent] {
    guard value.kind == .array else {
      complaints.add(
        .wrongType, at: value, "found \(value.summary), expected an array of events",
        fix: value.kind == .object ? "put it in brackets: [{ … }]" : nil)
      return []
    }
    var ids: Set<ExactText> = []
    return value.elements.compactMap { element in
      guard let event = event(element) else { return nil }
      if let id = event.id, !ids.insert(ExactText(id)).inserted, let place = element["id"] {
        complaints.add(
          .badValue, at: place, "id \"\(id)\" is given twice",
          fix: "choose another: clients resume after the id of the last event they got")
      }
      return event
    }
  }

  private func event(_ value: JSONValue) -> ServerEvent? {
    guard let fields = Fields(value, of: "an event", keys: Self.names, complaints) else {
      return nil
    }
    if fields.first(of: Self.contentKeys) == nil {
      complaints.add(
        .missingKey, at: value, "the event has no content",
        fix: "add \"data\", \"event\", \"id\" or \"retry\"")
    }
    let data = fields["data"]
    return ServerEvent(
      event: line("event", fields), id: line("id", fields), retry: fields.duration("retry"),
      data: data.map { $0.string ?? String(decoding: $0.compact, as: UTF8.self) },
      isJSON: data.map { $0.kind != .string } ?? false,
      after: fields.duration("after") ?? .zero, source: value)
  }

  private func line(_ key: String, _ fields: Fields) -> String? {
    guard let text = fields.string(key) else { return nil }
    if text.utf8.contains(where: { $0 == .newline || $0 == .carriageReturn || $0 == 0 }) {
      fields.complain(
        .badValue, key, "found a line break or NUL in \"\(key)\", expected one line of text",
        fix: "remove it; only \"data\" has several lines")
    }
    return text
  }
}
