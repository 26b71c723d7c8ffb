import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// How requests to the API of a document authenticate, as headers from the environment.
struct OpenAPISecurity {
  private let description: OpenAPIDescription
  private let upstream: String
  private let upstreamNames: Set<String>

  /// - Parameter others: the upstreams beside that of the document.
  init(_ description: OpenAPIDescription, upstream: String, beside others: [String] = []) {
    self.description = description
    self.upstream = upstream
    upstreamNames = Set(others + [upstream])
  }

  func schemes() throws(Failure) -> [(name: String, node: OpenAPINode)] {
    var schemes: [(name: String, node: OpenAPINode)] = []
    let written = description.root["components"]?["securitySchemes"]?.entries ?? []
    for (name, node) in written {
      if case .success(let target) = try description.resolved(node) {
        schemes.append((name, target))
      }
    }
    return schemes
  }

  /// The `secrets` of `upstream.json`: optional, since an operation may do without.
  func secrets() throws(Failure) -> [(key: String, value: JSONText?)] {
    var secrets: [(key: String, value: JSONText?)] = []
    var seen: Set<HeaderName> = []
    for (name, node) in try schemes() {
      guard let (header, start) = header(of: node),
        seen.insert(HeaderName(header)).inserted
      else { continue }
      secrets.append(
        (
          header,
          ["value": "\(start){\(variable(for: name))}", "optional": true]
        ))
    }
    return secrets
  }

  func notes() throws(Failure) -> [ImportNote] {
    var notes: [ImportNote] = []
    for (name, node) in try schemes() where header(of: node) == nil {
      notes.append(
        node.note(.leftOut, name, because: "only headers can carry secrets to the live API"))
    }
    return notes
  }

  func header(of scheme: OpenAPINode) -> (name: String, start: String)? {
    switch scheme.text("type") {
    case "apiKey" where scheme.text("in") == "header":
      scheme.text("name").flatMap { Self.isUsable($0) ? ($0, "") : nil }
    case "http" where scheme.text("scheme")?.lowercased() == "basic": ("Authorization", "Basic ")
    case "http" where scheme.text("scheme")?.lowercased() == "bearer": ("Authorization", "Bearer ")
    case "oauth2", "openIdConnect": ("Authorization", "Bearer ")
    default: nil
    }
  }

  /// Where a request carries it, in the document's words; `nil` where no contract can say.
  func credential(of scheme: OpenAPINode) -> (location: String, name: String)? {
    if let header = header(of: scheme)?.name { return ("header", header) }
    guard scheme.text("type") == "apiKey", let location = scheme.text("in"), location != "header"
    else { return nil }
    return scheme.text("name").map { (location, $0) }
  }

  /// Not one that the client writes.
  private static func isUsable(_ header: String) -> Bool {
    let name = HeaderName(header)
    return HeaderText.isName(header) && !HeaderName.ofConnection.contains(name)
      && !["host", "content-length", "cookie"].contains(name)
  }

  /// `UNDERSTUDY_PETSTORE_API_KEY`
  private func variable(for scheme: String) -> String {
    let word = scheme.slug.uppercased().replacing("-", with: "_")
    let name = SecretVariable.start(of: upstream) + word
    return SecretVariable.isFree(name, for: upstream, among: upstreamNames)
      ? name : SecretVariable.example(for: upstream, among: upstreamNames) ?? name
  }
}
