import UnderstudyContractModel
import UnderstudyJSON

/// All mutants of one body.
struct MutantPlan {
  private let reads: ReadPaths?
  private let tolerances: [Tolerance]
  private(set) var mutants: [Mutant] = []

  /// - Parameter reads: the parts the consumer reads; `nil` for everything.
  init(of body: JSONDocument, reads: ReadPaths?, tolerances: [Tolerance]) {
    self.reads = reads
    self.tolerances = tolerances
    mutants = [
      Mutant(.emptyBody, .error), Mutant(.html, .error), Mutant(.contentType, .errorOrSameValue),
    ]
    // A truncated number may still be a number.
    if [.object, .array].contains(body.root.kind) {
      let count = body.root.byteRange.count
      let points = Set([1, count / 4, count / 2, count * 3 / 4, count - 1])
      mutants += points.filter { 1..<count ~= $0 }.sorted().map { Mutant(.truncated($0), .error) }
    }
    add(body.root, at: [], isMember: false)
  }

  private mutating func add(_ value: JSONValue, at pointer: JSONPointer, isMember: Bool) {
    guard pointer.tokens.isEmpty || reads?.isRead(pointer) ?? true else {
      // Removing an element moves the others.
      if isMember { add(.missing, at: pointer, .sameValue) }
      return add(.null, at: pointer, .sameValue)
    }
    let use = reads?[pointer]?.use
    // A consumer that only tests for presence may accept any value.
    let demand = use == .tested ? Mutant.Demand.errorOrSameValue : .error
    for mutation in Self.mutations(to: value) { add(mutation, at: pointer, demand) }
    if isMember, !value.isNull {
      add(.missing, at: pointer, demand)
      add(.duplicate, at: pointer, .errorOrSameValue)
    }
    if value.kind == .object, use?.contains(.listed) != true {
      add(.extra, at: pointer, .sameValue)
    }
    for member in value.members {
      add(member.value, at: pointer.appending(member.key), isMember: true)
    }
    for (index, element) in value.elements.enumerated() {
      add(element, at: pointer.appending(index), isMember: false)
    }
  }

  private mutating func add(_ mutation: Mutation, at pointer: JSONPointer, _ demand: Mutant.Demand)
  {
    let isTolerated = tolerances.contains { $0.covers(pointer) && $0.mutations.contains(mutation) }
    mutants.append(Mutant(.mutation(mutation), at: pointer, isTolerated ? .any : demand))
  }

  /// The mutants that change its type, if that is known.
  private static func mutations(to value: JSONValue) -> [Mutation] {
    switch value.kind {
    case .null: []
    case .boolean: [.null, .asNumber, .asString, .asArray, .asObject, .deep]
    case .number: [.null, .huge, .negative, .asBoolean, .asString, .asArray, .asObject, .deep]
    case .string:
      [.null, .long, .badUTF8, .asBoolean, .asNumber, .asArray, .asObject, .deep]
        + (value.string?.isEmpty == true ? [] : [.empty])
    case .array:
      [.null, .asBoolean, .asNumber, .asString, .asObject, .deep]
        + (value.count > 0 ? [.empty] : [])
    case .object:
      [.null, .asBoolean, .asNumber, .asString, .asArray, .deep] + (value.count > 0 ? [.empty] : [])
    }
  }
}
