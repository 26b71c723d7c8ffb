import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudySecrets

/// One run of `understudy record`: what to ask whom, and how.
struct RecordingSession {
  private let folder: String
  private let questions: [Question]
  private let probe: RecordingProbe
  private let paths: [PathTemplate]
  private let mask: SecretMask
  private let replacesContracts: Bool

  private struct Question: Sendable {
    let url: LiveURL
    let target: RecordingTarget
    let path: String
    /// All that is sent, secrets included.
    let headers: [HeaderField]
    /// Those that are not the upstream's own.
    let added: [HeaderField]
  }

  struct Answers {
    var byTarget: [(target: RecordingTarget, exchanges: [RecordedExchange])] = []
    var failures: [Failure] = []
  }

  /// Everything that can be wrong with the command line comes out here, before anything is asked.
  init(_ arguments: ParsedArguments) throws(Failure) {
    folder = try arguments.value(of: RecordCommand.folder).argument
    paths = try arguments.value(of: RecordCommand.paths).map(\.template)
    replacesContracts = try arguments.value(of: RecordCommand.force)
    let library = try Self.library(in: folder)
    let chosen = try arguments.value(of: RecordCommand.upstream)
    let lines = try arguments.value(of: RecordCommand.headers).map(\.field)
    let seen = lines.filter { SecretNames.standard.hides($0.name) }.map(\.value)
    var secrets: [String] = []
    var questions: [Question] = []
    // What is new is where its first URL is: others of another origin are not beneath that.
    var targets: [String: RecordingTarget] = [:]
    for url in try arguments.value(of: RecordCommand.urls) {
      let found = try Self.target(for: url, chosen, library, folder)
      let target = targets[found.upstreamName] ?? found
      targets[target.upstreamName] = target
      guard let path = url.url.path(beneath: target.baseURL ?? url.url.origin) else {
        throw .notBeneath(url, target)
      }
      let own = target.upstream?.headers ?? []
      var credentials: [HeaderField] = []
      for secret in target.upstream?.secrets ?? [] {
        guard let value = try Self.value(of: secret, lines, arguments) else { continue }
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
      secrets: secrets.flatMap(SecretMask.parts(of:)), seen: seen.flatMap(SecretMask.parts(of:)))
    for template in paths where !questions.contains(where: { template.fits($0.path) }) {
      throw .unusedPath(template)
    }
    probe = RecordingProbe(
      CurlTransport.direct(to: questions.map(\.url.url.origin)),
      samples: try arguments.value(of: RecordCommand.samples).value,
      timeout: try arguments.value(of: RecordCommand.timeout).duration)
  }

  /// What is there already; nothing is as good as an empty folder.
  static func library(in folder: String) throws(Failure) -> ContractLibrary? {
    // Itself it may be a link, and lead anywhere.
    switch try? FileRoot.anywhere.kind(of: folder) {
    case nil: return nil
    case .folder where (try? FileRoot.anywhere.kind(of: "\(folder)/upstream.json")) != nil:
      throw Failure(
        message: "found an upstream in \(folder), expected the folder of contracts around it",
        fix: "name that with --into, and the upstream with --upstream")
    case .folder: break
    default:
      throw Failure(
        message: "\(folder) is no folder", fix: "name a folder of contracts with --into")
    }
    return try ContractLibrary.load(folder, with: [:])
  }

  private static func target(
    for url: LiveURL, _ chosen: UpstreamName?, _ library: ContractLibrary?, _ folder: String
  ) throws(Failure) -> RecordingTarget {
    let upstreams = library?.upstreams ?? []
    let checkSound = { (name: String) throws(Failure) in
      let target = RecordingTarget(
        folder: folder, upstreamName: name, baseURL: nil, upstream: nil)
      try target.checkSound()
    }
    if let chosen {
      try checkSound(chosen.name)
      let upstream = upstreams.first { $0.name == chosen.name }
      if let upstream, let base = chosen.baseURL, upstream.baseURL != base {
        throw .otherBaseURL(upstream, base)
      }
      // An upstream without a live side keeps none.
      let base = upstream == nil ? chosen.baseURL ?? url.url.origin : upstream?.baseURL
      return RecordingTarget(
        folder: folder, upstreamName: chosen.name, baseURL: base, upstream: upstream)
    }
    let around = upstreams.filter { $0.baseURL.map { url.url.path(beneath: $0) != nil } ?? false }
    if let upstream = around.max(by: { $0.basePath.utf8.count < $1.basePath.utf8.count }) {
      try checkSound(upstream.name)
      return RecordingTarget(
        folder: folder, upstreamName: upstream.name, baseURL: upstream.baseURL, upstream: upstream)
    }
    let name = UpstreamGuess.name(for: url.url.origin)
    try checkSound(name)
    if let other = upstreams.first(where: { $0.name == name }) {
      throw .otherBaseURL(other, url.url.origin)
    }
    return RecordingTarget(
      folder: folder, upstreamName: name, baseURL: url.url.origin, upstream: nil)
  }

  /// `nil` for one that is optional and not there, or that the command line gives.
  private static func value(
    of secret: Secret, _ lines: [HeaderField], _ arguments: ParsedArguments
  ) throws(Failure) -> String? {
    if lines.contains(where: { $0.name.lowercased() == secret.header.lowercased() }) { return nil }
    let value = secret.value(from: arguments.environment)
    guard let value else {
      if secret.isOptional { return nil }
      throw Failure(
        message: "\(secret.environmentName) is not set, which \(secret.header) is made of",
        fix: "set it, or send the header with --header")
    }
    return value
  }

  /// One URL after the other, so that no API is asked harder than by a person.
  func ask() throws(Failure) -> Answers {
    do throws(SystemError) {
      let results = try Blocking.run { [questions, probe] in
        var results: [Result<[LiveAnswer], TransportError>] = []
        for question in questions {
          do throws(TransportError) {
            let answers = try await probe.ask(question.url.argument, headers: question.headers)
            results.append(.success(answers))
          } catch {
            results.append(.failure(error))
          }
        }
        return results
      }
      return collect(results)
    } catch {
      throw Failure(message: error.description)
    }
  }

  private func collect(_ results: [Result<[LiveAnswer], TransportError>]) -> Answers {
    var answers = Answers()
    for (question, result) in zip(questions, results) {
      switch result {
      case .failure(let error): answers.failures.append(.noLiveAnswer(question.url, error))
      case .success(let found):
        let exchange = RecordedExchange(
          method: "GET", path: question.path, query: question.url.url.query,
          headers: question.added, answers: found)
        let index = answers.byTarget.firstIndex {
          $0.target.upstreamName == question.target.upstreamName
        }
        if let index {
          answers.byTarget[index].exchanges.append(exchange)
        } else {
          answers.byTarget.append((question.target, [exchange]))
        }
      }
    }
    return answers
  }

  func recording(
    of exchanges: [RecordedExchange], for target: RecordingTarget
  ) throws(Failure) -> Recording {
    try Recording(
      of: exchanges, for: target, paths: paths, mask: mask,
      replaces: { _ in replacesContracts },
      differs: { $0.differs(from: $1, in: $2) })
  }
}

extension Failure {
  private static func shown(_ url: LiveURL) -> String {
    SecretMask.standard.masked(target: url.argument)
  }

  fileprivate static func notBeneath(_ url: LiveURL, _ target: RecordingTarget) -> Self {
    let base = target.baseURL.map { "\($0)" } ?? "none"
    return Self(
      message: "\(shown(url)) is not beneath the base URL of \(target.upstreamName), \(base)",
      fix: "choose another name with --upstream")
  }

  static func otherBaseURL(_ upstream: Upstream, _ base: BaseURL) -> Self {
    let own = upstream.baseURL.map { "the base URL \($0)" } ?? "no base URL"
    return Self(
      message: "\(upstream.name) is there already with \(own), not \(base)",
      fix: "choose another name with --upstream")
  }

  fileprivate static func unusedPath(_ template: PathTemplate) -> Self {
    Self(
      message: "--path \(template.text) fits no URL",
      fix: "write it as it comes after the base URL, with a parameter for a whole segment")
  }

  fileprivate static func noLiveAnswer(_ url: LiveURL, _ error: TransportError) -> Self {
    let limit = RecordingProbe.bodyBytesMax >> 20
    let fix: String? =
      switch error.kind {
      case .tooLarge: "record something smaller: no more than \(limit) MiB make a contract"
      case .cannotConnect: "start what should listen there, or mend the address"
      default: nil
      }
    return .noAnswer(from: shown(url), error, fix: fix)
  }
}
