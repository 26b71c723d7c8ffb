import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySuite
import UnderstudySystem

/// The outcome of requesting a live case once, for every consumer that expects something of it.
struct ProbeAttempt: Sendable {
  struct ConsumerResult: Sendable {
    /// `nil` when there was none in time.
    let outcome: ConsumerOutcome?
    let paths: ReadPaths?
    /// `nil` when they are unknown.
    let headers: HeaderReads?
    let exchanges: [LiveExchange]
    /// What a command sent for the case.
    var sent: Request?
    /// The differences from the contract.
    let findings: [Finding]
    /// Why the findings may be the fault of neither the consumer nor the API.
    let inconclusive: Inconclusive?
  }

  /// The response to the request of the case; `nil` when there is none to check.
  let response: LiveResponse?
  /// Why the body of a response cannot be decoded: there was one, but nothing of it is known.
  var undecodable: String? = nil
  let inconclusive: Inconclusive?
  /// The redirects to that response.
  let redirect: Difference?
  /// In the order of the probe's readers.
  let readings: [ConsumerResult]
  /// Each exchange with its consumer, or `nil` for the request of the contract itself.
  let exchanges: [(consumer: String?, exchange: LiveExchange)]
}

extension ProbeAttempt {
  /// The same with other responses, which the results stay those of.
  func withResponses(_ change: (LiveResponse) -> LiveResponse) -> ProbeAttempt {
    ProbeAttempt(
      response: response.map(change), undecodable: undecodable, inconclusive: inconclusive,
      redirect: redirect,
      readings: readings.map { $0.asked(by: $0.exchanges.map { $0.withResponses(change) }) },
      exchanges: exchanges.map { ($0.consumer, $0.exchange.withResponses(change)) })
  }
}

/// Requests live cases.
struct Prober: Sendable {
  let upstreams: [LiveUpstream]
  let index: RequestIndex
  let source: @Sendable (_ probe: PlannedProbe, _ consumer: String?) -> any ResponseSource
  let bypassesCaches: Bool
  /// The deadline for a consumer's outcome.
  let limit: @Sendable () -> Duration
  /// For the contract's own request; a service sets its own limit.
  private static let redirectCountMax = 5
  /// The time limit of a consumer for stored responses.
  var replayMax = Duration.seconds(10)

  func ask(_ probe: PlannedProbe) async -> ProbeAttempt {
    var readings: [Int: ProbeAttempt.ConsumerResult] = [:]
    var exchanges: [(String?, LiveExchange)] = []
    for (place, reader) in probe.readers.enumerated() {
      guard case .service(let service) = reader.consumer else { continue }
      let reading = await call(service, reader, probe)
      readings[place] = reading
      exchanges += reading.exchanges.map { (reader.consumer.name, $0) }
    }
    let own = exchanges.lazy.map(\.1).first {
      isChecked($0, of: probe) && probe.isAbout($0.redirects.first ?? $0, index)
    }
    if let own {
      return await attempt(at: probe, own, nil, readings, exchanges)
    }
    do throws(MissingExample) {
      var request = try probe.exampleRequest()
      if !ClientRequest.redirectStatuses.contains(probe.served.status ?? 200) {
        request.options.redirectCountMax = Self.redirectCountMax
      }
      let transport = transport(for: probe, nil)
      _ = try? await transport.send(request)
      let own = transport.exchanges
      exchanges += own.map { (nil, $0) }
      return await attempt(
        at: probe, own.last, Inconclusive("the request could not be sent"), readings, exchanges)
    } catch {
      return await attempt(
        at: probe, nil, Inconclusive("the contract gives no value for \"\(error.key)\""), readings,
        exchanges)
    }
  }

  /// The same, with every consumer checked on the response that represents the case: each sends its
  /// own requests, and one that got another response may break on this one.
  func checkingAll(_ attempt: ProbeAttempt, of probe: PlannedProbe) async -> ProbeAttempt {
    guard let response = attempt.checked else { return attempt }
    var readings = attempt.readings
    for (place, reader) in probe.readers.enumerated() {
      let reading = readings[place]
      guard case .service(let service) = reader.consumer, reading.isContent,
        !reading.exchanges.isEmpty,
        !reading.exchanges.contains(where: { $0.response?.isSame(as: response) ?? false })
      else { continue }
      let stand = StandIn(
        response, for: probe, index, others: reading.exchanges,
        isMasked: source(probe, reader.consumer.name).isMasked)
      let again = await call(service, reader, probe, from: stand)
      if again.isBroken { readings[place] = again.asked(by: reading.exchanges) }
    }
    return ProbeAttempt(
      response: response, inconclusive: nil, redirect: attempt.redirect, readings: readings,
      exchanges: attempt.exchanges)
  }

  /// Neither a response to a service's own conditions, such as a 304, nor a redirect it does not
  /// follow counts as the response.
  func isChecked(_ exchange: LiveExchange, of probe: PlannedProbe) -> Bool {
    guard let status = exchange.response?.status, status != probe.served.status else { return true }
    return !exchange.request.hasConditions
      && !exchange.isRedirect(expecting: probe.served.status)
  }

  /// The attempt with this response, which the commands get now.
  ///
  /// - Parameters:
  ///   - inconclusive: why there is no response.
  ///   - readings: of the services, by their places among the readers.
  private func attempt(
    at probe: PlannedProbe, _ own: LiveExchange?, _ inconclusive: Inconclusive?,
    _ readings: [Int: ProbeAttempt.ConsumerResult], _ exchanges: [(String?, LiveExchange)]
  ) async -> ProbeAttempt {
    let status = probe.served.status
    let inconclusive = own.map { $0.inconclusive(expecting: status) } ?? inconclusive
    var readings = readings
    for (place, reader) in probe.readers.enumerated() {
      guard case .command(let command) = reader.consumer else { continue }
      readings[place] = await run(command, reader, probe, on: own, inconclusive)
    }
    return ProbeAttempt(
      response: own?.response, undecodable: own?.undecodable, inconclusive: inconclusive,
      redirect: own?.redirectDifference(
        expecting: status, at: probe.served.source.position),
      readings: probe.readers.indices.compactMap { readings[$0] }, exchanges: exchanges)
  }

  /// Lets a command read the response from a local fake.
  func run(
    _ command: CommandConsumer, _ reader: PlannedProbe.Reader, _ probe: PlannedProbe,
    on own: LiveExchange?, _ inconclusive: Inconclusive?
  ) async -> ProbeAttempt.ConsumerResult {
    func result(
      _ outcome: ConsumerOutcome?, _ findings: [Finding], _ inconclusive: Inconclusive?,
      sent: Request? = nil
    ) -> ProbeAttempt.ConsumerResult {
      ProbeAttempt.ConsumerResult(
        outcome: outcome, paths: reader.learned, headers: nil, exchanges: [], sent: sent,
        findings: findings, inconclusive: inconclusive)
    }
    guard let own, let response = own.response, inconclusive == nil else {
      return result(
        nil, [], inconclusive ?? Inconclusive(own?.undecodable ?? "there was no response"))
    }
    let outcome: ConsumerOutcome?
    let sent: Request?
    do throws(SystemError) {
      let replay = try await ResponseReplay.start(
        index.upstreams, serving: response.status, response.headers, response.body,
        for: probe.served,
        of: probe.contract)
      (outcome, sent) = await replay.outcome(
        of: command, expecting: reader.expectation, within: limit())
      await replay.close()
    } catch {
      return result(nil, [], Inconclusive("the response could not be replayed: \(error)"))
    }
    if case .notStarted(let reason) = outcome { return result(nil, [], Inconclusive(reason)) }
    guard let outcome else {
      return result(nil, [], Inconclusive("the command did not end in time"))
    }
    let place = probe.place(of: reader)
    let findings = OutcomeComparison(
      live: outcome, of: probe.served, against: reader.expectation, in: probe.contract.file
    ).findings.map { finding in
      Finding(
        .error, .consumerBroken, finding.message, at: finding.place ?? place,
        fix: probe.mending(command.name))
    }
    let isHidden = source(probe, command.name).isMasked && !findings.isEmpty
    return result(
      outcome, findings, isHidden ? own.blindSpot(of: reader.learned ?? ReadPaths()) : nil,
      sent: sent)
  }

  func transport(
    for probe: PlannedProbe, _ consumer: String?, from stand: StandIn? = nil,
    headers: HeaderReads = HeaderReads()
  ) -> LiveTransport {
    LiveTransport(
      stand ?? source(probe, consumer), upstreams: upstreams, caseUpstream: probe.upstream.name,
      status: probe.served.status, isSafe: probe.served.live?.isSafe ?? false || stand != nil,
      bypassesCaches: bypassesCaches, headers: headers)
  }

  /// - Parameter stand: responses in place of the upstreams.
  func call(
    _ service: ServiceConsumer, _ reader: PlannedProbe.Reader, _ probe: PlannedProbe,
    from stand: StandIn? = nil
  ) async -> ProbeAttempt.ConsumerResult {
    let headers = HeaderReads()
    let transport = transport(for: probe, reader.consumer.name, from: stand, headers: headers)
    let recorder = ReadPaths()
    var call = ConsumerCall(
      transport: transport, baseURL: baseURL, arguments: reader.expectation.arguments)
    call.recorder = recorder
    let isReplay = transport.isMasked
    let outcome = await service.outcome(
      of: call, within: isReplay || stand != nil ? min(limit(), replayMax) : limit())
    let exchanges = transport.exchanges
    let place = probe.place(of: reader)
    var findings: [Finding] = []
    if let outcome {
      findings = OutcomeComparison(
        live: outcome, of: probe.served, against: reader.expectation, in: probe.contract.file
      ).findings.map {
        Finding(
          .error, .consumerBroken,
          $0.message + exchanges.redirectNote(expecting: probe.served.status)
            + exchanges.lastNote,
          at: $0.place ?? place, fix: probe.mending(reader.consumer.name))
      }
    }
    let refusals =
      transport.foreignRequests.map { request in
        Finding(
          .error, .foreignHost,
          "sent \(request), expected only requests to the upstreams of the contracts", at: place)
      }
      + transport.unsafeRequests.map { request in
        Finding(
          .error, .request, "sent \(request), expected no request that could change something",
          at: place,
          fix: "add \"safe\": true to \"live\" if it may be sent in every run, or remove \"live\"")
      }
      + (transport.isExhausted ? [exhaustion(at: place, "these responses")] : [])
    let inconclusive =
      outcome == nil
      ? Inconclusive(
        isReplay
          ? "no outcome for the stored responses in time"
          : "no outcome before the run had to end")
      : exchanges.indices.lazy.compactMap { index in
        exchanges[index].inconclusive(
          expecting: exchanges[index].upstream == probe.upstream.name ? probe.served.status : nil
        ).map { Inconclusive($0.reason + exchanges.note(at: index), $0.cause) }
      }.first
        ?? transport.refusal
        ?? (transport.isMasked && !findings.isEmpty
          ? exchanges.lazy.compactMap { $0.blindSpot(of: recorder) }.first : nil)
    if outcome != nil, !transport.isExhausted, !findings.isEmpty,
      await readWhole(call, service, reader, probe, exchanges, headers, stand?.scope ?? .request)
        .isExhausted
    {
      findings.append(exhaustion(at: place, "the responses of the contracts"))
    }
    // A body may be decoded in another way; one that nobody looked at was not read.
    let knowsReads = !recorder.paths.isEmpty || !exchanges.isEmpty && !headers.isBodyRead
    return ProbeAttempt.ConsumerResult(
      outcome: outcome, paths: knowsReads ? recorder : nil, headers: headers, exchanges: exchanges,
      findings: refusals.isEmpty ? findings : refusals,
      inconclusive: refusals.isEmpty ? inconclusive : nil)
  }

  /// Lets a consumer that a response broke read the contract's response as well, to learn what it
  /// would have read.
  private func readWhole(
    _ call: ConsumerCall, _ service: ServiceConsumer, _ reader: PlannedProbe.Reader,
    _ probe: PlannedProbe, _ exchanges: [LiveExchange], _ headers: HeaderReads,
    _ scope: StandIn.Scope
  ) async -> LiveTransport {
    let stand = StandIn(
      LiveResponse(of: probe.served), for: probe, index, others: exchanges, scope: scope)
    let transport = transport(for: probe, reader.consumer.name, from: stand, headers: headers)
    var again = ConsumerCall(
      transport: transport, baseURL: baseURL, arguments: reader.expectation.arguments)
    again.recorder = call.recorder
    _ = await service.outcome(of: again, within: min(limit(), replayMax))
    return transport
  }

  private func exhaustion(at place: Place, _ responses: String) -> Finding {
    Finding(
      .error, .requestCount,
      "sent more than \(LiveTransport.exchangeCountMax) requests to read \(responses), and was stopped",
      at: place, fix: "stop at a repeated page, and limit the number of pages")
  }

  private var baseURL: @Sendable (String) -> String? {
    { [upstreams] name in upstreams.first { $0.name == name }?.baseURL.text }
  }
}

extension ProbeAttempt.ConsumerResult {
  /// The same, with the live requests.
  fileprivate func asked(by exchanges: [LiveExchange]) -> Self {
    Self(
      outcome: outcome, paths: paths, headers: headers, exchanges: exchanges, findings: findings,
      inconclusive: inconclusive)
  }
}

extension PlannedProbe {
  /// What to do about a service that a live response has broken.
  fileprivate func mending(_ consumer: String) -> String {
    "make \(consumer) handle such a response, or ask \(upstream.upstream.owner ?? upstream.name) to"
      + " revert the change"
  }
}
