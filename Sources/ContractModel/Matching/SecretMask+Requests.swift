import UnderstudyCore
package import UnderstudySecrets

extension SecretMask {
  package func masked(_ request: Request) -> Request {
    var request = request
    let type = request.headerValue("content-type") ?? ""
    request.method = masked(request.method)
    request.path = masked(target: request.path)
    request.query = request.query.map { masked(query: $0) }
    let coding = request.headerValue("content-encoding")?.lowercased() ?? "identity"
    request.headers = masked(request.headers)
    // Whatever is compressed cannot be looked into.
    let isCompressed = coding != "identity" || request.body.starts(with: [0x1F, 0x8B])
    request.body =
      isCompressed && !request.body.isEmpty
      ? Array(Self.mark.utf8) : masked(request.body, of: type, namedNumber: Self.quotedMark)
    return request
  }

  package func masked(_ headers: [HeaderField]) -> [HeaderField] {
    headers.map { HeaderField(name: $0.name, value: masked($0.value, of: $0.name)) }
  }

  /// A difference that involves a secret shows that it exists, not its value. The body of the
  /// request is left out: it may be megabytes large and is never shown.
  package func masked(_ explanation: Explanation) -> Explanation {
    let original = explanation.request
    var request = original
    request.body = []
    request = masked(request)
    let hasSecretPath = request.path != original.path
    lazy var hasSecretBody = masked(original).body != original.body
    return Explanation(
      request: request, upstream: explanation.upstream, missedStart: explanation.missedStart,
      candidate: explanation.candidate,
      nearMisses: explanation.nearMisses.map { near in
        NearMiss(
          contract: near.contract,
          differences: near.differences.map { difference in
            masked(difference, hasSecretPath: hasSecretPath, hasSecretBody: hasSecretBody)
          })
      })
  }

  private func masked(
    _ difference: RequestDifference, hasSecretPath: Bool, hasSecretBody: @autoclosure () -> Bool
  ) -> RequestDifference {
    switch difference {
    case .segment(let number, let found, let expected):
      .segment(number, found: hasSecretPath ? Self.mark : masked(found), expected: expected)
    case .extraSegments(let numbers, let found):
      .extraSegments(numbers, found: hasSecretPath ? Self.mark : masked(found))
    case .parameter(let key, let found?, let expected):
      .parameter(key: key, found: masked(found, ofParameter: key), expected: expected)
    case .body(let found, let expected):
      .body(found: hasSecretBody() ? Self.mark : found, expected: expected)
    case .method(let found, let expected):
      .method(found: masked(found), expected: expected)
    case .ofCase(let name, let difference):
      .ofCase(
        name,
        masked(difference, hasSecretPath: hasSecretPath, hasSecretBody: hasSecretBody()))
    case .missingSegment, .parameter, .state, .count, .share: difference
    }
  }

  /// Masks the value of a request's part, whose key is such as `query.page` or `header.Accept`.
  private func masked(_ value: String, ofParameter key: String) -> String {
    let parts = key.split(separator: ".", maxSplits: 1)
    let location: SecretNames.Location = parts.first == "query" ? .parameter : .field
    return names.hides(parts.last ?? "", value, in: location) ? Self.mark : masked(value)
  }
}
