import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyDrafting

extension Prober {
  /// The attempt in which every consumer gets this response as if the case were forced; nothing is
  /// sent.
  func giving(_ response: LiveResponse, to probe: PlannedProbe) async -> ProbeAttempt {
    let own = LiveExchange(
      upstream: probe.upstream.name, method: probe.contract.request.method, target: "/",
      request: ClientRequest(url: probe.upstream.baseURL.text), outcome: .response(response))
    let stand = StandIn(response, for: probe, index, others: [], scope: .forced)
    var readings: [ProbeAttempt.ConsumerResult] = []
    for reader in probe.readers {
      switch reader.consumer {
      case .service(let service):
        readings.append(await call(service, reader, probe, from: stand))
      case .command(let command):
        readings.append(await run(command, reader, probe, on: own, nil))
      }
    }
    return ProbeAttempt(
      response: response, inconclusive: nil, redirect: nil, readings: readings, exchanges: [])
  }
}
