import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySecrets

/// Something that happened on a server.
enum FeedEvent: Sendable {
  /// The outcome of a request is known.
  case request(JournalRing.Copy)
  case held(JournalRing.Copy)
  /// What followed a response is known, by its place among what did.
  case callback(CallbackAttempt, place: Int, of: UInt64, served: ServedCase)
  /// `caseName` is `nil` where the connection is reset instead.
  case released(id: UInt64, contract: String, caseName: String?)
  /// `nil` for a contract that chooses by itself again.
  case choice(contract: String, caseName: String?)
  /// Whether the responses of a contract are held from now on.
  case hold(contract: String, isHeld: Bool)
  case script(contract: String, caseNames: [String])
  /// The names that were set, or forgotten where the value is `nil`; without an upstream all are
  /// forgotten.
  case state(upstream: String?, changes: [(name: String, value: String?)])
  /// A contract was made at run time, or removed; `nil` for all that an upstream orders itself.
  case stub(upstream: String, contract: String?, isRemoved: Bool = false)
  /// The mode of a contract, of an upstream or, without names, of the server; `nil` where it was
  /// cleared.
  case mode(Mode?, upstream: String?, contract: String?)
  /// A recording was started or stopped.
  case recording(RecordingStatus)
  case reset
  /// Other contracts are served; empty after broken files were mended.
  case reloaded(LibraryChange?)
  /// The files are broken, so the contracts stay.
  case rejected(message: String, [Finding])

  fileprivate var name: String {
    switch self {
    case .request: "request"
    case .held: "held"
    case .callback: "callback"
    case .released: "released"
    case .choice: "choice"
    case .hold: "hold"
    case .script: "script"
    case .state: "state"
    case .stub: "stub"
    case .mode: "mode"
    case .recording: "recording"
    case .reset: "reset"
    case .reloaded: "reloaded"
    case .rejected: "rejected"
    }
  }

  /// Whether what is said of the main session holds for the clients of all others, too.
  fileprivate var concernsOthers: Bool {
    switch self {
    case .mode, .stub: true
    default: false
    }
  }

  /// About how much memory it takes.
  var byteCount: Int {
    switch self {
    case .request(let copy), .held(let copy): 256 + copy.head.count + copy.body.count
    case .callback(let attempt, _, _, _): 512 + attempt.body.count
    case .state(_, let changes):
      changes.reduce(256) { $0 + $1.name.utf8.count + ($1.value?.utf8.count ?? 0) }
    default: 256
    }
  }
}

/// An event as clients get it.
struct WrittenEvent: Sendable {
  let id: UInt64
  /// `nil` for one that concerns all sessions.
  let session: String?
  let bytes: [UInt8]

  /// Said in place of events that are gone; `nil` where nobody knows how many.
  static func skipped(_ count: UInt64?, before id: UInt64) -> [UInt8] {
    var data = JSONWriter()
    data.object { $0.member("count", count.map { Int(clamping: $0) }) }
    return bytes("skipped", id: id - 1, data)
  }

  fileprivate static func bytes(_ name: String, id: UInt64, _ data: JSONWriter) -> [UInt8] {
    "id: \(id)\nevent: \(name)\ndata: ".utf8 + data.bytes.inertJSON + "\n\n".utf8
  }
}

/// Writes events as server-sent events, without secrets.
struct FeedWriter: ~Copyable {
  private let mask: SecretMask
  private var reader: JournalReader

  init(_ mask: SecretMask, _ limits: MessageLimits) {
    self.mask = mask
    reader = JournalReader(limits: limits)
  }

  /// - Parameter session: `nil` for an event of the whole server; requests know their own.
  mutating func written(_ event: FeedEvent, id: UInt64, session: String?) -> WrittenEvent {
    let entry: JournalEntry? =
      switch event {
      case .request(let copy), .held(let copy): reader.entry(copy).masked(by: mask)
      default: nil
      }
    let session = entry?.session ?? session
    var data = JSONWriter()
    data.object { object in
      if let entry {
        if case .held = event { entry.writeHeld(to: &object) } else { entry.write(to: &object) }
      } else {
        if let session { object.member("session", session) }
        event.write(to: &object, mask)
      }
    }
    let concernsAll = session?.isEmpty == true && event.concernsOthers
    return WrittenEvent(
      id: id, session: concernsAll ? nil : session,
      bytes: WrittenEvent.bytes(event.name, id: id, data))
  }
}

extension FeedEvent {
  fileprivate func write(to object: inout JSONWriter, _ mask: SecretMask) {
    switch self {
    case .request, .held, .reset: break
    case .callback(let attempt, let place, let sequence, let served):
      object.member("sequence", Int(sequence))
      object.member("contract", served.contract)
      object.member("case", served.caseName)
      object.member("place", place)
      object.key("callback")
      object.object { attempt.masked(by: mask).write(to: &$0) }
    case .released(let id, let contract, let caseName):
      object.member("id", Int(id))
      object.member("contract", contract)
      object.member("case", caseName)
    case .choice(let contract, let caseName):
      object.member("contract", contract)
      object.member("case", caseName)
    case .hold(let contract, let isHeld):
      object.member("contract", contract)
      object.key("held")
      object.bool(isHeld)
    case .script(let contract, let caseNames):
      object.member("contract", contract)
      object.member("cases", caseNames)
    case .state(let upstream, let changes):
      object.member("upstream", upstream)
      object.key("state")
      object.object { state in
        for change in changes { state.member(change.name, change.value) }
      }
    case .stub(let upstream, let contract, let isRemoved):
      object.member("upstream", upstream)
      object.member("contract", contract)
      object.key("removed")
      object.bool(isRemoved)
    case .mode(let mode, let upstream, let contract):
      object.member("upstream", upstream)
      object.member("contract", contract)
      object.member("mode", mode?.rawValue)
    case .recording(let status): object.member("status", status.rawValue)
    case .reloaded(let change):
      object.member("added", change?.added ?? [])
      object.member("changed", change?.changed ?? [])
      object.member("removed", change?.removed ?? [])
    case .rejected(let message, let findings):
      object.member("message", message)
      object.diagnostics(findings)
    }
  }
}
