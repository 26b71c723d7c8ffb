import Synchronization
import UnderstudyContractModel

/// A case that breaks TLS handshakes.
struct HandshakeBreak: Sendable {
  let served: ServedCase
  let fault: Fault
}

extension Session {
  /// Changes when clients of TLS have to begin anew.
  var handshakeNumber: Int { handshakeChangeCount.load(ordering: .sequentiallyConsistent) }

  func changeHandshakes() { handshakeChangeCount.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// The chosen case of one of these contracts that breaks the next handshake, or whose turn it is
  /// in a script; `nil` where none does.
  func breakHandshake(of contracts: some Sequence<Contract>) -> HandshakeBreak? {
    guard isSteered else { return nil }
    return state.withLock { state in
      guard let (found, script) = Self.nextBreak(of: contracts, &state) else { return nil }
      if let script { state.scripts.values[script].next += 1 }
      brokenHandshakeCount.add(1, ordering: .relaxed)
      return found
    }
  }

  /// Whether a case of one of these contracts would break the next handshake.
  func breaksHandshake(of contracts: some Sequence<Contract>) -> Bool {
    isSteered && state.withLock { Self.nextBreak(of: contracts, &$0) != nil }
  }

  /// The case of one of these contracts that breaks the next handshake, and its place in a script.
  static func nextBreak(
    of contracts: some Sequence<Contract>, _ state: inout State
  ) -> (HandshakeBreak, script: [String: RunningScript].Index?)? {
    for contract in contracts {
      guard let (forced, script) = forced(contract, &state) else { continue }
      let served = contract.cases[forced.index]
      guard let fault = served.fault, fault.isInHandshake else { continue }
      let name = ServedCase(contract: contract.id, caseName: served.name)
      return (HandshakeBreak(served: name, fault: fault), script)
    }
    return nil
  }
}
