import UnderstudyContractModel

/// The contracts at the time of a port's last request, and the labels of their played cases.
///
/// Each port's server has its own, and uses it only on its thread.
final class CurrentLibrary {
  let heldLibrary: PlayableLibrary
  let library: Unretained<PlayableLibrary>
  let index: Unretained<RequestIndex>
  /// Differs from the core's number when contracts were replaced.
  let number: Int
  /// By case number; negative where there is none yet.
  @exclusivity(unchecked) private var labels: [Int32]
  private let playedCases: PlayedCases

  init(of core: ServerCore) {
    // Contracts replaced meanwhile leave an old number, so they are read again.
    number = core.libraryNumber
    heldLibrary = core.library
    library = Unretained(heldLibrary)
    index = Unretained(heldLibrary.index)
    labels = Array(repeating: -1, count: heldLibrary.caseCount)
    playedCases = core.playedCases
  }

  /// The number of a played case for records.
  @inline(__always)
  func label(ofCase number: Int) -> Int32 {
    let label = labels[number]
    return label >= 0 ? label : makeLabel(ofCase: number)
  }

  @inline(never)
  private func makeLabel(ofCase number: Int) -> Int32 {
    let label = playedCases.number(of: heldLibrary.played(number))
    labels[number] = label
    return label
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
