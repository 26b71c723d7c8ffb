import UnderstudyContractModel

extension RecordedPlan {
  /// The cases to write, and scripts for requests with several successive responses.
  struct Result {
    var cases: [RecordedCase] = []
    var scripts: [(name: String, cases: [String])] = []
    /// The cases that are served for a request in order, by the request's index in its group.
    var served: [Int: [String]] = [:]
  }

  /// - Parameter hasDefault: whether the first case is the default.
  func cases(
    of group: RecordedGroup, hasDefault: Bool, taken: Set<String> = [], for target: RecordingTarget
  ) -> Result {
    var result = Result()
    let repeatedKeys = group.repeatedKeys
    var names = UniqueNames(taken: taken)
    var served: [Int: [String]] = [:]
    var models: [Int: RecordedCase] = [:]
    var schemas: [Int: InferredSchema] = [:]
    let example = hasDefault ? chosen.first.map { group.requests[$0.request] } : nil
    for (offset, (index, when)) in chosen.enumerated() {
      let request = group.requests[index]
      let values = when.flatMap { key, trait -> [String] in
        if case .values(let values) = trait, !key.hasPrefix("header.") { values } else { [] }
      }
      var own: [String] = []
      for (number, response) in request.responses.enumerated() {
        let status = response.status
        let name = Self.name(RecordedCase.stem(of: status), values, &names)
        own.append(name)
        var recorded = group.recordedCase(
          name, response, to: request, when: number == 0 ? when : [],
          isDefault: hasDefault && offset == 0 && number == 0, example: example, for: target)
        recorded.repeatedKeys = repeatedKeys
        if response.body.isJSON {
          recorded.schema = schemas[status] ?? group.schema(of: status, while: target.goesOn)
          schemas[status] = recorded.schema
        }
        // A file has its own schema.
        if case .json = response.body {
          if let model = models[status],
            model.headers.hasTemplates == recorded.headers.hasTemplates
          {
            (recorded.like, recorded.headersOfLike) = (model.name, model.headers)
            recorded.schema = nil
          } else if models[status] == nil {
            models[status] = recorded
          }
        }
        result.cases.append(recorded)
      }
      served[index] = request.sequence.map { own[$0] }
      if own.count > 1 {
        let name = result.scripts.isEmpty ? "as-recorded" : "as-recorded-\(own[0])"
        result.scripts.append((name, request.sequence.map { own[$0] }))
      }
    }
    for (member, origin) in origins {
      guard let names = served[origin] else { continue }
      result.served[member] = member == origin ? names : Array(names.prefix(1))
    }
    return result
  }

  /// `ok`, `ok-2` for the request whose parameter is 2, or a free number.
  private static func name(
    _ stem: String, _ values: [String], _ names: inout UniqueNames
  ) -> String {
    let slug = values.map(\.slug).filter { !$0.isEmpty }.joined(separator: "-")
    let long = "\(stem)-\(slug)"
    let isLong =
      names.contains(stem) && !slug.isEmpty && slug.utf8.count <= 40 && !names.contains(long)
    return names.name(isLong ? long : stem)
  }
}

extension RecordedGroup {
  /// The case of a response.
  ///
  /// - Parameters:
  ///   - when: what distinguishes the request; empty for later responses to it.
  ///   - example: the request of the default case, whose headers the contract has.
  fileprivate func recordedCase(
    _ name: String, _ response: RecordedRequest.Response, to request: RecordedRequest,
    when: [(key: String, trait: RecordedTrait)], isDefault: Bool, example: RecordedRequest?,
    for target: RecordingTarget
  ) -> RecordedCase {
    var recorded = RecordedCase(
      name: name, status: response.status,
      headers: RecordedHeaders(of: response.samples, baseURL: target.baseURL, mask: mask),
      body: response.body, when: when,
      isLive: method == "GET" && target.baseURL != nil && !request.isConditional
        && (isDefault || !when.isEmpty))
    guard recorded.isLive else { return recorded }
    if target.limitsLatency { recorded.latencyMax = latencyMax(of: response.status) }
    if let example {
      let headerNames = headerNames
      recorded.liveHeaders = request.exchange.headers.filter { field in
        headerNames.contains(field.name) && !example.exchange.headers.contains(field)
          && !when.contains { $0.key == "header.\(field.name)" }
      }
    }
    return recorded
  }
}
