import UnderstudyClient
import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySecrets

/// The captured responses of a live case: every exchange, with secrets redacted.
///
///     { "schemaVersion": 1, "case": "joke/random#ok", "at": 1763759703,
///       "baseURLs": { "joke": "https://official-joke-api.appspot.com" },
///       "exchanges": [
///         { "consumer": "jokes.random", "round": 1, "upstream": "joke", "method": "GET",
///           "target": "/random_joke", "status": 200, "latencyNanoseconds": 81000000,
///           "headers": [["Content-Type", "application/json"]], "body": "{…}" } ] }
///
/// `consumer` is `null` for the request of the contract itself, `round` 2 for a second response. From the
/// second page on, `page` is its number; `broke` marks the last request before its consumer broke.
/// A body that is not text is in `base64` instead. If a body was cut, `cutFromBytes` is its full
/// size. If a response was kept whole with its `ETag`, `selectors` is a fingerprint of the request
/// headers that selected it; `wholeAt` is when it was sent, if a later run revalidated it. If there
/// was no response, `failure` has `kind`, `detail`, `message` and `curlCode`, or `withheld` is the
/// reason why no request was sent.
package struct CaptureFile: Sendable {
  static let schemaVersion = 1
  /// The limit for one body; a longer one is cut.
  static let bodyBytesMax = 1 << 20

  package let caseID: String
  /// When the run began.
  package let at: Moment
  /// The addresses of the upstreams, by name; links in responses point there.
  let baseURLs: [String: WebURL]
  package let exchanges: [KeptExchange]
}

/// One exchange as stored.
package struct KeptExchange: Sendable {
  let consumer: String?
  let round: Int
  let upstream: String
  let method: String
  /// Redacted.
  let target: String
  let outcome: LiveExchange.Outcome
  /// A fingerprint; `nil` if the response cannot be revalidated.
  let selectors: String?
  /// The full size of a body of which only the beginning was kept.
  let cutFromByteCount: Int?
  /// The page that the request asks for, from 1 on.
  var page = 1
  /// Whether it was the last request before its consumer broke.
  var isBreaking = false
}

extension CaptureFile {
  init(
    _ result: LiveCaseResult, of upstreams: [LiveUpstream], at: Moment, _ mask: SecretMask,
    _ known: inout [ExactText: String]
  ) {
    let names = Set(result.exchanges.map(\.exchange.upstream) + [result.liveCase.upstream.name])
    self.init(
      caseID: result.liveCase.identity.caseID, at: at,
      baseURLs: Dictionary(
        upstreams.filter { names.contains($0.name) }.map { ($0.name, $0.baseURL) },
        uniquingKeysWith: { first, _ in first }),
      exchanges: result.exchanges.map { note in
        var outcome = note.exchange.outcome
        var cutFrom: Int?
        var selectors: String?
        switch outcome {
        case .response(let response):
          let kept = response.kept(mask, &known)
          cutFrom = kept.cutFromByteCount
          if cutFrom == nil, kept.isWhole(response), !note.exchange.lacksSecrets,
            let upstream = upstreams.first(where: { $0.name == note.exchange.upstream })
          {
            selectors = mask.selectors(of: response, in: note.exchange.request, to: upstream)
          }
          outcome = .response(kept)
        case .failure(let error):
          outcome = .failure(
            TransportError(
              error.kind, mask.withoutSent(error.message), curlCode: error.curlCode))
        case .withheld: break
        }
        return KeptExchange(
          consumer: note.consumer, round: note.round, upstream: note.exchange.upstream,
          method: note.exchange.method,
          target: mask.masked(note.exchange.target), outcome: outcome, selectors: selectors,
          cutFromByteCount: cutFrom, page: note.page, isBreaking: note.isBreaking)
      })
  }

  package var json: [UInt8] {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.member("schemaVersion", Self.schemaVersion)
      writer.member("case", caseID)
      writer.member("at", at.unixSeconds)
      writer.key("baseURLs")
      writer.object { writer in
        for name in baseURLs.keys.sorted() {
          writer.member(name, baseURLs[name]?.description)
        }
      }
      writer.key("exchanges")
      writer.array { writer in
        for exchange in exchanges { exchange.write(to: &writer) }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

extension KeptExchange {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("consumer", consumer)
      writer.member("round", round)
      writer.member("upstream", upstream)
      writer.member("method", method)
      writer.member("target", target)
      if page > 1 { writer.member("page", page) }
      if isBreaking {
        writer.key("broke")
        writer.bool(true)
      }
      switch outcome {
      case .response(let response): write(response, to: &writer)
      case .failure(let error):
        writer.key("failure")
        writer.object { writer in
          writer.member("kind", error.kind.name)
          writer.member("detail", error.kind.detail)
          writer.member("message", error.message)
          writer.member("curlCode", error.curlCode)
        }
      case .withheld(let inconclusive): writer.member("withheld", inconclusive.reason)
      }
    }
  }

  private func write(_ response: LiveResponse, to writer: inout JSONWriter) {
    writer.member("status", response.status)
    writer.member("latencyNanoseconds", response.latency.nanoseconds)
    if let wholeAt = response.wholeAt { writer.member("wholeAt", wholeAt.unixSeconds) }
    writer.key("headers")
    Self.write(response.headers, to: &writer)
    if let selectors { writer.member("selectors", selectors) }
    if let text = String(validating: response.body, as: UTF8.self) {
      writer.member("body", text)
    } else {
      writer.member("base64", Base64.encode(response.body))
    }
    if let cutFromByteCount { writer.member("cutFromBytes", cutFromByteCount) }
  }

  private static func write(_ headers: [HeaderField], to writer: inout JSONWriter) {
    writer.array { writer in
      for field in headers {
        writer.array { writer in
          writer.string(field.name)
          writer.string(field.value)
        }
      }
    }
  }
}

extension TransportError.Kind {
  fileprivate var detail: String? {
    switch self {
    case .timedOut(let phase): phase.rawValue
    case .tls(let failure): failure.rawValue
    default: nil
    }
  }
}

extension LiveResponse {
  /// Whether a capture keeps only the beginning of the body.
  var isCutInCapture: Bool { body.count > CaptureFile.bodyBytesMax }

  /// This response as a capture keeps it: with secrets masked, and only the beginning of a large
  /// body.
  ///
  /// - Parameter known: masked values by the lines of their headers.
  func kept(_ mask: SecretMask, _ known: inout [ExactText: String]) -> LiveResponse {
    guard cutFromByteCount == nil else { return self }
    let masked = mask.masked(self, &known)
    let count = masked.body.count
    guard count > CaptureFile.bodyBytesMax else { return masked }
    return LiveResponse(
      status: status, headers: masked.headers,
      body: Array(masked.body.prefix(CaptureFile.bodyBytesMax)), cutFromByteCount: count,
      latency: latency, wholeAt: wholeAt)
  }

  /// Whether it is a response with a tag, stored whole, with nothing masked except cookies, which
  /// are set only once.
  fileprivate func isWhole(_ original: LiveResponse) -> Bool {
    header("etag") != nil && body == original.body && headers.count == original.headers.count
      && zip(headers, original.headers).allSatisfy { $0 == $1 || $0.key == "set-cookie" }
  }
}
