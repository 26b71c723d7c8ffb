import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting

/// Requests live cases, and calls their consumers.
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
    let called = await calls(for: probe)
    let own = called.lazy.compactMap(\.self).flatMap(\.exchanges).first {
      isChecked($0, of: probe) && probe.isAbout($0.redirects.first ?? $0, index)
    }
    if let own { return await attempt(at: probe, own, nil, called) }
    do throws(MissingExample) {
      var request = try probe.exampleRequest()
      if !ClientRequest.redirectStatuses.contains(probe.served.status ?? 200) {
        request.options.redirectCountMax = Self.redirectCountMax
      }
      let transport = transport(for: probe, nil)
      _ = try? await transport.send(request)
      let exchanges = transport.exchanges
      return await attempt(
        at: probe, exchanges.last, Inconclusive("the request could not be sent"), called, exchanges)
    } catch {
      return await attempt(
        at: probe, nil, Inconclusive("the contract gives no value for \"\(error.key)\""), called)
    }
  }

  /// The attempt in which every consumer gets this response as if the case were forced; nothing is
  /// sent.
  func giving(_ response: LiveResponse, to probe: PlannedProbe) async -> ProbeAttempt {
    let own = LiveExchange(
      upstream: probe.upstream.name, method: probe.contract.request.method, target: "/",
      request: ClientRequest(url: probe.upstream.baseURL.text), outcome: .response(response))
    let stand = StandIn(response, for: probe, index, others: [], scope: .forced)
    return await attempt(at: probe, own, nil, calls(for: probe, from: stand))
  }

  /// The same, with every consumer checked on the response that represents the case: each sends its
  /// own requests, and one that got another response may break on this one.
  func checkingAll(_ attempt: ProbeAttempt, of probe: PlannedProbe) async -> ProbeAttempt {
    guard let response = attempt.checked else { return attempt }
    var attempt = attempt
    for (place, reader) in probe.readers.enumerated() {
      let reading = attempt.readings[place]
      guard case .service(let service) = reader.consumer, reading.isContent,
        !reading.exchanges.isEmpty,
        !reading.exchanges.contains(where: { $0.response?.isSame(as: response) ?? false })
      else { continue }
      let stand = StandIn(
        response, for: probe, index, others: reading.exchanges,
        isMasked: source(probe, reader.consumer.name).isMasked)
      var again = await call(service, reader, probe, from: stand)
      again.exchanges = reading.exchanges
      if again.isBroken { attempt.readings[place] = again }
    }
    return attempt
  }

  /// Neither a response to a service's own conditions, such as a 304, nor a redirect it does not
  /// follow counts as the response.
  func isChecked(_ exchange: LiveExchange, of probe: PlannedProbe) -> Bool {
    guard let status = exchange.response?.status, status != probe.served.status else { return true }
    return !exchange.request.hasConditions
      && !exchange.isRedirect(expecting: probe.served.status)
  }

  /// What each service makes of the responses; `nil` for commands.
  ///
  /// - Parameter stand: responses in place of the upstreams.
  func calls(
    for probe: PlannedProbe, from stand: StandIn? = nil
  ) async -> [ProbeAttempt.ConsumerResult?] {
    var results: [ProbeAttempt.ConsumerResult?] = []
    for reader in probe.readers {
      if case .service(let service) = reader.consumer {
        results.append(await call(service, reader, probe, from: stand))
      } else {
        results.append(nil)
      }
    }
    return results
  }

  /// The attempt with this response, which the commands get now.
  ///
  /// - Parameter inconclusive: why there is no response.
  private func attempt(
    at probe: PlannedProbe, _ own: LiveExchange?, _ inconclusive: Inconclusive?,
    _ called: [ProbeAttempt.ConsumerResult?], _ exchanges: [LiveExchange] = []
  ) async -> ProbeAttempt {
    let inconclusive =
      own.map { $0.inconclusive(expecting: probe.served.status) } ?? inconclusive
    var readings: [ProbeAttempt.ConsumerResult] = []
    for (reader, called) in zip(probe.readers, called) {
      if let called {
        readings.append(called)
      } else if case .command(let command) = reader.consumer {
        readings.append(await run(command, reader, probe, on: own, inconclusive))
      }
    }
    return ProbeAttempt(at: probe, own, inconclusive, readings, exchanges)
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
}
