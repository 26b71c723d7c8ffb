import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

extension RecordedContract {
  /// What is written of a contract.
  struct Content: Sendable {
    enum Text: Sendable {
      case draft(ContractDraft)
      /// The text of an existing contract, with cases added.
      case edited(JSONDocument)
    }

    private static let waivable: Set<FindingType> = [
      .no404Case, .noEmptyCase, .noMalformedCase, .noSlowCase, .noBrokenCase,
    ]

    private var text: Text { didSet { file = Self.file(text, at: path) } }
    let path: String
    let bodies: [RecordedFile]
    /// Its text as a file, which is needed more often than it changes.
    private var file: RecordedFile

    /// - Parameter bodies: by their paths in the upstream's folder.
    init(
      _ text: Text, of name: String, in target: RecordingTarget,
      bodies: [(path: String, bytes: [UInt8])]
    ) {
      self.text = text
      path = "\(target.upstreamFolder)/\(name).json"
      file = Self.file(text, at: path)
      self.bodies = bodies.map {
        RecordedFile(path: "\(target.upstreamFolder)/\($0.path)", bytes: $0.bytes, isNew: true)
      }
    }

    var files: [RecordedFile] { bodies + [file] }

    private static func file(_ text: Text, at path: String) -> RecordedFile {
      switch text {
      case .draft(let draft): RecordedFile(path: path, bytes: draft.text.fileBytes, isNew: true)
      case .edited(let document): RecordedFile(path: path, bytes: document.bytes, isNew: false)
      }
    }

    mutating func dropLive(of names: [String]) {
      switch text {
      case .draft(var draft):
        for index in draft.cases.indices where names.contains(draft.cases[index].name) {
          draft.cases[index].members["live"] = nil
        }
        text = .draft(draft)
      case .edited(var document):
        for name in names {
          document = (try? document.removing(["cases", name, "live"])) ?? document
        }
        text = .edited(document)
      }
    }

    mutating func waive(_ rules: [FindingType]) {
      let rules = rules.filter(Self.waivable.contains)
      guard case .draft(var draft) = text, !rules.isEmpty else { return }
      var waivers = JSONObject(of: draft["waive"]?.root)
      for rule in rules { waivers[rule.rawValue] = "recorded: the live API has not shown it" }
      draft["waive"] = nil
      draft.tail["waive"] = waivers.text
      text = .draft(draft)
    }
  }
}
