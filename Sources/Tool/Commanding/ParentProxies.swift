import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer

/// The proxies that the user's environment names, for what passes through ours.
struct ParentProxies: Sendable {
  private let plain: PassThrough.Parent?
  private let secure: PassThrough.Parent?
  /// The hosts that are reached without one.
  private let direct: [String]

  static let option = Parameter.flag(
    "pass-through",
    "Let clients of the proxy reach hosts that no upstream declares, by your own proxy if"
      + " HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names one.")

  /// - Parameter port: that of our own proxy, which is not taken for another; `nil` for any.
  init(besides port: UInt16? = nil, _ environment: (String) -> String?) throws(Failure) {
    func find(_ name: String) throws(Failure) -> PassThrough.Parent? {
      let names = [name, name.uppercased(), "all_proxy", "ALL_PROXY"]
      let given = names.compactMap { name in environment(name).map { (name, $0) } }
        .first { !$0.1.isEmpty }
      guard let (name, value) = given else { return nil }
      let found = try PassThrough.Parent(value, of: name)
      let isOurs = NetworkHost(found.host).isLoopback && found.port == port.map(Int.init)
      return isOurs ? nil : found
    }
    (plain, secure) = (try find("http_proxy"), try find("https_proxy"))
    let list = ["no_proxy", "NO_PROXY"].compactMap(environment).first { !$0.isEmpty } ?? ""
    direct = list.lowercased().split { $0 == "," || $0 == " " }.map { entry in
      entry == "*" ? "*" : String(entry.drop { "*.".contains($0) })
    }
  }

  /// The proxy for a URL; `nil` where its host is reached without one.
  func proxy(for url: WebURL) -> PassThrough.Parent? {
    let isDirect = direct.contains { entry in
      entry == "*" || entry == url.place || url.host == entry || url.host.hasSuffix(".\(entry)")
    }
    // No proxy leads to this machine.
    return isDirect || url.isLoopback ? nil : url.scheme == "https" ? secure : plain
  }

  /// `http://proxy.example:3128`; `nil` without any.
  var shown: String? {
    let all = [secure, plain].compactMap { $0.map { "http://\($0.host):\($0.port)" } }
    return all.isEmpty ? nil : Set(all).sorted().joined(separator: " and ")
  }

  /// What is said once where hosts pass through.
  var words: String { "other hosts pass through" + (shown.map { " by your proxy, \($0)" } ?? "") }

  var passThrough: PassThrough { PassThrough { self.proxy(for: $0) } }
}

extension PassThrough.Parent {
  /// - Parameter name: of the variable with this value.
  fileprivate init(_ value: String, of name: String) throws(Failure) {
    let parts = value.split(separator: "://", maxSplits: 1).map(String.init)
    let scheme = parts.count == 2 ? parts[0].lowercased() : "http"
    let rest = parts.last ?? ""
    let place = rest.split(separator: "@").last.map(String.init) ?? ""
    guard scheme == "http", let url = WebURL("http://\(place)") else {
      // It may have a password.
      throw Failure(
        message: scheme == "http"
          ? "\(name) is not the address of a proxy"
          : "\(name) names a proxy of \(scheme)://, expected http://",
        fix: "set it to http://HOST:PORT, or leave out --pass-through")
    }
    let user = rest.dropLast(min(rest.count, place.count + 1)).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false
    ).map { PercentEncoding.decode($0) ?? String($0) }
    self.init(
      host: NetworkHost(url.host).text, port: url.port ?? 80,
      authorization: user.isEmpty || user == [""]
        ? nil : "Basic \(Base64.encode(Array((user + [""]).prefix(2).joined(separator: ":").utf8)))"
    )
  }
}
