import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyDrafting
package import UnderstudyFakeServer
package import UnderstudyFindings
import UnderstudySecrets
package import UnderstudySystem

/// Records contracts from the requests that a server forwards to live APIs, as they arrive.
///
/// A contract recorded in this run is rewritten when there is more to record, unless someone else
/// has changed the file. Only endpoints with new requests are processed.
package struct ServeRecorder {
  /// For one endpoint, unless a single exchange has more. Beyond the limit, new requests only add
  /// to its contract, so memory and time stay bounded.
  private static let exchangeCountMax = 50
  private static let endpointBytesMax = 8 << 20
  private static let bytesMax = 64 << 20
  /// How many endpoints are processed together, since each pass reads all contracts.
  private static let batchCountMax = 16
  /// How many identical exchanges are kept.
  private static let repeatCountMax = 3
  private static let saidCountMax = 1000

  private let relay: LiveRelay
  private let takesAll: Bool
  package let baseURLs: [String: WebURL]
  private let folder: String
  private let differs: ResponseComparison
  private var endpoints: [Key: Endpoint] = [:]
  /// Endpoints with something to record, in order of arrival.
  private var touched: [Key] = []
  private var byteCount = 0
  /// What arrived while the folder could not be read.
  private var unread: [LiveRelay.RecordedCall] = []
  private var unreadByteCount = 0
  private var secrets: Set<String> = []
  /// Reported unrecorded requests, which are not reported again.
  private var said: Set<String> = []

  private struct Key: Hashable {
    let upstreamName: String
    let endpoint: String
  }

  private struct Endpoint {
    var exchanges: [RecordedExchange] = []
    var byteCount = 0
    var written: [String: [UInt8]] = [:]
    /// Whether its contract is no longer rewritten, since some of its requests were dropped.
    var isFull = false
  }

  /// The result of a batch.
  package struct Outcome {
    package fileprivate(set) var files: [String] = []
    package fileprivate(set) var findings: [Finding] = []
    package fileprivate(set) var errors: [Failure] = []

    fileprivate init() {}

    package init(error: Failure) { errors = [error] }
  }

  package init(
    _ baseURLs: [String: WebURL], in folder: String, takesAll: Bool,
    differs: @escaping ResponseComparison
  ) throws(SystemError) {
    relay = try LiveRelay()
    self.baseURLs = baseURLs
    self.folder = folder
    self.takesAll = takesAll
    self.differs = differs
  }

  /// Which requests the server forwards, and where.
  package var configuration: Relay {
    Relay(
      baseURLs: baseURLs, takesAll: takesAll,
      ask: { [relay] request, then in
        Errand { then(await relay.respond(request)) }
      },
      takes: { [relay] request, contract in relay.takes(request, from: contract) })
  }

  /// Readable when there is something to record.
  package var descriptor: Int32 { relay.descriptor }

  /// The number of endpoints that still have something to record; what arrived while the folder
  /// could not be read counts as one.
  package var waitingCount: Int { touched.count + (unread.isEmpty ? 0 : 1) }

  /// Records what has arrived, while `goesOn` returns true.
  package mutating func record(while goesOn: @escaping @Sendable () -> Bool) -> Outcome {
    var outcome = Outcome()
    let batch = relay.take()
    outcome.errors = batch.unrecorded.map { Failure(message: $0) }
    do throws(Failure) {
      unread += batch.calls
      unreadByteCount += batch.calls.reduce(0) { $0 + $1.byteCount }
      if !unread.isEmpty {
        keep(unread, try RecordingTarget.library(in: folder), &outcome)
        (unread, unreadByteCount) = ([], 0)
      }
      var failed: [Key] = []
      while goesOn(), let batch = nextBatch() {
        do throws(Failure) {
          try record(batch, &outcome, while: goesOn)
        } catch {
          // They are recorded with the next request, once the error is fixed.
          failed += batch
          if goesOn() { outcome.errors.append(error) }
        }
      }
      touched += failed
    } catch {
      outcome.errors.append(error)
      if byteCount + unreadByteCount > Self.bytesMax {
        (unread, unreadByteCount) = ([], 0)
        outcome.errors.append(
          Failure(
            message: "requests that came while \(folder) could not be read are not recorded",
            fix: "send them again once it can"))
      }
    }
    return outcome
  }

  /// Records what a server has kept.
  package mutating func record(_ exchanges: [RelayedExchange]) -> Outcome {
    for exchange in exchanges {
      let response = exchange.response
      relay.keep(
        exchange.request, of: exchange.upstreamName,
        LiveResponse(
          status: response.status, headers: response.headers, body: response.body, latency: .zero))
    }
    return record { true }
  }

  private mutating func keep(
    _ calls: [LiveRelay.RecordedCall], _ library: ContractLibrary?, _ outcome: inout Outcome
  ) {
    var targets: [String: RecordingTarget] = [:]
    for new in calls {
      secrets.formUnion(new.secrets + new.exchange.secrets)
      let name = new.upstreamName
      let target = targets[name] ?? target(name, library?.upstreams.first { $0.name == name })
      targets[name] = target
      let key = Key(upstreamName: name, endpoint: target.endpoint(of: new.exchange))
      var endpoint = endpoints[key] ?? Endpoint()
      let isKnown =
        endpoint.exchanges.count { $0.isSame(as: new.exchange) } >= Self.repeatCountMax
      guard !isKnown else { continue }
      if endpoint.exchanges.count >= Self.exchangeCountMax
        || !endpoint.exchanges.isEmpty
          && endpoint.byteCount + new.byteCount > Self.endpointBytesMax
        || byteCount + new.byteCount > Self.bytesMax
      {
        if !endpoint.isFull { outcome.errors.append(.isFull(key.endpoint, of: name)) }
        endpoint.isFull = true
        endpoint.written = [:]
      }
      // Waiting endpoints are recorded first.
      if endpoint.isFull, !touched.contains(key) {
        byteCount -= endpoint.byteCount
        (endpoint.exchanges, endpoint.byteCount) = ([], 0)
      }
      endpoint.exchanges.append(new.exchange)
      endpoint.byteCount += new.byteCount
      byteCount += new.byteCount
      endpoints[key] = endpoint
      if !touched.contains(key) { touched.append(key) }
    }
  }

  /// Endpoints of one upstream.
  private mutating func nextBatch() -> [Key]? {
    guard let first = touched.first else { return nil }
    var bytes = 0
    var batch: [Key] = []
    for key in touched where key.upstreamName == first.upstreamName {
      bytes += endpoints[key]?.byteCount ?? 0
      guard batch.isEmpty || batch.count < Self.batchCountMax && bytes <= Self.endpointBytesMax
      else { break }
      batch.append(key)
    }
    touched.removeAll(where: batch.contains)
    return batch
  }

  private func target(_ name: String, _ upstream: Upstream?) -> RecordingTarget {
    RecordingTarget(
      folder: folder, upstreamName: name,
      baseURL: upstream == nil ? baseURLs[name] : upstream?.baseURL, upstream: upstream)
  }

  private mutating func record(
    _ keys: [Key], _ outcome: inout Outcome, while goesOn: @escaping @Sendable () -> Bool
  ) throws(Failure) {
    guard let name = keys.first?.upstreamName else { return }
    let upstream = try RecordingTarget.library(in: folder)?.upstreams.first { $0.name == name }
    let known = keys.compactMap { endpoints[$0] }
    let root = FileRoot(folder)
    let own = Set(
      known.flatMap(\.written).filter { path, bytes in
        (try? root.read(path)) == bytes
      }.map(\.key))
    var target = target(name, upstream)
    target.goesOn = goesOn
    let recording = try Recording(
      of: known.flatMap(\.exchanges), for: target, paths: [],
      mask: SecretMask(secrets: [], seen: secrets), replaces: { own.contains($0.file) }, own: own,
      differs: differs)
    let errors = recording.findings.filter { $0.severity == .error }
    let isWrong = !errors.isEmpty || !recording.refusals.isEmpty
    guard !isWrong || keys.count == 1 else {
      for key in keys { try record([key], &outcome, while: goesOn) }
      return
    }
    outcome.findings += errors
    outcome.errors += recording.refusals.map { Failure(message: $0.message, fix: $0.fix) }
    say(recording.unrecorded, of: name, &outcome)
    let before = known.flatMap(\.written)
    for file in recording.files
    where !before.contains(where: { $0.key == file.path && $0.value == file.bytes }) {
      let old = file.isNew ? nil : try? root.read(file.path)
      try root.write(file.bytes, to: file.path)
      relay.update { own in
        // Files changed by people are not our own.
        if old.map({ own.has(file.path, $0) }) ?? true { own.files[file.path] = file.bytes }
      }
      outcome.files.append(file.path)
    }
    relay.update { $0.requests[name, default: []].formUnion(recording.replayed) }
    for path in recording.removals { try root.remove(path) }
    for key in keys {
      note(recording.wholeFiles(of: key.endpoint), of: key, forgetting: isWrong)
    }
  }

  /// Reports each message once.
  private mutating func say(
    _ requests: [UnrecordedRequest], of upstreamName: String, _ outcome: inout Outcome
  ) {
    for request in requests {
      let words = "\(request.request) of \(upstreamName): \(request.reason)"
      guard said.count < Self.saidCountMax, said.insert(words).inserted else { continue }
      outcome.errors.append(Failure(message: words))
    }
  }

  /// Something that cannot be recorded must not block later requests.
  private mutating func note(_ files: [RecordedFile], of key: Key, forgetting forgets: Bool) {
    guard var endpoint = endpoints[key] else { return }
    if !endpoint.isFull {
      for file in files { endpoint.written[file.path] = file.bytes }
    }
    if forgets || endpoint.isFull {
      byteCount -= endpoint.byteCount
      (endpoint.exchanges, endpoint.byteCount) = ([], 0)
      endpoint.written = [:]
    }
    endpoints[key] = endpoint
  }
}

extension Failure {
  fileprivate static func isFull(_ endpoint: String, of upstreamName: String) -> Self {
    Self(
      message:
        "\(endpoint) of \(upstreamName): too much traffic: only new statuses are added from now on")
  }
}

extension RecordedExchange {
  fileprivate func isSame(as other: RecordedExchange) -> Bool {
    asksAs(other) && responses.first?.status == other.responses.first?.status
      && responses.first?.body == other.responses.first?.body
  }
}
