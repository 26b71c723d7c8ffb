import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings

/// The recorded contract of one endpoint.
package struct RecordedContract: Sendable {
  /// What a recording does with the contract, for its report.
  package enum Fate: String, Sendable {
    case new
    /// It exists and gets these cases.
    case extended
    /// It exists and is rewritten.
    case replaced
    /// It exists and has every recorded status.
    case known
    /// It is not written, since there is no default case.
    case impossible
  }

  package let name: String
  package let method: String
  /// The endpoint's key, from `RecordingTarget.endpoint(of:)`.
  let endpoint: String
  /// `/users/{id}`
  package let path: String
  package private(set) var fate: Fate
  /// Guessed parameters, with the values they were guessed from.
  package let guesses: [(name: String, values: [String])]
  /// The path that would make one contract of it and its siblings.
  let offer: SlugGuess.Offer?
  /// The cases that are written.
  package let cases: [(name: String, status: Int)]
  /// Scripts of the successive responses to one request.
  package let scripts: [(name: String, cases: [String])]
  /// Headers that differ between responses, and are left out.
  package let volatileHeaders: [String]
  /// Headers of responses whose values are secrets, and are left out.
  package let secretHeaders: [String]
  /// Places where bodies differ between responses, by JSON Pointer.
  package let volatilePointers: [String]
  /// Query parameters whose values are secrets, and are left out.
  package let secretParameters: [String]
  /// Places in bodies where a secret was masked: `/user/token`, or `/users/*/token` for each
  /// element of a list.
  package let maskedPlaces: [String]
  /// Cases without `live`, since the live API would not repeat the response.
  package private(set) var notLive: [String] = []
  let requests: [RecordedRequest]
  /// The cases that are served for a request in order, by the request's index.
  let served: [Int: [String]]
  /// Why some or all responses of a request get no case, by the request's index.
  let losses: [Int: String]
  /// `nil` where nothing is written.
  private var content: Content?
  /// Body files that only the replaced contract uses.
  private(set) var oldBodies: Set<String> = []

  init(
    name: String, of group: RecordedGroup, path: String? = nil, fate: Fate, _ plan: RecordedPlan,
    _ result: RecordedPlan.Result = RecordedPlan.Result(), _ content: Content? = nil
  ) {
    self.name = name
    method = group.method
    endpoint = group.endpoint
    self.path = path ?? group.template.pathText
    self.fate = fate
    guesses = group.guesses
    offer = group.offer
    cases = result.cases.map { ($0.name, $0.status) }
    scripts = result.scripts
    volatileHeaders = result.cases.flatMap(\.headers.volatileNames).withoutRepeats
    secretHeaders = result.cases.flatMap(\.headers.secretNames).withoutRepeats
    volatilePointers = group.volatilePointers
    secretParameters = group.secretNames
    maskedPlaces = group.maskedPlaces
    requests = group.requests
    served = result.served
    losses = plan.losses
    self.content = content
  }

  /// The `requestKey` of its first exchange.
  package var firstRequestKey: Int? { requests.first?.exchange.requestKey }

  /// Whether existing content is kept, apart from added cases.
  package var isKept: Bool { fate == .known || fate == .extended }

  /// The contract's own file comes last.
  package var files: [RecordedFile] { content?.files ?? [] }

  /// The paths of its files.
  package var paths: [String] { content.map { $0.bodies.map(\.path) + [$0.path] } ?? [] }

  mutating func dropLive(of names: [String]) {
    guard !names.isEmpty, content != nil else { return }
    notLive = names
    content?.dropLive(of: names)
  }

  /// Waives warnings about unseen responses in its new file.
  ///
  /// - Parameter findings: by file.
  mutating func waive(_ findings: [String: [Finding]]) {
    guard let found = content.flatMap({ findings[$0.path] }) else { return }
    content?.waive(found.map(\.type))
  }

  func replacing(_ oldBodies: Set<String>) -> Self {
    guard fate != .impossible else { return self }
    var copy = self
    (copy.fate, copy.oldBodies) = (.replaced, oldBodies)
    return copy
  }
}

/// A file that a recording writes.
package struct RecordedFile: Hashable, Sendable {
  package let path: String
  package let bytes: [UInt8]
  /// Whether all of it is recorded, rather than an existing contract with cases added.
  package let isNew: Bool

  package init(path: String, bytes: [UInt8], isNew: Bool) {
    self.path = path
    self.bytes = bytes
    self.isNew = isNew
  }
}

extension [String] {
  var withoutRepeats: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
