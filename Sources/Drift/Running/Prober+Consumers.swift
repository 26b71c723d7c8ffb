import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySuite
import UnderstudySystem

extension Prober {
  /// Lets a command read the response from a local fake.
  func run(
    _ command: CommandConsumer, _ reader: PlannedCase.Reader, _ liveCase: PlannedCase,
    on own: LiveExchange?, _ inconclusive: Inconclusive?
  ) async -> LiveCaseAttempt.ConsumerResult {
    var result = LiveCaseAttempt.ConsumerResult(paths: reader.learned)
    func unchecked(_ inconclusive: Inconclusive) -> LiveCaseAttempt.ConsumerResult {
      LiveCaseAttempt.ConsumerResult(paths: reader.learned, inconclusive: inconclusive)
    }
    guard let own, let response = own.response, inconclusive == nil else {
      return unchecked(
        inconclusive ?? Inconclusive(own?.undecodable ?? "there was no response"))
    }
    if let missing = command.missingProgram {
      return unchecked(Inconclusive("\(missing.message); \(missing.fix ?? "")"))
    }
    let gotResponse: Bool
    do throws(SystemError) {
      let replay = try await ResponseReplay.start(
        index.upstreams, serving: response.status, response.headers, response.body,
        for: liveCase.served,
        of: liveCase.contract)
      (result.outcome, result.sent, gotResponse) = await replay.outcome(
        of: command, expecting: reader.expectation, within: limit())
      await replay.close()
    } catch {
      return unchecked(Inconclusive("the response could not be replayed: \(error)"))
    }
    guard let outcome = result.outcome else {
      return unchecked(Inconclusive("the command did not end in time"))
    }
    if case .notStarted(let reason) = outcome { return unchecked(Inconclusive(reason)) }
    guard gotResponse else { return unchecked(Inconclusive(outcome.reasonWithoutResponse)) }
    result.findings = liveCase.findings(on: outcome, of: reader)
    if source(liveCase, command.name).isMasked, !result.findings.isEmpty {
      result.inconclusive = own.blindSpot(of: reader.learned ?? ReadPaths())
    }
    return result
  }

  /// - Parameter stand: responses in place of the upstreams.
  func call(
    _ service: ServiceConsumer, _ reader: PlannedCase.Reader, _ liveCase: PlannedCase,
    from stand: StandIn? = nil
  ) async -> LiveCaseAttempt.ConsumerResult {
    let headers = HeaderReads()
    let transport = transport(for: liveCase, reader.consumer.name, from: stand, headers: headers)
    let recorder = ReadPaths()
    let isReplay = transport.isMasked
    let outcome = await service.outcome(
      of: call(by: reader, over: transport, recorder),
      within: isReplay || stand != nil ? min(limit(), replayMax) : limit())
    let exchanges = transport.exchanges
    let place = liveCase.place(of: reader)
    var findings =
      outcome.map {
        liveCase.findings(on: $0, of: reader) {
          exchanges.redirectNote(expecting: liveCase.served.status) + exchanges.lastNote
        }
      } ?? []
    let refusals =
      transport.refusals(at: place)
      + (transport.isExhausted ? [exhaustion(at: place, "these responses")] : [])
    var inconclusive: Inconclusive?
    if outcome == nil {
      inconclusive = Inconclusive(
        isReplay
          ? "no outcome for the stored responses in time" : "no outcome before the run had to end")
    } else {
      inconclusive = exchanges.inconclusive(for: liveCase) ?? transport.refusal
      if inconclusive == nil, isReplay, !findings.isEmpty {
        inconclusive = exchanges.lazy.compactMap { $0.blindSpot(of: recorder) }.first
      }
    }
    if outcome != nil, !transport.isExhausted, !findings.isEmpty,
      await readWhole(
        service, reader, liveCase, exchanges, headers, recorder, stand?.scope ?? .request
      )
      .isExhausted
    {
      findings.append(exhaustion(at: place, "the responses of the contracts"))
    }
    // A body may be decoded in another way; one that nobody looked at was not read.
    let knowsReads = !recorder.paths.isEmpty || !exchanges.isEmpty && !headers.isBodyRead
    return LiveCaseAttempt.ConsumerResult(
      outcome: outcome, paths: knowsReads ? recorder : nil, headers: headers, exchanges: exchanges,
      findings: refusals.isEmpty ? findings : refusals,
      inconclusive: refusals.isEmpty ? inconclusive : nil)
  }

  /// Lets a consumer that a response broke read the contract's response as well, to learn what it
  /// would have read.
  private func readWhole(
    _ service: ServiceConsumer, _ reader: PlannedCase.Reader, _ liveCase: PlannedCase,
    _ exchanges: [LiveExchange], _ headers: HeaderReads, _ recorder: ReadPaths,
    _ scope: StandIn.Scope
  ) async -> LiveTransport {
    let stand = StandIn(
      LiveResponse(of: liveCase.served), for: liveCase, index, others: exchanges, scope: scope)
    let transport = transport(for: liveCase, reader.consumer.name, from: stand, headers: headers)
    _ = await service.outcome(
      of: call(by: reader, over: transport, recorder), within: min(limit(), replayMax))
    return transport
  }

  private func exhaustion(at place: Place, _ responses: String) -> Finding {
    Finding(
      .error, .requestCount,
      "sent more than \(LiveTransport.exchangeCountMax) requests to read \(responses), and was stopped",
      at: place, fix: "stop at a repeated page, and limit the number of pages")
  }

  private func call(
    by reader: PlannedCase.Reader, over transport: LiveTransport, _ recorder: ReadPaths
  ) -> ConsumerCall {
    var call = ConsumerCall(
      transport: transport,
      baseURL: { [upstreams] name in upstreams.first { $0.name == name }?.baseURL.text },
      arguments: reader.expectation.arguments)
    call.recorder = recorder
    return call
  }
}

extension ConsumerOutcome {
  /// Why a command that did not request the case proves nothing about the response.
  fileprivate var reasonWithoutResponse: String {
    guard case .ended(let ending) = self else { return "the command did not request the case" }
    let error = ending.stderr.errorLine.map { ": \($0.quotedAndCut)" } ?? ""
    return "the command \(ending.words) before it requested the case\(error); run"
      + " \"understudy test\", or correct \"command\" in consumers.json"
  }
}

extension PlannedCase {
  /// What is wrong about a consumer's outcome for a live response.
  ///
  /// - Parameter note: on its requests.
  fileprivate func findings(
    on outcome: ConsumerOutcome, of reader: Reader, _ note: () -> String = { "" }
  ) -> [Finding] {
    OutcomeComparison(
      live: outcome, of: served, against: reader.expectation, in: contract.file
    ).findings.map { finding in
      Finding(
        .error, .consumerBroken, finding.message + note(), at: finding.place ?? place(of: reader),
        fix: "make \(reader.consumer.name) handle such a response, ask"
          + " \(upstream.upstream.owner ?? upstream.name) to revert the change, or accept it with a"
          + " reason")
    }
  }
}

extension LiveTransport {
  /// Requests of a consumer that were not sent.
  fileprivate func refusals(at place: Place) -> [Finding] {
    foreignRequests.map { request in
      Finding(
        .error, .foreignHost,
        "sent \(request), expected only requests to the upstreams of the contracts", at: place)
    }
      + unsafeRequests.map { request in
        Finding(
          .error, .request, "sent \(request), expected no request that could change something",
          at: place,
          fix: "add \"safe\": true to \"live\" if it may be sent in every run, or remove \"live\"")
      }
  }
}

extension [LiveExchange] {
  /// Why the first response that shows nothing of a case does not.
  fileprivate func inconclusive(for liveCase: PlannedCase) -> Inconclusive? {
    indices.lazy.compactMap { index in
      let isOwn = self[index].upstream == liveCase.upstream.name
      return self[index].inconclusive(expecting: isOwn ? liveCase.served.status : nil)
        .map { Inconclusive($0.reason + note(at: index), $0.cause) }
    }.first
  }
}
