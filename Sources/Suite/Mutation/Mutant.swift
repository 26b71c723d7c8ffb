import UnderstudyContractModel
import UnderstudyJSON

/// One way to mutate a response, and what a consumer must make of it.
struct Mutant: Sendable {
  enum Change: Hashable, Sendable {
    case mutation(Mutation)
    /// After this many bytes.
    case truncated(Int)
    case emptyBody
    case html
    case contentType
  }

  /// The permitted outcomes of a consumer; a declared error is permitted except for `sameValue`.
  enum Demand: Sendable {
    case error, errorOrSameValue, sameValue, any
  }

  let change: Change
  let pointer: JSONPointer
  let demand: Demand

  init(_ change: Change, at pointer: JSONPointer = [], _ demand: Demand) {
    (self.change, self.pointer, self.demand) = (change, pointer, demand)
  }

  /// `null/setup`, `truncated-17`: the end of its id.
  var name: String {
    switch change {
    case .mutation(let mutation): "\(mutation.rawValue)\(pointer)"
    case .truncated(let count): "truncated-\(count)"
    case .emptyBody: "empty-body"
    case .html: "html"
    case .contentType: "wrong-content-type"
    }
  }
}

extension Mutant.Demand {
  var words: String {
    switch self {
    case .error: "a declared error"
    case .errorOrSameValue: "the same value or a declared error"
    case .sameValue: "the same value"
    case .any: "a value or a declared error"
    }
  }
}
