import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// Makes the contracts of an upstream from an OpenAPI document.
///
/// The folder reads OpenAPI 3.0 and 3.1, and writes 3.1. Read `OpenAPIDescription`, which follows
/// references, and `OpenAPINode`, a value with its file; `OpenAPIOperation`; this file; then
/// `OpenAPIContract`, which makes the contract of an operation from `OpenAPIRequest`,
/// `OpenAPIContent` and `OpenAPIRefusals`. `OpenAPISchemas` converts each schema once.
/// `OpenAPIExport` is the way back, and `OpenAPIOrigin` recognises what it wrote.
///
/// References lead to files in the documents' folder, never to hosts. Making and validating
/// examples takes from one `StepAllowance` for each document, which grows with its size only. A
/// body that a case serves is valid by the case's schema, or the case has none.
struct OpenAPIImport {
  private static let nameBytesMax = 80

  private let description: OpenAPIDescription
  private let options: ImportOptions
  private let library: ContractLibrary?
  private var notes: [ImportNote] = []
  private var baseURL: WebURL?
  private var upstream = ""
  private var secrets: [(key: String, value: JSONText?)] = []

  static func plan(
    _ source: ImportSource, _ options: ImportOptions
  ) throws(Failure) -> ImportPlan {
    let documents = source.documents
    guard documents.count == 1 || options.upstream == nil else {
      throw Failure(
        message: "found \(documents.count) OpenAPI documents for one upstream, expected one",
        fix: "leave out --upstream, which gives each its own upstream, or name one document")
    }
    var plan = ImportPlan()
    var owners: [String: ForeignDocument] = [:]
    for document in documents {
      var work = try OpenAPIImport(OpenAPIDescription(document, from: source), options)
      let part = try work.plan()
      for key in part.drafts.isEmpty ? [] : [work.upstream, work.baseURL?.text ?? ""] {
        if key.isEmpty { continue }
        if let other = owners.updateValue(document, forKey: key), other.file != document.file {
          throw Failure(
            at: Place(document.file), message: "\(key) is in \(other.file), too",
            fix: "import them one by one, each into its own --upstream")
        }
      }
      plan.drafts += part.drafts
      plan.changes += part.changes
      plan.notes += part.notes
    }
    return plan
  }

  private init(
    _ description: OpenAPIDescription, _ options: ImportOptions
  ) throws(Failure) {
    self.description = description
    self.options = options
    library = try RecordingTarget.library(in: options.folder)
  }

  private mutating func plan() throws(Failure) -> ImportPlan {
    let servers = OpenAPIServers(description.root)
    notes += servers.notes + OpenAPIForm.notes(on: description)
    baseURL = options.upstream?.baseURL ?? servers.baseURL
    let origin = OpenAPIOrigin.upstream(of: description.root.value)
    upstream = options.upstream?.name ?? knownName ?? origin?.name ?? guessedName
    let security = OpenAPISecurity(
      description, upstream: upstream, beside: library?.upstreams.map(\.name) ?? [])
    notes += try security.notes()
    let contracts = try self.contracts()
    if let node = description.root["webhooks"], node.value.count > 0 {
      notes.append(node.note(.leftOut, "webhooks", because: "no callbacks are sent"))
    }
    notes += description.notes
    let secrets = try security.secrets()
    return try UpstreamPlan.plan(
      contracts, of: upstream, restoring: origin?.source, options, notes: notes,
      waiving: "imported: the document does not say",
      keeping: { "\($0.id) exists and differs; --force replaces it" }
    ) { [self] waivers in
      let info = description.root["info"]
      let contact = info?["contact"]
      return [
        "$schema": SchemaLine.address(of: "upstream", in: options.folder),
        "summary": (info?.text("title")?.visible).map { .string($0) },
        "baseURL": baseURL.map { .string($0.text) },
        "secrets": secrets.isEmpty ? nil : .object(secrets),
        "owner": (contact?.text("name") ?? contact?.text("email")).map { .string($0.visible) },
        "waive": waivers,
      ]
    }
  }

  private var knownName: String? {
    baseURL.flatMap { baseURL in
      library?.upstreams.first { $0.baseURL == baseURL }?.name
    }
  }

  /// Not that of an upstream at another address.
  private var guessedName: String {
    var numbers = UniqueNames()
    func isFree(_ name: String) -> Bool {
      baseURL == nil
        || library?.upstreams.contains { $0.name == name && $0.baseURL != nil } != true
    }
    if let baseURL, !baseURL.isBareAddress {
      return UpstreamGuess.freeName(for: baseURL, &numbers, isFree: isFree)
    }
    let title = description.root["info"]?.text("title")?.slug ?? ""
    return numbers.name(title.isEmpty ? "api" : title, isFree: isFree)
  }

  // MARK: - Contracts

  private mutating func contracts() throws(Failure) -> [UpstreamPlan.Made] {
    let line = SchemaLine.address(of: "contract", in: options.folder)
    var made: [UpstreamPlan.Made] = []
    var seen: [[String]: String] = [:]
    let operations = try description.operations(notes: &notes)
    for operation in operations { noteOthers(of: operation) }
    if operations.isEmpty {
      let root = description.root
      notes.append(root.note(.leftOut, "paths", because: "the document has no operations"))
    }
    let schemas = OpenAPIOrigin.digest(
      ofSchemas: description.root["components"]?["schemas"]?.value)
    let origins = operations.map { OpenAPIOrigin(of: $0, schemas: schemas) }
    // Names of contracts that come back are not given to others.
    let originals = origins.flatMap { $0?.originals ?? [] }
    var names = UniqueNames(taken: originals.map(\.name) + ["upstream"])
    for (operation, origin) in zip(operations, origins) {
      if let origin {
        made += origin.originals.map { Self.made($0, of: operation) }
        continue
      }
      let path: OpenAPIPath
      do throws(OpenAPIPath.Unusable) {
        path = try OpenAPIPath(operation.path)
      } catch {
        notes.append(operation.node.note(.leftOut, operation.subject, because: error.reason))
        continue
      }
      if let other = seen.updateValue(operation.path, forKey: [operation.method] + path.shape) {
        notes.append(
          operation.node.note(
            .leftOut, operation.subject, because: "the same requests have the path \(other)"))
        continue
      }
      let contract = try OpenAPIContract(
        operation, at: path, in: description, hasLiveAPI: baseURL != nil,
        isLenient: options.isLenient)
      notes += contract.notes
      var draft = contract.draft(schemaLine: line)
      draft.name = names.name(
        String(decoding: draft.name.utf8.prefix(Self.nameBytesMax), as: UTF8.self).slug)
      made.append(Self.made(draft, remarks: contract.remarks, of: operation))
    }
    return made
  }

  private static func made(
    _ draft: ContractDraft, remarks: [String] = [], of operation: OpenAPIOperation
  ) -> UpstreamPlan.Made {
    UpstreamPlan.Made(draft, remarks: remarks) { kind, reason in
      [operation.node.note(kind, operation.subject, because: reason)]
    }
  }

  private mutating func noteOthers(of operation: OpenAPIOperation) {
    if let callbacks = operation.node["callbacks"], callbacks.value.count > 0 {
      notes.append(
        callbacks.note(.leftOut, operation.subject, because: "no callbacks are sent"))
    }
    if let servers = operation.node["servers"], servers.value.count > 0 {
      notes.append(
        servers.note(.widened, operation.subject, because: "all operations belong to one server"))
    }
  }
}
