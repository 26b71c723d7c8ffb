package import UnderstudyClient
package import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyDrafting
import UnderstudySecrets

/// One run that records the responses of live APIs: what to request, and how.
///
/// The target gets exchanges with live APIs; `Drafting` makes contracts of them. It does so in two
/// ways. This file requests given URLs, several times each, through a `RecordingClient`.
/// `ServeRecorder` records what clients of a fake send to a live API: `LiveRelay` keeps those
/// exchanges until it takes them, over a `LiveForwarder`.
///
/// All input is checked before the first request. Secrets go only to the origin of the upstream
/// that declares them, and never into a contract: what was sent is known to the mask.
package struct RecordingSession: Sendable {
  /// What `understudy record` and `init --from` ask for.
  package struct Options: Sendable {
    /// The folder of contracts.
    package var folder: String
    /// The upstream's name, and optionally its base URL. Default: derived from the host.
    package var upstream: (name: String, baseURL: WebURL?)?
    /// Paths of contracts, instead of guesses.
    package var paths: [PathTemplate] = []
    /// Headers sent beside the upstream's own.
    package var headers: [HeaderField] = []
    /// The only origins that some secrets may be sent to.
    package var secretHosts = SecretHosts()
    /// How often each request is sent.
    package var samples = 3
    /// The time limit for each response.
    package var timeout = Duration.seconds(30)
    /// Whether existing contracts are rewritten.
    package var replacesContracts = false

    package init(folder: String) { self.folder = folder }
  }

  private let questions: [Question]
  private let client: RecordingClient
  private let mask: SecretMask
  private let options: Options
  private let differs: ResponseComparison

  private struct Question: Sendable {
    let url: WebURL
    let target: RecordingTarget
    let path: String
    /// All headers sent, secrets included.
    let headers: [HeaderField]
    /// Headers that are not the upstream's own.
    let added: [HeaderField]
  }

  /// All that live APIs sent in one run, to be made into contracts.
  package struct Responses: Sendable {
    package fileprivate(set) var byTarget:
      [(target: RecordingTarget, exchanges: [RecordedExchange])] = []
    /// Why responses are missing, one for each.
    package fileprivate(set) var failures: [Failure] = []
  }

  /// Reports every invalid input before the first request.
  package init(
    _ urls: [WebURL], _ options: Options, environment: (String) -> String?,
    differs: @escaping ResponseComparison
  ) throws(Failure) {
    try CurlTransport.checkLibrary()
    self.options = options
    self.differs = differs
    let library = try RecordingTarget.library(in: options.folder)
    try options.secretHosts.checkNames(of: library?.upstreams ?? [])
    let lines = options.headers
    let seen = lines.filter { SecretNames.standard.hides($0.name) }.flatMap {
      SecretMask.parts(of: $0.value, inHeader: $0.name)
    }
    var secrets: [String] = []
    var questions: [Question] = []
    // A new upstream is located by its first URL; URLs of another origin are not below it.
    var targets: [String: RecordingTarget] = [:]
    for url in urls {
      let found = try Self.target(for: url, library, options)
      let target = targets[found.upstreamName] ?? found
      targets[target.upstreamName] = target
      guard let path = url.path(below: target.baseURL ?? url.origin) else {
        throw .notBeneath(url, target)
      }
      if let upstream = target.upstream { try options.secretHosts.check(upstream, at: url) }
      let own = target.upstream?.headers ?? []
      var credentials: [HeaderField] = []
      for secret in target.upstream?.secrets ?? [] {
        guard let value = try Self.value(of: secret, lines, environment) else { continue }
        credentials.append(HeaderField(name: secret.header, value: value))
        secrets.append(value)
      }
      questions.append(
        Question(
          url: url, target: target, path: path, headers: own + credentials + lines,
          added: credentials.filter { SecretNames.standard.hides($0.name) } + lines))
    }
    self.questions = questions
    mask = SecretMask(
      secrets: secrets.flatMap(SecretMask.parts(of:)), seen: seen)
    for template in options.paths where !questions.contains(where: { template.fits($0.path) }) {
      throw .unusedPath(template)
    }
    client = RecordingClient(
      CurlTransport.direct(to: questions.map(\.url.origin)), samples: options.samples,
      timeout: options.timeout)
  }

  private static func target(
    for url: WebURL, _ library: ContractLibrary?, _ options: Options
  ) throws(Failure) -> RecordingTarget {
    let folder = options.folder
    let upstreams = library?.upstreams ?? []
    let checkSound = { (name: String) throws(Failure) in
      let target = RecordingTarget(
        folder: folder, upstreamName: name, baseURL: nil, upstream: nil)
      try target.checkSound()
    }
    if let chosen = options.upstream {
      try checkSound(chosen.name)
      let upstream = upstreams.first { $0.name == chosen.name }
      if let upstream, let base = chosen.baseURL, upstream.baseURL != base {
        throw .otherBaseURL(upstream, base)
      }
      // An upstream without a live API stays without one.
      let base = upstream == nil ? chosen.baseURL ?? url.origin : upstream?.baseURL
      if upstream == nil, let other = upstreams.first(where: { $0.baseURL == base }) {
        throw .takenBaseURL(other, by: chosen.name)
      }
      return RecordingTarget(
        folder: folder, upstreamName: chosen.name, baseURL: base, upstream: upstream)
    }
    if let upstream = upstreams.around(url) {
      try checkSound(upstream.name)
      return RecordingTarget(
        folder: folder, upstreamName: upstream.name, baseURL: upstream.baseURL, upstream: upstream)
    }
    let name = UpstreamGuess.name(for: url.origin)
    try checkSound(name)
    if let other = upstreams.first(where: { $0.name == name }) {
      throw .otherBaseURL(other, url.origin)
    }
    return RecordingTarget(
      folder: folder, upstreamName: name, baseURL: url.origin, upstream: nil)
  }

  /// `nil` for an optional secret that is not set, or one given on the command line.
  private static func value(
    of secret: Secret, _ lines: [HeaderField], _ environment: (String) -> String?
  ) throws(Failure) -> String? {
    if lines.contains(where: { $0.key == HeaderName(secret.header) }) { return nil }
    let value = secret.value(from: environment)
    guard let value else {
      if secret.isOptional { return nil }
      throw Failure(
        message: "\(secret.environmentName) is not set, but \(secret.header) needs it",
        fix: "set it, or send the header with --header")
    }
    return value
  }

  /// Sends one request after the other, so no API gets more load than from a person.
  package func ask() async -> Responses {
    var responses = Responses()
    for question in questions {
      do throws(TransportError) {
        let exchange = RecordedExchange(
          method: "GET", path: question.path, query: question.url.query, headers: question.added,
          responses: try await client.ask(question.url.text, headers: question.headers))
        let index = responses.byTarget.firstIndex {
          $0.target.upstreamName == question.target.upstreamName
        }
        if let index {
          responses.byTarget[index].exchanges.append(exchange)
        } else {
          responses.byTarget.append((question.target, [exchange]))
        }
      } catch {
        responses.failures.append(.noLiveResponse(question.url, error))
      }
    }
    return responses
  }

  package func recording(
    of exchanges: [RecordedExchange], for target: RecordingTarget
  ) throws(Failure) -> Recording {
    try Recording(
      of: exchanges, for: target, paths: options.paths, mask: mask, guessesSlugs: true,
      replaces: { _ in options.replacesContracts }, differs: differs)
  }
}

extension [Upstream] {
  /// The one to which a URL belongs, by the longest base URL.
  func around(_ url: WebURL) -> Upstream? {
    filter { $0.baseURL.map { url.path(below: $0) != nil } ?? false }
      .max { $0.basePath.utf8.count < $1.basePath.utf8.count }
  }
}

extension Failure {
  private static func shown(_ url: WebURL) -> String {
    SecretMask.standard.masked(target: url.text)
  }

  /// Both would respond to the same requests.
  fileprivate static func takenBaseURL(_ other: Upstream, by name: String) -> Self {
    Self(
      message: "\(name) would have the same base URL as \(other.name):"
        + " \(other.baseURL?.text ?? "")",
      fix: "record into \(other.name): understudy record --upstream \(other.name) URL")
  }

  fileprivate static func notBeneath(_ url: WebURL, _ target: RecordingTarget) -> Self {
    let base = target.baseURL.map { "\($0)" } ?? "none"
    return Self(
      message: "\(shown(url)) is not below the base URL of \(target.upstreamName), \(base)",
      fix: "choose another name with --upstream")
  }

  fileprivate static func unusedPath(_ template: PathTemplate) -> Self {
    Self(
      message: "--path \(template.text) matches no URL",
      fix: "write the path after the base URL, with a parameter for each whole segment")
  }

  fileprivate static func noLiveResponse(_ url: WebURL, _ error: TransportError) -> Self {
    let limit = RecordingClient.bodyBytesMax >> 20
    let fix: String? =
      switch error.kind {
      case .tooLarge: "record something smaller: the limit for a contract is \(limit) MiB"
      case .cannotConnect: "start the server that should listen there, or correct the URL"
      default: nil
      }
    return .noResponse(from: shown(url), error, fix: fix)
  }

  package static func noResponse(from place: String, _ error: TransportError, fix: String?) -> Self
  {
    Self(message: "no response from \(place): \(error.reason)", fix: fix)
  }
}
