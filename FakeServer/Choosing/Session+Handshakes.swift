import Synchronization
import UnderstudyContractModel

/// A case that breaks TLS handshakes.
struct HandshakeBreak: Sendable {
  let served: ServedCase
  let fault: Fault
}

extension Session {
  /// The chosen case of one of these contracts that breaks the next handshake, or whose turn it is
  /// in a script; `nil` where none does.
  func breakHandshake(of contracts: some Sequence<Contract>) -> HandshakeBreak? {
    guard isSteered else { return nil }
    return state.withLock { state in
      for contract in contracts {
        guard let (forced, script) = Self.forced(contract, &state) else { continue }
        let served = contract.cases[forced.index]
        guard let fault = served.fault, fault.isInHandshake else { continue }
        if let script { state.scripts.values[script].next += 1 }
        brokenHandshakeCount.add(1, ordering: .relaxed)
        return HandshakeBreak(
          served: ServedCase(contract: contract.id, caseName: served.name), fault: fault)
      }
      return nil
    }
  }
}
