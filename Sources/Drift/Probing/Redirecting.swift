import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyRecording

extension ClientRequest {
  /// Why a redirect of this request is not followed to this target; `nil` if it is.
  func refusal(toFollow next: ClientRequest) -> String? {
    guard let here = WebAddress(url)?.origin, let there = WebAddress(next.url)?.origin else {
      return "its target is not an HTTP address"
    }
    if here == there { return nil }
    if ![.get, .head].contains(next.method) { return "it could change something on another host" }
    if here.scheme == "https", there.scheme == "http" { return "it leads from https to http" }
    if NetworkHost(here.host).isPublicName, !NetworkHost(there.host).isPublicName {
      return "it leads from a public name to a local name or an IP address"
    }
    return next.closedAddress?.refusalOfRedirect
  }
}

extension LiveExchange {
  /// Whether a redirect led elsewhere, although the case does not expect one.
  func isRedirect(expecting status: Int?) -> Bool {
    response.map {
      ClientRequest.redirectStatuses.contains($0.status) && $0.status != status
        && $0.header("location") != nil
    } ?? false
  }

  /// The target of a redirect, and why it is not followed: `(302) to https://dog.ceo/api`.
  fileprivate var leading: (words: String, refusal: String?) {
    guard let response else { return ("", nil) }
    let received = response.response(url: request.url)
    var bodiless = request
    bodiless.body = nil
    guard let there = try? bodiless.redirected(by: received) else {
      return ("(\(response.status))", "its target is not an HTTP address")
    }
    let next = try? request.redirected(by: received)
    return (
      "(\(response.status)) to \(there.address)",
      next.map { request.refusal(toFollow: $0) } ?? "it would send the body to another host"
    )
  }

  /// The redirects to the checked response; `nil` when it is the first response.
  func redirectDifference(expecting status: Int?, at position: SourcePosition) -> Difference? {
    if isRedirect(expecting: status) {
      let (words, refusal) = leading
      let reason = refusal ?? "it came after \(redirects.count) others"
      return Difference(
        type: .redirect, message: "a redirect \(words) was not followed: \(reason)",
        position: position)
    }
    guard let first = redirects.first, let status = first.response?.status else { return nil }
    let others = redirects.count > 1 ? ", by \(redirects.count) redirects" : ""
    return Difference(
      type: .redirect, message: "followed a redirect (\(status)) to \(request.address)\(others)",
      position: position, fix: "none needed, or change the contract to request the target")
  }
}

extension [LiveExchange] {
  /// For the requests of a service, the target of the last redirect not followed: `; it was
  /// redirected (302) to https://dog.ceo/api and did not follow`
  func redirectNote(expecting status: Int?) -> String {
    let unfollowed = last(where: { exchange in
      exchange.isRedirect(expecting: status)
        && !contains {
          $0.redirects.dropFirst(exchange.redirects.count).first?.request == exchange.request
        }
    })
    guard let unfollowed else { return "" }
    let (words, refusal) = unfollowed.leading
    if let refusal { return "; it was redirected \(words), which is not followed: \(refusal)" }
    let count = unfollowed.redirects.count + 1
    return count > 1
      ? "; it was redirected \(count) times, last \(words)"
      : "; it was redirected \(words) and did not follow"
  }
}
