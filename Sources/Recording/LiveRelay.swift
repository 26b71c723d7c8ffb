import Synchronization
package import UnderstudyClient
import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFakeServer
import UnderstudyJSON
import UnderstudySecrets
import UnderstudySystem

/// Forwards requests to live APIs for the fake, and keeps the answers until they are taken.
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
    var underWayCount = 0
    /// Messages already reported, which are not repeated.
    var said: Set<String> = []
    var own = OwnContracts()
  }

  /// What this run has recorded.
  struct OwnContracts {
    /// The written files' contents, by path.
    var files: [String: [UInt8]] = [:]
    /// By upstream: the recorded requests, each with its answer.
    var requests: [String: Set<Int>] = [:]

    /// Whether the file is unchanged since this run wrote it.
    func has(_ file: String, _ bytes: [UInt8]) -> Bool { files[file] == bytes }
  }

  private static let underWayCountMax = 64
  /// For answers that wait to be recorded.
  private static let waitingBytesMax = 64 << 20
  private static let saidCountMax = 1000

  /// Request headers for the fake itself, or set by the transport.
  private static let ownRequestFields: Set<HeaderName> = [
    "host", "prefer", "accept-encoding", "expect", "proxy-authorization",
  ]
  private static let ownAnswerFields: Set<HeaderName> = [
    "content-encoding", "date", "proxy-authenticate",
  ]
  /// The methods that contracts can have; others are only forwarded.
  private static let recordedMethods: Set<String> = ["GET", "POST", "PUT", "PATCH", "DELETE"]

  private let wakeup: Wakeup
  private let baseURLs: [String: WebURL]
  private let transport: CurlTransport
  private let state = Mutex(State())

  init(_ baseURLs: [String: WebURL]) throws(SystemError) {
    wakeup = try Wakeup()
    self.baseURLs = baseURLs
    transport = .direct(to: baseURLs.values)
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

  /// Whether the live API must answer. A contract recorded in this run answers only the requests it
  /// was recorded from; for others its answer would be wrong.
  func takes(_ relayed: RelayedRequest, from contract: Contract) -> Bool {
    let bytes = contract.source.document.bytes
    let key = RecordedExchange(relayed.request, answers: []).requestKey
    return state.withLock { state in
      state.own.has(contract.file, bytes)
        && !(state.own.requests[relayed.upstreamName]?.contains(key) ?? false)
    }
  }

  func update(_ change: (inout OwnContracts) -> Void) {
    state.withLock { change(&$0.own) }
  }

  func answer(_ relayed: RelayedRequest) async -> RelayedAnswer {
    let asked = relayed.request
    guard let baseURL = baseURLs[relayed.upstreamName] else {
      return Self.problem(502, "\(relayed.upstreamName) has no live API")
    }
    // Clients and servers resolve such segments, and paths above the base URL must not be reached.
    guard !RecordedExchange.climbs(path: asked.path) else {
      return Self.problem(400, "the path has a . or .. segment, which is not forwarded")
    }
    let isFree = state.withLock { state in
      guard state.underWayCount < Self.underWayCountMax else { return false }
      state.underWayCount += 1
      return true
    }
    guard isFree else {
      return Self.problem(
        503, "\(Self.underWayCountMax) requests to live APIs are under way, which is the maximum")
    }
    defer { state.withLock { $0.underWayCount -= 1 } }
    let query = asked.query.map { "?\($0)" } ?? ""
    var request = HTTPRequest(
      HTTPMethod(rawValue: asked.method), url: "\(baseURL)\(asked.path)\(query)",
      body: asked.body.isEmpty ? nil : asked.body)
    request.options.bodyBytesMax = RecordingClient.bodyBytesMax
    for field in asked.headers where !Self.isLeft(field, Self.ownRequestFields) {
      request.headers.append(field.name, field.value)
    }
    do throws(TransportError) {
      let answer = LiveAnswer(try await transport.send(request))
      keep(relayed, answer)
      return RelayedAnswer(
        status: answer.status,
        headers: answer.headers.filter { !Self.isLeft($0, Self.ownAnswerFields) },
        body: answer.body, contentLength: answer.contentLength)
    } catch {
      if error.kind == .tooLarge {
        report(
          relayed, "the answer has more than \(RecordingClient.bodyBytesMax >> 20) MiB")
      }
      let shown = SecretMask.standard.masked(target: request.url)
      let reason = "\(error)".replacing(request.url, with: shown)
      return Self.problem(502, "no answer from \(baseURL): \(reason)")
    }
  }

  private static func isLeft(_ field: HeaderField, _ own: Set<HeaderName>) -> Bool {
    HeaderName.ofConnection.contains(field.key) || own.contains(field.key)
  }

  private func keep(_ relayed: RelayedRequest, _ answer: LiveAnswer) {
    let asked = relayed.request
    if let reason = Self.refusal(asked, answer) { return report(relayed, reason) }
    let new = RecordedCall(
      upstreamName: relayed.upstreamName,
      exchange: RecordedExchange(asked, answers: [answer]),
      secrets: asked.headers.filter { SecretNames.standard.hides($0.name) }.map(\.value))
    let isKept = state.withLock { state in
      guard state.byteCount + new.byteCount <= Self.waitingBytesMax else { return false }
      state.batch.calls.append(new)
      state.byteCount += new.byteCount
      return true
    }
    guard isKept else { return report(relayed, "requests came faster than they could be recorded") }
    wakeup.wake()
  }

  /// Why an answer cannot be recorded.
  private static func refusal(_ asked: Request, _ answer: LiveAnswer) -> String? {
    if !recordedMethods.contains(asked.method) { return "the method is only forwarded" }
    if !RecordedExchange.canRecord(path: asked.path) { return "the path has an empty segment" }
    if !(200..<600 ~= answer.status) { return "no contract can have the status \(answer.status)" }
    return nil
  }

  /// Reports each message once.
  private func report(_ relayed: RelayedRequest, _ reason: String) {
    let words =
      "\(relayed.request.method) \(relayed.request.path) of \(relayed.upstreamName): \(reason)"
    state.withLock { state in
      guard state.said.count < Self.saidCountMax, state.said.insert(words).inserted else { return }
      state.batch.unrecorded.append(words)
    }
    wakeup.wake()
  }

  private static func problem(_ status: Int, _ detail: String) -> RelayedAnswer {
    var writer = JSONWriter()
    writer.object { object in
      object.member(
        "title", status == 502 ? "The live API did not answer" : "The request was not forwarded")
      object.member("status", status)
      object.member("detail", detail)
    }
    return RelayedAnswer(
      status: status,
      headers: [HeaderField(name: "Content-Type", value: "application/problem+json")],
      body: writer.bytes + Array("\n".utf8))
  }
}

extension LiveAnswer {
  /// The declared length, if the body was not decoded.
  fileprivate var contentLength: Int? {
    let names = Set(headers.map(\.key))
    guard !names.contains("content-encoding") else { return nil }
    return headers.first { $0.key == "content-length" }.flatMap { Int($0.value) }
      .flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension CurlTransport {
  /// Uses the environment's proxies unless all of these URLs are on this machine.
  package static func direct(to baseURLs: some Sequence<WebURL>) -> CurlTransport {
    var configuration = CurlConfiguration()
    configuration.ignoresProxies = baseURLs.allSatisfy(\.isLoopback)
    return CurlTransport(configuration)
  }
}
