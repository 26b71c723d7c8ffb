import UnderstudyHTTP

/// All that is known of a request's head, as values that can be compared.
struct ParsedHead: Equatable, CustomStringConvertible {
  struct Field: Equatable {
    let name: String
    let value: String
  }
  var byteCount: Int
  var method: String
  var form: String
  var path: String
  var query: String?
  var authority: String
  var host: String
  var minorVersion: UInt8
  var body: BodyFraming
  var keepsAlive: Bool
  var expectsContinue: Bool
  var fields: [Field]

  /// One line, for tables of expectations.
  var description: String {
    let target = "\(form) path=\(path)" + (query.map { " query=\($0)" } ?? "")
    let facts = [
      "\(method) \(target) host=\(host) authority=\(authority) 1.\(minorVersion) \(body)",
      keepsAlive ? "keeps" : "closes", expectsContinue ? "waits" : nil,
    ]
    let lines = fields.map { "\($0.name)=\($0.value)" }
    return (facts.compactMap(\.self) + lines).joined(separator: " | ")
  }
}

enum Parsed: Equatable, CustomStringConvertible {
  case incomplete
  case complete(ParsedHead)
  case malformed(Refusal)

  var isComplete: Bool { if case .complete = self { true } else { false } }

  var description: String {
    switch self {
    case .incomplete: "incomplete"
    case .complete(let head): head.description
    case .malformed(let refusal): "\(refusal.status) \(refusal.message)"
    }
  }
}

/// Parses as a connection does: piece by piece, always with memory behind that must not be read.
struct HeadReader: ~Copyable {
  private let memory: GuardedBytes
  private var head: RequestHead
  private var scanned = 0

  init(limits: MessageLimits = MessageLimits(), memory: GuardedBytes = GuardedBytes()) {
    head = RequestHead(limits: limits)
    self.memory = memory
  }

  /// `bytes` are all that came so far.
  mutating func read(_ bytes: some Collection<UInt8>) -> Parsed {
    memory.with(bytes) { bytes in
      switch head.parse(bytes, scanned: &scanned) {
      case .incomplete: return .incomplete
      case .malformed(let refusal):
        scanned = 0
        return .malformed(refusal)
      case .complete(let byteCount): return .complete(snapshot(bytes, byteCount))
      }
    }
  }

  /// The response after the last of the pieces that end at `ends`, or the first that is no more
  /// `incomplete`.
  mutating func read(_ bytes: [UInt8], piecesEndingAt ends: [Int]) -> Parsed {
    defer { scanned = 0 }
    for end in ends {
      let parsed = read(bytes[..<end])
      if parsed != .incomplete { return parsed }
    }
    return .incomplete
  }

  private borrowing func snapshot(_ bytes: UnsafeRawBufferPointer, _ byteCount: Int) -> ParsedHead {
    func text(_ range: ByteRange) -> String {
      String(decoding: bytes[range.offsets], as: UTF8.self)
    }
    let fields = (0..<head.fieldCount).map { index in
      let field = head.field(at: index)
      return ParsedHead.Field(name: text(field.name), value: text(field.value))
    }
    return ParsedHead(
      byteCount: byteCount, method: text(head.method), form: "\(head.targetForm)",
      path: text(head.path), query: head.query.map(text), authority: text(head.authority),
      host: text(head.host), minorVersion: head.minorVersion, body: head.body,
      keepsAlive: head.keepsAlive, expectsContinue: head.expectsContinue, fields: fields)
  }
}

func parse(_ text: String, limits: MessageLimits = MessageLimits()) -> Parsed {
  var reader = HeadReader(limits: limits)
  return reader.read(Array(text.utf8))
}
