import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
package import UnderstudyJSON
import UnderstudySecrets
import UnderstudySystem

/// The recorded contract of one endpoint.
package struct RecordedContract: Sendable {
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
  /// The path by which it would be one with its siblings.
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
  /// By the request's index: the cases it serves in order.
  let served: [Int: [String]]
  /// By the request's index: why some or all of its responses get no case.
  let losses: [Int: String]
  /// The contract's own file comes last.
  package private(set) var files: [RecordedFile]
  /// Body files that only the replaced contract uses.
  private(set) var oldBodies: Set<String> = []

  init(
    name: String, of group: RecordedGroup, path: String? = nil, fate: Fate, _ plan: RecordedPlan,
    _ result: RecordedPlan.Result = RecordedPlan.Result(), files: [RecordedFile]
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
    self.files = files
  }

  /// The `requestKey` of its first exchange.
  package var firstRequestKey: Int? { requests.first?.exchange.requestKey }

  /// Whether existing content is kept, apart from added cases.
  var isKept: Bool { fate == .known || fate == .extended }

  mutating func dropLive(of names: [String]) {
    guard !names.isEmpty, let file = files.popLast() else { return }
    notLive = names
    files.append(file.withoutLive(names))
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

  /// The same contract with these cases not live.
  func withoutLive(_ names: [String]) -> RecordedFile {
    guard var document = try? JSONDocument(parsing: bytes) else { return self }
    for name in names {
      document = (try? document.removing(JSONPointer(["cases", name, "live"]))) ?? document
    }
    return RecordedFile(
      path: path, bytes: isNew ? document.root.fileBytes : document.bytes, isNew: isNew)
  }

  /// The same contract with these lint rules waived.
  func waiving(_ rules: [FindingType]) -> RecordedFile {
    var writer = JSONWriter()
    writer.object { waivers in
      for rule in rules { waivers.member(rule.rawValue, "recorded: the live API has not shown it") }
    }
    let text = String(decoding: writer.bytes, as: UTF8.self)
    let edited = (try? JSONDocument(parsing: bytes)).flatMap {
      try? $0.setting(JSONPointer(["waive"]), to: text)
    }
    guard let edited else { return self }
    return RecordedFile(path: path, bytes: edited.root.fileBytes, isNew: isNew)
  }
}

extension [String] {
  var withoutRepeats: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension JSONWriter {
  /// Writes `$schema`, by which editors find the format, if the schema exists.
  mutating func schemaLine(of kind: String, in folder: String) {
    guard let address = SchemaLine.address(of: kind, in: folder) else { return }
    member("$schema", address)
  }

  /// The written value, formatted for people.
  package var laidOutFile: [UInt8] { (try? JSONDocument(parsing: bytes))?.root.fileBytes ?? bytes }
}

extension JSONValue {
  var fileBytes: [UInt8] { Array("\(laidOut())\n".utf8) }
}
