import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting

/// Finds the upstream of each URL. New upstreams are named by their hosts.
struct HARTargets {
  private let options: ImportOptions
  private let upstreams: [Upstream]
  /// Those found so far, by name.
  private var known: [String: RecordingTarget] = [:]
  /// New ones, by the origin of their URLs.
  private var new: [WebURL: RecordingTarget] = [:]
  /// The origin of the upstream that the options name without an address.
  private var chosenOrigin: WebURL?

  init(_ options: ImportOptions, _ library: ContractLibrary?) throws(Failure) {
    self.options = options
    upstreams = library?.upstreams ?? []
    guard let (name, base) = options.upstream, let upstream = upstream(named: name) else { return }
    if let base, upstream.baseURL != base { throw .otherBaseURL(upstream, base) }
  }

  private func upstream(named name: String) -> Upstream? { upstreams.first { $0.name == name } }

  /// The target, and the path relative to it; `nil` if the options name an upstream elsewhere.
  mutating func find(_ url: WebURL) throws(Failure) -> (target: RecordingTarget, path: String)? {
    let target =
      try options.upstream.map { chosen throws(Failure) in
        try self.target(named: chosen.name, chosen.baseURL, url)
      } ?? self.target(around: url)
    return url.path(beneath: target.baseURL ?? url.origin).map { (target, $0) }
  }

  private mutating func target(
    named name: String, _ base: WebURL?, _ url: WebURL
  ) throws(Failure) -> RecordingTarget {
    let upstream = upstream(named: name)
    if base == nil, upstream?.baseURL == nil {
      if let chosenOrigin, chosenOrigin != url.origin {
        throw Failure(
          message: "found answers of \(chosenOrigin.authority) and \(url.authority), expected those"
            + " of one host for --upstream \(name)",
          fix: "choose with --host \(chosenOrigin.authority), or --upstream \(name)=\(chosenOrigin)"
        )
      }
      chosenOrigin = url.origin
    }
    return target(
      name, upstream == nil ? base ?? url.origin : upstream?.baseURL, upstream)
  }

  /// The existing upstream with the longest base URL around the URL, or a new one.
  private mutating func target(around url: WebURL) -> RecordingTarget {
    let around = upstreams.filter { $0.baseURL.map { url.path(beneath: $0) != nil } ?? false }
    if let upstream = around.max(by: { $0.basePath.utf8.count < $1.basePath.utf8.count }) {
      return target(upstream.name, upstream.baseURL, upstream)
    }
    let origin = url.origin
    if let target = new[origin] { return target }
    let target = target(freeName(for: origin), origin, nil)
    new[origin] = target
    return target
  }

  /// `github`, or `api-github-com` beside another host of that name, or with a number.
  private func freeName(for origin: WebURL) -> String {
    let whole = "\(origin.host) \(origin.port.map(String.init) ?? "")".slug
    let names = [UpstreamGuess.name(for: origin), whole.isEmpty ? "upstream" : whole]
    func isFree(_ name: String) -> Bool { known[name] == nil && upstream(named: name) == nil }
    if let name = names.first(where: isFree) { return name }
    var number = 2
    while !isFree("\(names[1])-\(number)") { number += 1 }
    return "\(names[1])-\(number)"
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
