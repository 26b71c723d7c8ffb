import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyHTTP

/// A limit for the clients of a server, which `--limit` changes by its name: `body=64M`.
struct ServeLimit: Sendable {
  static let option = Parameter.assignments(
    "limit", "NAME=VALUE", "Change a limit, such as body=64M.")

  private static let all = [
    ServeLimit("connections", .count, \.connectionCountMax, "Clients of each thread."),
    ServeLimit("head", .bytes(from: 256), \.message.headBytesMax, "Size of a request's head."),
    ServeLimit("headers", .count, \.message.fieldsMax, "Header lines of a request."),
    ServeLimit("body", .bytes(), \.message.bodyBytesMax, "Size of a request's body."),
    ServeLimit("request", .time, \.requestMax, "Time from its first byte to its last."),
    ServeLimit("idle", .time, \.idleMax, "Time of a connection without a request."),
    ServeLimit(
      "log", .count, \.journalRecordCountMax, "Requests that each thread remembers."),
    ServeLimit(
      "callbacks", .count, \.callbackCountMax, "Callbacks that wait or are under way."),
    ServeLimit(
      "sessions", .count, \.sessionCountMax,
      "Sessions (/~NAME/…); beyond them the least recently used is forgotten."),
  ]

  /// For help.
  static var table: String {
    let rows = all.map { ["\($0.name)=\($0.fallback)", $0.meaning] }
    let lines = TextLayout.aligned(rows, indent: 2, width: 80)
    return (["Limits that --limit changes, with their defaults:"] + lines).joined(separator: "\n")
  }

  private let name: String
  private let fallback: String
  private let meaning: String
  private let set: @Sendable (inout ServerLimits, String) throws(Failure) -> Void

  private init<Value>(
    _ name: String, _ format: ValueFormat<Value>,
    _ limit: any WritableKeyPath<ServerLimits, Value> & Sendable, _ meaning: String
  ) {
    (self.name, self.meaning) = (name, meaning)
    fallback = format.write(ServerLimits()[keyPath: limit])
    set = { limits, text throws(Failure) in
      limits[keyPath: limit] = try format.value(
        of: ArgumentSource(text: text, place: "--limit \(name)"))
    }
  }

  static func limits(_ arguments: ParsedArguments) throws(Failure) -> ServerLimits {
    var limits = ServerLimits()
    var given: [String: String] = [:]
    for word in try arguments.value(of: option) {
      guard let limit = all.first(where: { $0.name == word.name }) else {
        throw .unknownName(word.name, "limit", of: "--limit", known: all.map(\.name))
      }
      if let first = given.updateValue(word.value, forKey: word.name) {
        throw .givenTwice("--limit \(word.name)", first, word.value)
      }
      try limit.set(&limits, word.value)
    }
    return limits
  }
}
