import Synchronization
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFakeServer
import UnderstudyJSON
import UnderstudySecrets
import UnderstudySystem

/// Forwards requests to live APIs for the fake, and keeps the responses until they are taken.
final class LiveRelay: Sendable {
  struct RecordedCall: Sendable {
    let upstreamName: String
    let exchange: RecordedExchange
    /// Credentials sent by the client.
    let secrets: [String]
    /// The size of all bodies.
    var byteCount: Int { exchange.byteCount }
  }

  /// What arrived since the last call.
  struct Batch: Sendable {
    var calls: [RecordedCall] = []
    /// Why something is not included, in words.
    var unrecorded: [String] = []
  }

  private struct State {
    var batch = Batch()
    var byteCount = 0
    /// Messages already reported, which are not repeated.
    var said: Set<String> = []
    var own = OwnContracts()
  }

  /// What this run has recorded.
  struct OwnContracts {
    /// The written files' contents, by path.
    var files: [String: [UInt8]] = [:]
    /// By upstream: the recorded requests, each with its response.
    var requests: [String: Set<Int>] = [:]

    /// Whether the file is unchanged since this run wrote it.
    func has(_ file: String, _ bytes: [UInt8]) -> Bool { files[file] == bytes }
  }

  /// For responses that wait to be recorded.
  private static let waitingBytesMax = 64 << 20
  private static let saidCountMax = 1000

  /// The methods that contracts can have; others are only forwarded.
  private static let recordedMethods: Set<String> = ["GET", "POST", "PUT", "PATCH", "DELETE"]

  private let wakeup: Wakeup
  private let forwarder: LiveForwarder
  private let state = Mutex(State())

  /// - Parameter isLedAway: whether clients, and no files, say which hosts are asked.
  init(isLedAway: Bool = false) throws(SystemError) {
    forwarder = LiveForwarder(isLedAway: isLedAway)
    wakeup = try Wakeup()
  }

  /// Readable when there is something to take.
  var descriptor: Int32 { wakeup.descriptor }

  func take() -> Batch {
    wakeup.reset()
    return state.withLock { state in
      defer { (state.batch, state.byteCount) = (Batch(), 0) }
      return state.batch
    }
  }

  /// Whether the live API must respond. A contract recorded in this run serves only the requests it
  /// was recorded from; for others its response would be wrong.
  func takes(_ relayed: RelayedRequest, from contract: Contract) -> Bool {
    let bytes = contract.source.document.bytes
    let key = RecordedExchange(relayed.request, responses: []).requestKey
    return state.withLock { state in
      state.own.has(contract.file, bytes)
        && !(state.own.requests[relayed.upstreamName]?.contains(key) ?? false)
    }
  }

  func update(_ change: (inout OwnContracts) -> Void) {
    state.withLock { change(&$0.own) }
  }

  func respond(_ relayed: RelayedRequest, keeps: Bool = true) async -> RelayedResponse {
    switch await forwarder.send(relayed) {
    case .responded(let response):
      if keeps { keep(relayed.request, of: relayed.upstreamName, response) }
      return LiveForwarder.response(response)
    case .failed(let response, let unrecorded):
      let reason = unrecorded ?? (forwarder.isLedAway ? response.problem : nil)
      if keeps, let reason { report(relayed.request, of: relayed.upstreamName, reason) }
      return response
    }
  }

  func keep(_ asked: Request, of upstreamName: String, _ response: LiveResponse) {
    if let reason = Self.refusal(asked, response) {
      return report(asked, of: upstreamName, reason)
    }
    let new = RecordedCall(
      upstreamName: upstreamName,
      exchange: RecordedExchange(asked, responses: [response]),
      secrets: asked.headers.filter { SecretNames.standard.hides($0.name) }.flatMap {
        SecretMask.parts(of: $0.value, inHeader: $0.name)
      })
    let isKept = state.withLock { state in
      guard state.byteCount + new.byteCount <= Self.waitingBytesMax else { return false }
      state.batch.calls.append(new)
      state.byteCount += new.byteCount
      return true
    }
    guard isKept else {
      let limit = "\(Self.waitingBytesMax >> 20) MiB"
      let reason = "the limit of \(limit) for what waits to be recorded is reached"
      return report(asked, of: upstreamName, reason)
    }
    wakeup.wake()
  }

  /// Why a response cannot be recorded.
  private static func refusal(_ asked: Request, _ response: LiveResponse) -> String? {
    if !recordedMethods.contains(asked.method) { return "the method is only forwarded" }
    if !RecordedExchange.canRecord(path: asked.path) { return "the path has an empty segment" }
    if !(200..<600 ~= response.status) {
      return "no contract can have the status \(response.status)"
    }
    return nil
  }

  /// Reports each message once.
  private func report(_ asked: Request, of upstreamName: String, _ reason: String) {
    let words = "\(asked.method) \(asked.path) of \(upstreamName): \(reason)"
    state.withLock { state in
      guard state.said.count < Self.saidCountMax, state.said.insert(words).inserted else { return }
      state.batch.unrecorded.append(words)
    }
    wakeup.wake()
  }
}
