import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySecrets

/// The status and headers of a response.
extension ContractPatch {
  /// The reason why a difference was not applied, or `nil` when it was.
  mutating func takeHead(_ difference: Difference) -> String? {
    do throws(JSONEditError) {
      guard let name = difference.header else { return try takeStatus() }
      if let fix = difference.fix {
        return "without rel=\"next\" the other pages would never be requested: \(fix)"
      }
      return difference.type == .headerRemoved ? try removeHeader(name) : try setHeader(name)
    } catch {
      return "\(error)"
    }
  }

  private static let statusesWithoutBody = [204, 205, 304]

  private mutating func takeStatus() throws(JSONEditError) -> String? {
    guard live.status / 100 == response.status / 100 else {
      return "a response with status \(live.status) is another case: add it, or request this one"
    }
    guard response.bodyBytes.isEmpty || !Self.statusesWithoutBody.contains(live.status) else {
      return "a response with status \(live.status) has no body: write that case by hand"
    }
    let place = expectation.place(forEditing: isOwn) { $0["status"] != nil }
    document = try document.setting(place.pointer.appending("status"), to: "\(live.status)")
    return nil
  }

  private mutating func setHeader(_ name: String) throws(JSONEditError) -> String? {
    guard !SecretNames.standard.hides(name) else { return "its value is a secret" }
    let values = live.headers.filter { $0.key == HeaderName(name) }.map(\.value)
    guard let first = values.first else { return Refusal.unseen }
    guard !values.contains(where: { $0.contains(SecretMask.mark) }) else { return Refusal.secret }
    try write(
      name,
      values.count == 1 ? first.quoted : "[\(values.map(\.quoted).joined(separator: ", "))]")
    return nil
  }

  private mutating func removeHeader(_ name: String) throws(JSONEditError) -> String? {
    guard let member = expectation.headerSource(name), !member.value.isNull else { return nil }
    let place = expectation.place(forEditing: isOwn) { $0.header(name) != nil }
    // Without it, the case would have that of the next one that it is `like`.
    let isOnly = expectation.sources.count { $0.header(name) != nil } == 1
    if isOnly, place.header(name) != nil {
      document = try document.removing(member.value.pointer)
    } else {
      try write(name, "null")
    }
    return nil
  }

  private mutating func write(_ name: String, _ json: String) throws(JSONEditError) {
    let isKnown = expectation.headerSource(name) != nil
    let place = expectation.place(forEditing: isOwn) {
      isKnown ? $0.header(name) != nil : $0["headers"] != nil
    }
    let headers = place.pointer.appending("headers")
    let key = place.header(name)?.key ?? expectation.headerSource(name)?.key ?? name
    document =
      document.root.value(at: headers) != nil
      ? try document.setting(headers.appending(key), to: json)
      : try document.setting(headers, to: "{ \(key.quoted): \(json) }")
  }
}

extension ExpectedResponse {
  /// Where something is edited that the case has, or has from another: in the case itself if the
  /// other one is live, since that has a response of its own.
  ///
  /// - Parameter isOwn: whether it is edited in the case itself in any event.
  func place(forEditing isOwn: Bool, where holds: (JSONValue) -> Bool) -> JSONValue {
    guard !isOwn, let source = sources.first(where: holds),
      source.pointer.tokens.last.flatMap(contract.case(named:))?.isLive != true
    else { return liveCase.source }
    return source
  }
}

extension JSONValue {
  fileprivate func header(_ name: String) -> JSONMember? {
    self["headers"]?.members.first { $0.key.lowercased() == name.lowercased() }
  }
}
