package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting

extension ServeRecorder {
  /// How people name an upstream and its live API.
  package enum Naming {
    case option, member

    fileprivate var place: String { self == .option ? "--upstream" : "\"upstreams\"" }

    fileprivate func written(_ name: String, _ url: String = "https://…") -> String {
      self == .option ? "--upstream \(name)=\(url)" : "\"upstreams\": {\"\(name)\": \"\(url)\"}"
    }
  }

  /// The base URLs of the upstreams to record: the chosen ones, or all in the folder.
  package static func baseURLs(
    of chosen: [(name: String, baseURL: WebURL?)], _ library: ContractLibrary?, _ folder: String,
    by naming: Naming = .option
  ) throws(Failure) -> [String: WebURL] {
    let known = library?.upstreams ?? []
    var baseURLs: [String: WebURL] = [:]
    for (name, given) in chosen {
      let upstream = known.first { $0.name == name }
      if let upstream, let given, let own = upstream.baseURL, own != given {
        let failure = Failure.otherBaseURL(upstream, given)
        throw naming == .option
          ? failure : Failure(message: failure.message, fix: "choose another name")
      }
      guard let base = given ?? upstream?.baseURL else {
        throw .noBaseURL(name, isKnown: upstream != nil, known: known.map(\.name), naming)
      }
      baseURLs[name] = base
    }
    if chosen.isEmpty {
      for upstream in known where upstream.retired == nil {
        baseURLs[upstream.name] = upstream.baseURL
      }
    }
    guard !baseURLs.isEmpty else {
      throw Failure(
        message: "no upstream with a live API in \(folder), so nothing can be recorded",
        fix: "name one with \(naming.written("NAME", "URL"))")
    }
    return baseURLs
  }
}

extension Failure {
  fileprivate static func noBaseURL(
    _ name: String, isKnown: Bool, known: [String], _ naming: ServeRecorder.Naming
  ) -> Self {
    let address = "give its URL: \(naming.written(name))"
    guard !isKnown else {
      return Self(message: "upstream \"\(name)\" has no base URL", fix: address)
    }
    let suggestion =
      Spelling.suggestion(for: name, among: known).map { "\($0) If it is new, " } ?? ""
    return Self(
      message: "unknown upstream \"\(name)\" in \(naming.place)", fix: suggestion + address)
  }
}
