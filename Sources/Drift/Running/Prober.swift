import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting

/// Requests live cases, and calls their consumers.
struct Prober: Sendable {
  let upstreams: [LiveUpstream]
  let index: RequestIndex
  let source: @Sendable (_ liveCase: PlannedCase, _ consumer: String?) -> any ResponseSource
  let bypassesCaches: Bool
  /// The deadline for a consumer's outcome.
  let limit: @Sendable () -> Duration
  /// The limit for the contract's own request; a service sets its own.
  private static let redirectCountMax = 5
  /// The time limit of a consumer for stored responses.
  var replayMax = Duration.seconds(10)

  func ask(_ liveCase: PlannedCase) async -> LiveCaseAttempt {
    let called = await calls(for: liveCase)
    let own = called.lazy.compactMap(\.self).flatMap(\.exchanges).first {
      isChecked($0, of: liveCase) && liveCase.isAbout($0.redirects.first ?? $0, index)
    }
    if let own { return await attempt(at: liveCase, own, nil, called) }
    do throws(MissingExample) {
      var request = try liveCase.exampleRequest()
      if !ClientRequest.redirectStatuses.contains(liveCase.served.status ?? 200) {
        request.options.redirectCountMax = Self.redirectCountMax
      }
      let transport = transport(for: liveCase, nil)
      _ = try? await transport.send(request)
      let exchanges = transport.exchanges
      return await attempt(
        at: liveCase, exchanges.last, Inconclusive("the request could not be sent"), called,
        exchanges)
    } catch {
      return await attempt(
        at: liveCase, nil, Inconclusive("the contract gives no value for \"\(error.key)\""), called)
    }
  }

  /// The attempt in which every consumer gets this response as if the case were forced; nothing is
  /// sent.
  func giving(_ response: LiveResponse, to liveCase: PlannedCase) async -> LiveCaseAttempt {
    let own = LiveExchange(
      upstream: liveCase.upstream.name, method: liveCase.contract.request.method, target: "/",
      request: ClientRequest(url: liveCase.upstream.baseURL.text), outcome: .response(response))
    let stand = StandIn(response, for: liveCase, index, others: [], scope: .forced)
    return await attempt(at: liveCase, own, nil, calls(for: liveCase, from: stand))
  }

  /// This attempt, with every consumer checked on the response that represents the case: each sends
  /// its own requests, and one that got another response may break on this one.
  func checkingAll(_ attempt: LiveCaseAttempt, of liveCase: PlannedCase) async -> LiveCaseAttempt {
    guard let response = attempt.checked else { return attempt }
    var attempt = attempt
    for (place, reader) in liveCase.readers.enumerated() {
      let reading = attempt.readings[place]
      guard case .service(let service) = reader.consumer, reading.isContent,
        !reading.exchanges.isEmpty,
        !reading.exchanges.contains(where: { $0.response?.isSame(as: response) ?? false })
      else { continue }
      let stand = StandIn(
        response, for: liveCase, index, others: reading.exchanges,
        isMasked: source(liveCase, reader.consumer.name).isMasked)
      var again = await call(service, reader, liveCase, from: stand)
      again.exchanges = reading.exchanges
      if again.isBroken { attempt.readings[place] = again }
    }
    return attempt
  }

  /// Neither a response to a service's own conditions, such as a 304, nor a redirect it does not
  /// follow counts as the response.
  func isChecked(_ exchange: LiveExchange, of liveCase: PlannedCase) -> Bool {
    guard let status = exchange.response?.status, status != liveCase.served.status else {
      return true
    }
    return !exchange.request.hasConditions
      && !exchange.isRedirect(expecting: liveCase.served.status)
  }

  /// What each service makes of the responses; `nil` for commands.
  ///
  /// - Parameter stand: responses in place of the upstreams.
  func calls(
    for liveCase: PlannedCase, from stand: StandIn? = nil
  ) async -> [LiveCaseAttempt.ConsumerResult?] {
    var results: [LiveCaseAttempt.ConsumerResult?] = []
    for reader in liveCase.readers {
      if case .service(let service) = reader.consumer {
        results.append(await call(service, reader, liveCase, from: stand))
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
    at liveCase: PlannedCase, _ own: LiveExchange?, _ inconclusive: Inconclusive?,
    _ called: [LiveCaseAttempt.ConsumerResult?], _ exchanges: [LiveExchange] = []
  ) async -> LiveCaseAttempt {
    let inconclusive =
      own.map { $0.inconclusive(expecting: liveCase.served.status) } ?? inconclusive
    var readings: [LiveCaseAttempt.ConsumerResult] = []
    for (reader, called) in zip(liveCase.readers, called) {
      if let called {
        readings.append(called)
      } else if case .command(let command) = reader.consumer {
        readings.append(await run(command, reader, liveCase, on: own, inconclusive))
      }
    }
    return LiveCaseAttempt(at: liveCase, own, inconclusive, readings, exchanges)
  }

  func transport(
    for liveCase: PlannedCase, _ consumer: String?, from stand: StandIn? = nil,
    headers: HeaderReads = HeaderReads()
  ) -> LiveTransport {
    LiveTransport(
      stand ?? source(liveCase, consumer), upstreams: upstreams,
      caseUpstream: liveCase.upstream.name,
      status: liveCase.served.status, isSafe: liveCase.served.live?.isSafe ?? false || stand != nil,
      bypassesCaches: bypassesCaches, headers: headers)
  }
}
