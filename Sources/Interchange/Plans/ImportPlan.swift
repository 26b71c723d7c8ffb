package import UnderstudyCore
package import UnderstudyDrafting

/// What an import would write, and what it could not take over. Nothing is written yet.
///
/// The folder turns the contracts of a format into changes to files. Read `ImportOptions` and this
/// file, then `UpstreamPlan`, which plans one upstream for OpenAPI and WireMock: it masks secrets,
/// drops what the folder of contracts cannot serve, keeps existing contracts, and runs lint. HARs
/// are planned by a `Recording` instead.
///
/// A plan never brings an error that lint did not report before: contracts with errors are left
/// out, each with a note, and an error in the upstream itself fails the import. An existing
/// contract is replaced only if the options or its origin allow it.
package struct ImportPlan: Sendable {
  package var drafts: [ImportDraft] = []
  /// Only files that differ from those in the folder.
  package var changes: [FileChange] = []
  package var notes: [ImportNote] = []

  package init() {}

  package var leavesSomethingOut: Bool { notes.contains { $0.kind == .leftOut } }

  /// Applies the changes. First makes sure that each file stays in the folder.
  package func write(to root: FileRoot) throws(Failure) {
    for change in changes { try root.checkStays(change.path, within: nil) }
    try changes.apply(to: root)
  }
}

/// A contract that an import makes or changes.
package struct ImportDraft: Sendable {
  package let upstream: String
  package let name: String
  package let method: String
  package let path: String
  package let fate: RecordedContract.Fate
  package let cases: [(name: String, status: Int?)]
  /// What a reader should know, in words.
  package let remarks: [String]

  package init(
    upstream: String, name: String, method: String, path: String, fate: RecordedContract.Fate,
    cases: [(name: String, status: Int?)], remarks: [String]
  ) {
    self.upstream = upstream
    self.name = name
    self.method = method
    self.path = path
    self.fate = fate
    self.cases = cases
    self.remarks = remarks
  }

  /// `github/repos`
  package var id: String { "\(upstream)/\(name)" }
}
