import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyHTTP

/// A limit for the clients of a server, which `--limit` changes by its name: `body=64M`.
struct ServeLimit: Sendable {
  static let option = Parameter<[Assignment]>.options(
    "limit", "NAME=VALUE", "Change a limit, such as body=64M.")

  private static let standard = ServerLimits()

  private static let all = [
    ServeLimit("connections", Count(standard.connectionCountMax), "Clients of each thread.") {
      $0.connectionCountMax = $1.value
    },
    ServeLimit("head", HeadByteCount(standard.message.headBytesMax), "Size of a request's head.") {
      $0.message.headBytesMax = $1.bytes.value
    },
    ServeLimit("headers", Count(standard.message.fieldsMax), "Header lines of a request.") {
      $0.message.fieldsMax = $1.value
    },
    ServeLimit("body", ByteCount(standard.message.bodyBytesMax), "Size of a request's body.") {
      $0.message.bodyBytesMax = $1.value
    },
    ServeLimit("request", Wait(standard.requestMax), "Time from its first byte to its last.") {
      $0.requestMax = $1.duration
    },
    ServeLimit("idle", Wait(standard.idleMax), "Time of a connection without a request.") {
      $0.idleMax = $1.duration
    },
    ServeLimit("log", Count(standard.journalRecordCountMax), "Requests that each thread remembers.")
    {
      $0.journalRecordCountMax = $1.value
    },
    ServeLimit(
      "sessions", Count(standard.sessionCountMax),
      "Sessions (/~NAME/…); beyond them the least recently used is forgotten."
    ) {
      $0.sessionCountMax = $1.value
    },
  ]

  /// For help.
  static var table: String {
    let rows = all.map { ["\($0.name)=\($0.fallback())", $0.meaning] }
    let lines = TextLayout.aligned(rows, indent: 2, width: 80)
    return (["Limits that --limit changes, with their defaults:"] + lines).joined(separator: "\n")
  }

  private let name: String
  private let fallback: @Sendable () -> String
  private let meaning: String
  private let set: @Sendable (inout ServerLimits, String) throws(Failure) -> Void

  private init<Value: ArgumentValue>(
    _ name: String, _ fallback: Value, _ meaning: String,
    set: @escaping @Sendable (inout ServerLimits, Value) -> Void
  ) {
    (self.name, self.fallback, self.meaning) = (name, { fallback.argument }, meaning)
    self.set = { limits, text throws(Failure) in
      let source = ArgumentSource(text: text, place: "--limit \(name)", shape: Value.shape)
      set(&limits, try source.value())
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
