import UnderstudyContractModel
import UnderstudyInterchange

/// Finds the operation of a document that each contract of an upstream describes.
struct OperationMatch {
  private let operations: [DocumentedOperation]
  /// The indices of the operations, by the ids of the contracts that describe them.
  private var places: [String: [Int]] = [:]
  /// Whether the paths were compared with the bases of both sides.
  private(set) var usesBases = false

  /// Paths are compared with the bases of both sides where that finds more, else without.
  init(_ api: DocumentedAPI, _ upstream: Upstream) {
    operations = api.operations
    let bare = Self.places(api.operations, upstream, "", "")
    places = bare
    guard let base = api.basePath, upstream.baseURL != nil, base != upstream.basePath else {
      return
    }
    let whole = Self.places(api.operations, upstream, base, upstream.basePath)
    if whole.count > bare.count { (places, usesBases) = (whole, true) }
  }

  /// `nil` when the document does not have it.
  func operation(of contract: Contract) -> DocumentedOperation? {
    places[contract.id]?.first.map { operations[$0] }
  }

  /// The operations that no contract covers.
  var uncovered: [DocumentedOperation] {
    let covered = Set(places.values.flatMap(\.self))
    return operations.indices.filter { !covered.contains($0) }.map { operations[$0] }
  }

  private static func places(
    _ operations: [DocumentedOperation], _ upstream: Upstream, _ base: String, _ ownBase: String
  ) -> [String: [Int]] {
    var paths: [String: [(place: Int, segments: [PathTemplate.Segment])]] = [:]
    for (place, operation) in operations.enumerated() {
      guard let template = operation.template else { continue }
      paths[operation.method, default: []].append((place, literals(base) + template.segments))
    }
    var places: [String: [Int]] = [:]
    for contract in upstream.contracts {
      let candidates = paths[contract.request.method] ?? []
      var found: [Int] = []
      for template in contract.request.paths {
        let own =
          literals(ownBase) + template.segments + (template.tail.map { [.parameter($0)] } ?? [])
        let best = candidates.compactMap { candidate in
          literalCount(own, in: candidate.segments).map { (candidate.place, $0) }
        }.max { ($0.1, $1.0) < ($1.1, $0.0) }
        if let best { found.append(best.0) }
      }
      if !found.isEmpty { places[contract.id] = found }
    }
    return places
  }

  private static func literals(_ base: String) -> [PathTemplate.Segment] {
    base.split(separator: "/").map { .literal(String($0)) }
  }

  /// How many literal segments both have; `nil` when the paths differ. A parameter of the document
  /// may stand for a literal of the contract, and not the other way round.
  private static func literalCount(
    _ own: [PathTemplate.Segment], in documented: [PathTemplate.Segment]
  ) -> Int? {
    guard own.count == documented.count else { return nil }
    var count = 0
    for (own, documented) in zip(own, documented) {
      switch (own, documented) {
      case (_, .parameter): continue
      case (.literal, .literal) where own == documented: count += 1
      default: return nil
      }
    }
    return count
  }
}
