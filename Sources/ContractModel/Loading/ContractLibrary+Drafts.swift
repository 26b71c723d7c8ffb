import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

extension ContractLibrary {
  /// Reads contracts written in Swift, with a minimal upstream for each folder.
  package init(drafts: [ContractDraft]) throws(ContractError) {
    var files: [String: [UInt8]] = [:]
    for draft in drafts {
      let upstream = draft.name.prefix { $0 != "/" }
      files["\(upstream)/upstream.json"] = Array(#"{ "summary": "Written in Swift" }"#.utf8)
      let file = "\(draft.name).json"
      guard files.updateValue(draft.text.bytes, forKey: file) == nil else {
        throw ContractError(findings: [
          Finding(
            .error, .duplicateKey, "found two drafts of \(draft.name), expected one",
            at: Place(file), fix: "give one of them another name")
        ])
      }
    }
    self.init(readingBytes: files)
    let errors = findings.filter { $0.severity == .error }
    guard errors.isEmpty else { throw ContractError(findings: errors) }
  }

  /// A contract for serving, read as if a file had its draft.
  package static func contract(
    _ draft: ContractDraft, of upstreamName: String, beside otherUpstreams: [String],
    maySayAll: Bool = false
  ) throws(ContractError) -> Contract {
    try contract(
      named: draft.name, of: upstreamName, reading: draft.text.bytes,
      with: Dictionary(draft.files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { $1 }),
      beside: otherUpstreams, maySayAll: maySayAll)
  }
}
