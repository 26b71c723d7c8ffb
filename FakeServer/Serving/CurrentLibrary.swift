import UnderstudyContractModel

/// The contracts at the time of a port's last request, and the labels of their ready answers.
///
/// Each port's server has its own, and uses it only on its thread.
final class CurrentLibrary {
  private let heldLibrary: PlayableLibrary
  let library: Unretained<PlayableLibrary>
  let index: Unretained<RequestIndex>
  /// Differs from the core's number when contracts were replaced.
  let number: Int
  /// By contract number; negative where there is none yet.
  @exclusivity(unchecked) var labels: [Int32]

  init(of core: ServerCore) {
    // Contracts replaced meanwhile leave an old number, so they are read again.
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

/// A reference to a longer-lived object that is not counted: threads that count references to one
/// object for every request wait for each other.
struct Unretained<Object: AnyObject> {
  // SAFETY: the owner of this value also owns the object, directly or indirectly.
  private let object: Unmanaged<Object>

  init(_ object: Object) {
    self.object = .passUnretained(object)
  }

  @inline(__always)
  func use<Value>(_ body: (Object) -> Value) -> Value {
    object._withUnsafeGuaranteedRef(body)
  }
}
