import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyRecording
import UnderstudySecrets
import UnderstudySuite
import UnderstudySystem

/// One request of a contract, as given on the command line.
struct Call {
  let contract: Contract
  /// The requested case; `nil` when the upstream chooses.
  let served: Case?
  let isLive: Bool
  /// Masks the secrets that the upstream receives.
  let mask: SecretMask
  private let library: ContractLibrary
  private let upstream: Upstream
  private let example: Request
  private let timeout: Duration
  /// `nil` when the call starts a fake.
  private let target: LiveUpstream?

  struct Exchange: Sendable {
    let request: ClientRequest
    let outcome: Result<ClientResponse, TransportError>
  }

  /// Reports every mistake in the call itself, before anything is sent.
  init(
    _ id: String, in library: ContractLibrary, serving caseName: String?,
    requesting exampleName: String?,
    parameters: [Assignment], at target: CallTarget?, timeout: Duration, secretHosts: SecretHosts,
    environment: (String) -> String?
  ) throws(Failure) {
    try secretHosts.checkNames(of: library.upstreams)
    guard let contract = library.contracts.first(where: { $0.id == id }),
      let upstream = library.upstreams.first(where: { $0.name == contract.upstreamName })
    else { throw .unknownContract(id, library) }
    (self.contract, self.upstream, self.library) = (contract, upstream, library)
    self.timeout = timeout
    served = try caseName.map { name throws(Failure) in
      guard let served = contract.case(named: name) else {
        throw .unknownName(name, "case", of: "CONTRACT", known: contract.cases.map(\.name))
      }
      guard !served.breaksHandshake else { throw .inHandshake(served, contract) }
      return served
    }
    let shown =
      served ?? exampleName.flatMap(contract.case(named:)) ?? contract.defaultCase
      ?? contract.cases[0]
    let overrides = try contract.values(of: parameters, in: shown)
    let serving = environment(CommandEnvironment.addressName(of: upstream))
      .flatMap { WebURL(base: $0) }
    switch target ?? serving.map(CallTarget.address) {
    case nil: (self.target, isLive) = (nil, false)
    case .address(let url) where url != upstream.baseURL:
      self.target = LiveUpstream(upstream, override: url, environment: environment)
      isLive = false
    default:
      guard let live = LiveUpstream(upstream, environment: environment) else {
        throw .noLiveAPI(upstream)
      }
      try secretHosts.check(live)
      if let name = live.missingSecrets.first { throw .noSecret(name, upstream) }
      (self.target, isLive) = (live, true)
    }
    mask = SecretMask(of: [self.target].compactMap(\.self))
    do throws(MissingExample) {
      example = try contract.exampleRequest(
        for: shown, replacing: overrides, besides: self.target?.secrets.map(\.name) ?? [])
    } catch {
      throw .noValue(of: error.key, contract)
    }
  }

  /// Starts a fake if one is needed, and stops it afterwards.
  func send() throws(Failure) -> Exchange {
    try CurlTransport.checkLibrary()
    guard let target else {
      let pool = LoopPool(loopCountMax: 1)
      defer { pool.stop() }
      let server: FakeServer
      do throws(SystemError) {
        server = try Blocking.start(library, ServerConfiguration(), on: pool)
      } catch {
        throw .cannotServe(error)
      }
      let url = WebURL(base: server.baseURL(of: upstream))
      guard let fake = LiveUpstream(upstream, override: url, environment: { _ in nil }) else {
        throw .noLiveAPI(upstream)
      }
      let exchange = try send(to: fake)
      _ = try? Blocking.run { await server.close() }
      return exchange
    }
    return try send(to: target)
  }

  private func send(to upstream: LiveUpstream) throws(Failure) -> Exchange {
    var request = upstream.request(example)
    for secret in upstream.secrets where request.headers[secret.name] == nil {
      request.headers.append(secret.name, secret.value)
    }
    if let served, !isLive { request.headers.append("Prefer", "example=\(served.name)") }
    request.options.totalTimeout = timeout
    request.options.goesOnce = true
    request.options.redirectCountMax = 0
    let transport = CurlTransport.direct(to: [upstream.baseURL])
    return try Blocking.value { [request] () async throws(Failure) in
      do throws(TransportError) {
        return Exchange(request: request, outcome: .success(try await transport.send(request)))
      } catch {
        return Exchange(request: request, outcome: .failure(error))
      }
    }
  }
}

extension Contract {
  /// Values by full key, such as `path.org`. An assignment may name the last part alone.
  fileprivate func values(
    of assignments: [Assignment], in served: Case
  ) throws(Failure) -> [String: String] {
    let declared = request.parameters + (served.when?.request ?? [])
    let own =
      (request.paths.first?.parameterNames ?? []).map { "path.\($0)" } + declared.map(\.key)
      + (served.live?.parameters ?? []).map(\.key)
    let known = own.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    var values: [String: String] = [:]
    for assignment in assignments {
      let name = assignment.name
      let isFree = ["query.", "header."].contains { name.hasPrefix($0) && name != $0 }
      let meant =
        known.contains(name) || isFree ? [name] : known.filter { $0.hasSuffix(".\(name)") }
      guard let key = meant.first else {
        throw .unknownName(name, "parameter", of: "--parameter", known: known)
      }
      guard meant.count == 1 else { throw .ambiguous(name, meant) }
      if let first = values.updateValue(assignment.value, forKey: key) {
        throw .givenTwice("--parameter \(key)", first, assignment.value)
      }
    }
    return values
  }
}

extension Failure {
  fileprivate static func unknownContract(_ id: String, _ library: ContractLibrary) -> Self {
    let known = library.contracts.map(\.id)
    return Self(
      message: "found \"\(id)\" for CONTRACT, expected the name of a contract, such as"
        + " \(known.first ?? "joke/random")",
      fix: Spelling.suggestion(for: id, among: known) ?? "see \"understudy list\"")
  }

  fileprivate static func inHandshake(_ served: Case, _ contract: Contract) -> Self {
    Self(
      message: "\(contract.id)#\(served.name) breaks the TLS handshake, so no request can get it",
      fix: "choose it with \"understudy use\", and call that server without naming the case")
  }

  fileprivate static func ambiguous(_ name: String, _ keys: [String]) -> Self {
    Self(
      message: "\"\(name)\" in --parameter could be \(keys.joined(separator: " or "))",
      fix: "write \(keys[0])=VALUE")
  }

  fileprivate static func noValue(of key: String, _ contract: Contract) -> Self {
    Self(
      at: Place(contract.file),
      message: "missing value for \(key), which the contract gives no example of",
      fix: "write --parameter \(key)=VALUE")
  }

  fileprivate static func noLiveAPI(_ upstream: Upstream) -> Self {
    Self(
      at: Place(upstream.file),
      message: "\(upstream.name) has no live API: no \"baseURL\"",
      fix: "leave out --base-url to call a fake, or give the address of a server")
  }

  fileprivate static func noSecret(_ name: String, _ upstream: Upstream) -> Self {
    Self(
      at: Place(upstream.file), message: "missing secret \(name), which \(upstream.name) needs",
      fix: "set \(name) in the environment of this command")
  }
}
