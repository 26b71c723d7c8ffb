import ContractModel
import JSON

/// What becomes of one endpoint that was recorded.
package struct RecordedContract: Sendable {
  package enum Fate: Hashable, Sendable {
    case new
    /// It is there, and gets these cases.
    case extended
    /// It is there and is written anew.
    case replaced
    /// It is there with every status that was recorded.
    case known
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
  /// Headers that differ from one answer to the next, and so are left out.
  package let volatileHeaders: [String]
  /// Where bodies differ from one answer to the next, by JSON Pointer.
  package let volatilePointers: [String]
  /// Query parameters whose values are secrets, and so are left out.
  package let secretParameters: [String]
  /// Answers whose requests no parameter tells from others, so that no case could be chosen.
  package let indistinctCount: Int
  let files: [RecordedFile]
  /// Bodies in files of their own that nothing but the contract it replaces needs.
  private(set) var oldBodies: Set<String> = []

  init(
    name: String, group: RecordedGroup, path: String, fate: Fate, cases: [RecordedCase],
    indistinctCount: Int = 0, files: [RecordedFile], mask: SecretMask
  ) {
    self.name = name
    method = group.method
    endpoint = RecordingTarget.endpoint(group.method, group.template)
    self.path = path
    self.fate = fate
    guesses = group.guesses(mask)
    self.cases = cases.map { ($0.name, $0.status) }
    var volatile: [String] = []
    for header in cases.flatMap(\.headers.volatileNames) where !volatile.contains(header) {
      volatile.append(header)
    }
    volatileHeaders = volatile
    volatilePointers = group.volatilePointers()
    secretParameters = group.secretNames(mask)
    self.indistinctCount = indistinctCount
    self.files = files
  }

  func replacing(_ oldBodies: Set<String>) -> Self {
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

  /// The same contract with these rules of lint waived.
  func waiving(_ rules: [String]) -> RecordedFile {
    var writer = JSONWriter()
    writer.object { waivers in
      for rule in rules { waivers.member(rule, "recorded: the live API has not shown it") }
    }
    let text = String(decoding: writer.bytes, as: UTF8.self)
    let edited = (try? JSONDocument(parsing: bytes)).flatMap {
      try? $0.setting(JSONPointer(["waive"]), to: text)
    }
    guard let edited else { return self }
    return RecordedFile(path: path, bytes: edited.root.fileBytes, isNew: isNew)
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
  var laidOutFile: [UInt8] { (try? JSONDocument(parsing: bytes))?.root.fileBytes ?? bytes }
}

extension JSONValue {
  var fileBytes: [UInt8] { Array("\(laidOut())\n".utf8) }
}
