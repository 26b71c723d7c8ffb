import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting

/// Finds the upstream of each URL. New upstreams are named by their hosts.
struct HARTargets {
  private let options: ImportOptions
  private let upstreams: [String: Upstream]
  /// The existing upstreams with a base URL, by its origin.
  private let byOrigin: [WebURL: [(upstream: Upstream, baseURL: WebURL)]]
  /// The existing upstreams found so far, by name.
  private var known: [String: RecordingTarget] = [:]
  /// The new upstreams, by the origin of their URLs.
  private var new: [WebURL: RecordingTarget] = [:]
  private var numbers = UniqueNames()
  /// The origin of the upstream that the options name without an address.
  private var chosenOrigin: WebURL?

  init(_ options: ImportOptions, _ library: ContractLibrary?) throws(Failure) {
    self.options = options
    let all = library?.upstreams ?? []
    upstreams = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    byOrigin = Dictionary(
      grouping: all.compactMap { upstream in upstream.baseURL.map { (upstream, $0) } },
      by: \.1.origin)
    guard let (name, base) = options.upstream, let upstream = upstreams[name] else { return }
    if let base, upstream.baseURL != base { throw .otherBaseURL(upstream, base) }
  }

  /// The target, and the path relative to it; `nil` if the options name an upstream elsewhere.
  mutating func find(_ url: WebURL) throws(Failure) -> (target: RecordingTarget, path: String)? {
    let target =
      try options.upstream.map { chosen throws(Failure) in
        try self.target(named: chosen.name, chosen.baseURL, url)
      } ?? self.target(around: url)
    return url.path(below: target.baseURL ?? url.origin).map { (target, $0) }
  }

  private mutating func target(
    named name: String, _ base: WebURL?, _ url: WebURL
  ) throws(Failure) -> RecordingTarget {
    let upstream = upstreams[name]
    if base == nil, upstream?.baseURL == nil {
      if let chosenOrigin, chosenOrigin != url.origin {
        throw Failure(
          message:
            "found responses of \(chosenOrigin.authority) and \(url.authority), expected those"
            + " of one host for --upstream \(name)",
          fix:
            "choose with --only-host \(chosenOrigin.authority), or --upstream \(name)=\(chosenOrigin)"
        )
      }
      chosenOrigin = url.origin
    }
    return target(
      name, upstream == nil ? base ?? url.origin : upstream?.baseURL, upstream)
  }

  /// The existing upstream with the longest base URL around the URL, or a new one.
  private mutating func target(around url: WebURL) -> RecordingTarget {
    let origin = url.origin
    let around = (byOrigin[origin] ?? []).filter { url.path(below: $0.baseURL) != nil }
    let nearest = around.max { $0.upstream.basePath.utf8.count < $1.upstream.basePath.utf8.count }
    if let (upstream, baseURL) = nearest { return target(upstream.name, baseURL, upstream) }
    if let target = new[origin] { return target }
    let target = target(freeName(for: origin), origin, nil)
    new[origin] = target
    return target
  }

  private mutating func freeName(for origin: WebURL) -> String {
    UpstreamGuess.freeName(for: origin, &numbers) { [known, upstreams] name in
      known[name] == nil && upstreams[name] == nil
    }
  }

  private mutating func target(
    _ name: String, _ base: WebURL?, _ upstream: Upstream?
  ) -> RecordingTarget {
    if let target = known[name] { return target }
    var target = RecordingTarget(
      folder: options.folder, upstreamName: name, baseURL: base, upstream: upstream)
    target.limitsLatency = true
    known[name] = target
    return target
  }
}
