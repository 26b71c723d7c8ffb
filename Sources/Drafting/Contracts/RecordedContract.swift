import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
package import UnderstudyJSON
import UnderstudySecrets
import UnderstudySystem

/// What becomes of one endpoint that was recorded.
package struct RecordedContract: Sendable {
  package enum Fate: String, Sendable {
    case new
    /// It is there, and gets these cases.
    case extended
    /// It is there and is written anew.
    case replaced
    /// It is there with every status that was recorded.
    case known
    /// There is no contract, since nothing could be played by default.
    case impossible
  }

  package let name: String
  package let method: String
  /// What `RecordingTarget.endpoint(of:)` calls its exchanges by.
  let endpoint: String
  /// `/users/{id}`
  package let path: String
  package private(set) var fate: Fate
  /// Guessed parameters, with the values they were guessed from.
  package let guesses: [(name: String, values: [String])]
  /// The cases that are written.
  package let cases: [(name: String, status: Int)]
  /// Scripts of what one request was answered each time.
  package let scripts: [(name: String, cases: [String])]
  /// Headers that differ from one answer to the next, and so are left out.
  package let volatileHeaders: [String]
  /// Headers of answers whose values are secrets, and so are left out.
  package let secretHeaders: [String]
  /// Where bodies differ from one answer to the next, by JSON Pointer.
  package let volatilePointers: [String]
  /// Query parameters whose values are secrets, and so are left out.
  package let secretParameters: [String]
  /// Where in bodies a secret was masked: `/user/token`, or `/users/*/token` for each of a list.
  package let maskedPlaces: [String]
  /// Cases that no live API is asked for, since it would not answer so again.
  package private(set) var notLive: [String] = []
  let requests: [RecordedRequest]
  /// By the number of the request: the cases it plays each time.
  let played: [Int: [String]]
  /// By the number of the request: why it gets no case or not all of its answers.
  let losses: [Int: String]
  /// The contract's own comes last.
  private(set) var files: [RecordedFile]
  /// Bodies in files of their own that nothing but the contract it replaces needs.
  private(set) var oldBodies: Set<String> = []

  init(
    name: String, of group: RecordedGroup, path: String? = nil, fate: Fate, _ plan: RecordedPlan,
    _ result: RecordedPlan.Result = RecordedPlan.Result(), files: [RecordedFile]
  ) {
    self.name = name
    method = group.method
    endpoint = RecordingTarget.endpoint(group.method, group.template)
    self.path = path ?? group.template.pathText
    self.fate = fate
    guesses = group.guesses
    cases = result.cases.map { ($0.name, $0.status) }
    scripts = result.scripts
    volatileHeaders = result.cases.flatMap(\.headers.volatileNames).withoutRepeats
    secretHeaders = result.cases.flatMap(\.headers.secretNames).withoutRepeats
    volatilePointers = group.volatilePointers
    secretParameters = group.secretNames
    maskedPlaces = group.maskedPlaces
    requests = group.requests
    played = result.played
    losses = plan.losses
    self.files = files
  }

  /// Whether it is as people have left it, but for cases it has got.
  var isKept: Bool { fate == .known || fate == .extended }

  mutating func dropLiveSides(of names: [String]) {
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
  /// Whether all of it is recorded, rather than a contract of people's with cases added.
  package let isNew: Bool

  /// The same contract with these cases not live.
  func withoutLive(_ names: [String]) -> RecordedFile {
    guard var document = try? JSONDocument(parsing: bytes) else { return self }
    for name in names {
      document = (try? document.removing(JSONPointer(["cases", name, "live"]))) ?? document
    }
    return RecordedFile(
      path: path, bytes: isNew ? document.root.fileBytes : document.bytes, isNew: isNew)
  }

  /// The same contract with these rules of lint waived.
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
  /// The line by which editors find the format, where its description is.
  mutating func schemaLine(of kind: String, in folder: String) {
    let path = folder == "." ? "\(kind).schema.json" : "\(folder)/\(kind).schema.json"
    guard (try? FileRoot(folder).kind(of: path)) == .file else { return }
    member("$schema", "../\(kind).schema.json")
  }

  /// The value that was written, laid out for people.
  package var laidOutFile: [UInt8] { (try? JSONDocument(parsing: bytes))?.root.fileBytes ?? bytes }
}

extension JSONValue {
  var fileBytes: [UInt8] { Array("\(laidOut())\n".utf8) }
}
