import UnderstudyContractModel

/// The contracts in force when a port's last request came, and the labels of their ready answers.
///
/// Each port's server has one of its own, and touches it on its thread alone.
final class CurrentLibrary {
  private let heldLibrary: PlayableLibrary
  let library: Unretained<PlayableLibrary>
  let index: Unretained<RequestIndex>
  /// The core has another when there are other contracts.
  let number: Int
  /// By contract number; negative where there is none yet.
  @exclusivity(unchecked) var labels: [Int32]

  init(of core: ServerCore) {
    // Of contracts that are replaced meanwhile the number is old, and they are looked at again.
    number = core.libraryNumber
    heldLibrary = core.library
    library = Unretained(heldLibrary)
    index = Unretained(heldLibrary.index)
    labels = Array(repeating: -1, count: heldLibrary.ready.count)
  }

  func contract(of match: RequestIndex.Match) -> Contract {
    heldLibrary.index.candidates[match.number].contract
  }
}

/// What somebody holds who lasts longer, used without being counted: threads that count the uses of
/// one object for every request wait for each other.
struct Unretained<Object: AnyObject> {
  // SAFETY: whoever keeps one of these also holds the object, or somebody who does.
  private let object: Unmanaged<Object>

  init(_ object: Object) {
    self.object = .passUnretained(object)
  }

  @inline(__always)
  func use<Value>(_ body: (Object) -> Value) -> Value {
    object._withUnsafeGuaranteedRef(body)
  }
}
