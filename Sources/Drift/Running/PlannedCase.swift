package import UnderstudyConsumers
package import UnderstudyContractModel
import UnderstudyCore
package import UnderstudyFindings
import UnderstudyJSON

/// A live case and the consumers with expectations of it.
package struct PlannedCase: Sendable {
  /// A consumer that the run calls, to see whether it still works with the response.
  package struct Reader: Sendable {
    package let expectation: Expectation
    package let consumer: Callee
    /// What a command reads; `nil` if unknown, or for a service.
    let learned: ReadPaths?
  }

  /// A consumer that this executable cannot call, so its reads are unknown.
  package struct Stranger: Sendable {
    let name: String
    /// The executable that can, if `consumers.json` names it.
    let toolName: String?
  }

  package let contract: Contract
  package let served: Case
  package let upstream: LiveUpstream
  /// The consumers, in the order of the contract's file.
  package let readers: [Reader]
  let strangers: [Stranger]

  package var identity: Check.Identity {
    Check.Identity(contract.id, served.name, consumer: nil)
  }

  func identity(of reader: Reader) -> Check.Identity {
    Check.Identity(contract.id, served.name, consumer: reader.consumer.name)
  }

  var place: Place { Place(contract.file, served.source.position) }

  func place(of reader: Reader) -> Place {
    Place(contract.file, reader.expectation.source.position)
  }
}
