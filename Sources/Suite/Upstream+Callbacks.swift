import UnderstudyContractModel
package import UnderstudyCore
package import UnderstudyFakeServer
import UnderstudyJSON

extension Sequence<Upstream> {
  /// Where a callback of a case is written.
  package func place(ofCallback name: String, of served: ServedCase) -> Place? {
    for contract in lazy.flatMap(\.contracts) where contract.id == served.contract {
      let callbacks = contract.cases.first { $0.name == served.caseName }?.callbacks ?? []
      return Place(
        contract.file, callbacks.first { $0.name == name }?.source.position)
    }
    return nil
  }
}
