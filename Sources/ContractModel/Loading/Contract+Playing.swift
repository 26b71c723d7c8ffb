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
    case playing

    /// Whether what consumers expect is checked.
    var checksExpectations: Bool { self == .checking || self == .running }
    /// Whether missing cases are warned of.
    var checksCoverage: Bool { self == .checking || self == .reading }
  }
}

extension Contract {
  /// Only what a server plays. A condition on a body retains the file.
  func forPlaying() -> Contract {
    // Most cases share the response of the one that they are like.
    var known: (old: Response, new: Response)?
    let cases = cases.map { played in
      let response = played.response.map { old in
        if let known, known.old === old { return known.new }
        let new = old.forPlaying()
        known = (old, new)
        return new
      }
      return played.forPlaying(response)
    }
    return Contract(
      name: name, upstreamName: upstreamName, summary: summary, request: request.forPlaying(),
      cases: cases, defaultCaseIndex: defaultCaseIndex, scripts: scripts, waivers: [], file: file,
      source: .null, contentHash: contentHash)
  }
}

extension Case {
  fileprivate func forPlaying(_ response: Response?) -> Case {
    Case(
      name: name, summary: summary, response: response, when: when?.forPlaying(), then: then,
      malformation: malformation?.forPlaying(), bodyBytes: bodyBytes, delay: delay, pace: pace,
      stall: stall, fault: fault, faultEvent: faultEvent, expectations: [],
      live: live?.forPlaying(), source: .null, likeIndex: likeIndex)
  }
}

extension Response {
  fileprivate func forPlaying() -> Response {
    let body: Body =
      switch body {
      case .json: .json(.null)
      case .events(let events): .events(events.map { $0.forPlaying() })
      default: body
      }
    return Response(
      status: status, headers: headers, body: body, bodyBytes: bodyBytes, schema: nil,
      version: version, framing: framing, encoding: encoding, hasRanges: hasRanges, hasTag: hasTag,
      templatedParts: templatedParts)
  }
}

extension ServerEvent {
  fileprivate func forPlaying() -> ServerEvent {
    ServerEvent(event: event, id: id, retry: retry, data: data, isJSON: isJSON, after: after)
  }
}

extension RequestPattern {
  fileprivate func forPlaying() -> RequestPattern {
    if parameters.isEmpty { return self }
    return RequestPattern(
      method: method, paths: paths, parameters: parameters.map { $0.forPlaying() }, body: body)
  }
}

extension Trigger {
  fileprivate func forPlaying() -> Trigger {
    Trigger(
      request: request.map { $0.forPlaying() }, body: body, state: state.map { $0.forPlaying() },
      countAbove: countAbove, share: share)
  }
}

extension StateCondition {
  fileprivate func forPlaying() -> StateCondition {
    StateCondition(name: name, value: value.forPlaying())
  }
}

extension LiveProbe {
  fileprivate func forPlaying() -> LiveProbe {
    LiveProbe(
      parameters: parameters.map { LiveParameter(key: $0.key, value: $0.value, source: .null) },
      latencyMax: latencyMax, isSafe: isSafe, source: .null)
  }
}

extension Malformation {
  /// The values are in the damaged body by now.
  fileprivate func forPlaying() -> Malformation {
    if case .set = self { .set([]) } else { self }
  }
}
