import UnderstudyJSON

extension ContractLibrary {
  /// What contracts are read for, which decides what is kept of them.
  package enum Purpose: Sendable {
    /// With all that `lint` says of them.
    case checking
    /// Without warnings of missing cases, which only `lint` shows.
    case running
    /// Whole, without checking what consumers expect against consumers.json and other contracts,
    /// which only running the consumers takes.
    case reading
    /// Without warnings, expectations, schemas and the texts of the files, which take most of the
    /// memory.
    case serving

    /// Whether what consumers expect is checked.
    var checksExpectations: Bool { self == .checking || self == .running }
    /// Whether missing cases are warned of.
    var checksCoverage: Bool { self == .checking || self == .reading }
  }
}

extension Contract {
  /// Only what a server serves. A condition on a body retains the file.
  func forServing() -> Contract {
    // Most cases share the response of the one that they are like.
    var known: (old: Response, new: Response)?
    let cases = cases.map { served in
      let response = served.response.map { old in
        if let known, known.old === old { return known.new }
        let new = old.forServing()
        known = (old, new)
        return new
      }
      return served.forServing(response)
    }
    return Contract(
      name: name, upstreamName: upstreamName, summary: summary, request: request.forServing(),
      cases: cases, defaultCaseIndex: defaultCaseIndex, scripts: scripts, waivers: [], file: file,
      source: .null, contentHash: contentHash)
  }
}

extension Case {
  fileprivate func forServing(_ response: Response?) -> Case {
    Case(
      name: name, summary: summary, response: response, when: when?.forServing(), then: then,
      malformation: malformation?.forServing(), bodyBytes: bodyBytes, delay: delay, pace: pace,
      stall: stall, fault: fault, faultEvent: faultEvent, expectations: [],
      live: live?.forServing(), callbacks: callbacks.map { $0.forServing() }, source: .null,
      likeIndex: likeIndex)
  }
}

extension Response {
  fileprivate func forServing() -> Response {
    let body: Body =
      switch body {
      case .json: .json(.null)
      case .events(let events): .events(events.map { $0.forServing() })
      default: body
      }
    return Response(
      status: status, headers: headers, body: body, bodyBytes: bodyBytes, schema: nil,
      version: version, framing: framing, encoding: encoding, hasRanges: hasRanges, hasTag: hasTag,
      templatedParts: templatedParts)
  }
}

extension Callback {
  fileprivate func forServing() -> Callback {
    Callback(
      name: name, summary: summary, method: method, url: url, headers: headers,
      bodyBytes: bodyBytes, isJSON: isJSON, templatedParts: templatedParts, delay: delay,
      expectedStatus: expectedStatus, source: .null)
  }
}

extension ServerEvent {
  fileprivate func forServing() -> ServerEvent {
    ServerEvent(event: event, id: id, retry: retry, data: data, isJSON: isJSON, after: after)
  }
}

extension RequestPattern {
  fileprivate func forServing() -> RequestPattern {
    if parameters.isEmpty { return self }
    return RequestPattern(
      method: method, paths: paths, parameters: parameters.map { $0.forServing() }, body: body)
  }
}

extension When {
  fileprivate func forServing() -> When {
    When(
      request: request.map { $0.forServing() }, body: body, state: state.map { $0.forServing() },
      countAbove: countAbove, share: share)
  }
}

extension StateCondition {
  fileprivate func forServing() -> StateCondition {
    StateCondition(name: name, value: value.forServing())
  }
}

extension LiveSettings {
  fileprivate func forServing() -> LiveSettings {
    LiveSettings(
      parameters: parameters.map { LiveParameter(key: $0.key, value: $0.value, source: .null) },
      latencyMax: latencyMax, isSafe: isSafe, source: .null)
  }
}

extension Malformation {
  /// The values are in the mutated body by now.
  fileprivate func forServing() -> Malformation {
    if case .set = self { .set([]) } else { self }
  }
}
