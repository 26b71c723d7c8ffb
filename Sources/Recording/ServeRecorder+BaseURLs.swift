package import UnderstudyContractModel
package import UnderstudyCore
import UnderstudyDrafting

extension ServeRecorder {
  /// The base URLs of the upstreams to record: the chosen ones, or all in the folder.
  package static func baseURLs(
    of chosen: [(name: String, baseURL: WebURL?)], _ library: ContractLibrary?, _ folder: String
  ) throws(Failure) -> [String: WebURL] {
    let known = library?.upstreams ?? []
    var baseURLs: [String: WebURL] = [:]
    for (name, given) in chosen {
      let upstream = known.first { $0.name == name }
      if let upstream, let given, let own = upstream.baseURL, own != given {
        throw .otherBaseURL(upstream, given)
      }
      guard let base = given ?? upstream?.baseURL else {
        throw .noBaseURL(name, isKnown: upstream != nil, known: known.map(\.name))
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
        fix: "name one with --upstream NAME=URL")
    }
    return baseURLs
  }
}

extension Failure {
  fileprivate static func noBaseURL(_ name: String, isKnown: Bool, known: [String]) -> Self {
    let address = "give its URL: --upstream \(name)=https://…"
    guard !isKnown else {
      return Self(message: "upstream \"\(name)\" has no base URL", fix: address)
    }
    let suggestion =
      Spelling.suggestion(for: name, among: known).map { "\($0) If it is new, " } ?? ""
    return Self(message: "unknown upstream \"\(name)\" in --upstream", fix: suggestion + address)
  }
}
