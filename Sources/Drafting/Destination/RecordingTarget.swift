package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyFindings
import UnderstudySystem

/// Where recorded contracts go.
///
/// The folder connects a recording with the contracts that already exist. Read this file, which
/// finds the contract that an exchange belongs to, then `FileNamer`, which names new files.
///
/// Two exchanges share a contract if and only if their `endpoint` is equal. Nothing is added to an
/// upstream whose files have errors. A `FileNamer` belongs to one recording; it gives no name to
/// two files, and never the name of an existing file unless its content is the same or its owner
/// gave it up.
package struct RecordingTarget: Sendable {
  /// The folder of contracts.
  package let folder: String
  package let upstreamName: String
  /// The base URL of the live API; `nil` when the upstream has none.
  package let baseURL: WebURL?
  /// The existing upstream, if any.
  package let upstream: Upstream?
  /// Whether live cases get a limit from the measured times.
  package var limitsLatency = false
  /// Whether to go on; asked now and then while a recording is made, which fails once it is false.
  package var goesOn: @Sendable () -> Bool = { true }

  /// The paths of existing contracts, by method and number of segments; those with the fewest
  /// parameters first.
  private let knownPaths: [PathShape: [PathTemplate]]

  private struct PathShape: Hashable {
    let method: String
    let segmentCount: Int
  }

  package init(folder: String, upstreamName: String, baseURL: WebURL?, upstream: Upstream?) {
    self.folder = folder
    self.upstreamName = upstreamName
    self.baseURL = baseURL
    self.upstream = upstream
    var paths: [PathShape: [PathTemplate]] = [:]
    for contract in upstream?.contracts ?? [] {
      let method = contract.request.method
      for path in contract.request.paths where path.tail == nil {
        let shape = PathShape(method: method, segmentCount: path.segments.count)
        paths[shape, default: []].append(path)
      }
    }
    knownPaths = paths.mapValues { paths in
      paths.sorted { $0.parameterNames.count < $1.parameterNames.count }
    }
  }

  /// The existing contracts by their endpoints' keys.
  var contractsByEndpoint: [String: Contract] {
    let contracts = (upstream?.contracts ?? []).flatMap { contract in
      contract.request.paths.filter { $0.tail == nil }.map {
        (
          Self.endpoint(contract.request.method, $0.segments, GraphQLOperation(of: contract)),
          contract
        )
      }
    }
    return Dictionary(contracts, uniquingKeysWith: { first, _ in first })
  }

  /// The existing contracts; `nil` when there is no folder.
  package static func library(in folder: String) throws(Failure) -> ContractLibrary? {
    // The folder itself may be a link that leads anywhere.
    switch try? FileRoot.anywhere.kind(of: folder) {
    case nil: return nil
    case .folder where (try? FileRoot.anywhere.kind(of: "\(folder)/upstream.json")) != nil:
      throw Failure(
        message: "found an upstream in \(folder), expected the folder of contracts around it",
        fix: "name that with --contracts, and the upstream with --upstream")
    case .folder: break
    default:
      throw Failure(
        message: "\(folder) is not a folder", fix: "name a folder of contracts with --contracts")
    }
    return try ContractLibrary.load(folder, with: [:], for: .reading)
  }

  /// The folder that recording never leaves.
  package var root: FileRoot { FileRoot(folder) }

  /// The path of the upstream's folder, as the library spells it.
  var upstreamFolder: String { folder == "." ? upstreamName : "\(folder)/\(upstreamName)" }

  /// Fails when the upstream's files have errors: nothing can be added to files whose meaning is
  /// unclear.
  package func checkSound() throws(Failure) {
    let names: [String]
    guard try root.kind(of: upstreamFolder) != nil else { return }
    names = try root.names(in: upstreamFolder)
    let isBare = names.filter { $0.hasSuffix(".json") } == ["upstream.json"]
    let errors = try library(with: [:]).findings.filter {
      // An upstream without contracts is valid here.
      $0.severity == .error && holds($0) && !(isBare && $0.type == .missingKey)
    }
    guard let first = errors.first else { return }
    let more = errors.count > 1 ? ", and \((errors.count - 1).of("other error"))" : ""
    throw Failure(
      message: "\(upstreamFolder) has errors, so nothing is recorded into it: "
        + "\(first.file): \(first.message)\(more)",
      fix: "fix what understudy lint reports")
  }

  func checkGoesOn() throws(Failure) {
    guard goesOn() else { throw Failure(message: "interrupted, so nothing is recorded") }
  }

  /// If several existing contracts match, the one with the fewest parameters is used.
  func template(
    for exchange: RecordedExchange, _ paths: [PathTemplate]
  ) -> (segments: [PathTemplate.Segment], source: PathGuess.Source) {
    let segments = exchange.segments
    let shape = PathShape(method: exchange.method, segmentCount: segments.count)
    return PathGuess(templates: paths + (knownPaths[shape] ?? [])).template(for: segments)
  }

  /// The key of an endpoint; exchanges with the same key share a contract.
  package func endpoint(of exchange: RecordedExchange) -> String {
    Self.endpoint(exchange.method, template(for: exchange, []).segments, exchange.operation)
  }

  static func endpoint(
    _ method: String, _ template: [PathTemplate.Segment], _ operation: GraphQLOperation?
  ) -> String {
    let words = template.map { segment in
      if case .literal(let text) = segment { PercentEncoding.encode(text) } else { "{}" }
    }
    let path = "\(method) /\(words.joined(separator: "/"))"
    return operation.map { "\(path) \($0.name)" } ?? path
  }

  /// The body files below the upstream's folder that no other contract uses.
  func bodies(onlyOf contract: Contract) -> Set<String> {
    func bodies(_ contract: Contract) -> Set<String> {
      Set(
        contract.cases.compactMap { served in
          guard case .file(let path)? = served.response?.body, path.hasPrefix("files/"),
            !RecordedExchange.climbs(path: "/\(path)")
          else { return nil }
          return "\(upstreamFolder)/\(path)"
        })
    }
    let others = (upstream?.contracts ?? []).filter { $0.name != contract.name }
    return others.reduce(bodies(contract)) { $0.subtracting(bodies($1)) }
  }

  func holds(_ finding: Finding) -> Bool {
    finding.file == upstreamFolder || finding.file.hasPrefix("\(upstreamFolder)/")
  }

  /// The contracts as if these files were written.
  func library(with files: [String: [UInt8]]) throws(Failure) -> ContractLibrary {
    try ContractLibrary.load(folder, with: files, for: .reading)
  }
}

extension Failure {
  package static func otherBaseURL(_ upstream: Upstream, _ base: WebURL) -> Self {
    let own = upstream.baseURL.map { "the base URL \($0)" } ?? "no base URL"
    return Self(
      message: "\(upstream.name) already exists with \(own), not \(base)",
      fix: "choose another name with --upstream")
  }
}
