import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySecrets

/// Makes contracts from the traffic in HARs, as if it were recorded now.
///
/// The folder reads HARs; `FakeServer` writes them. Read `HARLog` and `HAREntry`, with `HARBody`
/// and `HARForm`; this file; then `HARTargets`, which finds the upstream of each URL, and
/// `HARPart`, which makes a `Recording` of an upstream's entries. `HARMembers` lists the members
/// that are read.
///
/// Each entry becomes part of a contract, or a note says why not. The requests of an endpoint, the
/// repetitions of a request and the credentials of an upstream are limited, because each is
/// compared with many others; what exceeds a limit gets a note, too.
struct HARImport {
  /// An entry that can become part of a contract.
  struct Usable {
    let entry: HAREntry
    let place: Place
    let pointer: String
    let title: String
    /// What of the entry is not read.
    var problems: [ImportNote] = []
  }

  private let options: ImportOptions
  private var plan = ImportPlan()

  static func plan(
    _ documents: [ForeignDocument], _ options: ImportOptions
  ) throws(Failure) -> ImportPlan {
    var work = HARImport(options: options)
    let logs = try documents.map { document throws(Failure) in try HARLog(document) }
    var targets = try HARTargets(options, RecordingTarget.library(in: options.folder))
    let usable = work.responsesOfAPIs(logs.flatMap { work.usable(in: $0) })
    var order: [String] = []
    var parts: [String: HARPart] = [:]
    for one in usable {
      guard let (target, path) = try targets.find(one.entry.url) else {
        work.note(.skipped, one, "--upstream names another address")
        continue
      }
      work.plan.notes += one.problems
      let name = target.upstreamName
      if parts[name] == nil { order.append(name) }
      work.plan.notes += parts[name, default: HARPart(target)].add(one, at: path)
    }
    for name in order { try parts[name]?.record(options, into: &work.plan) }
    return work.plan
  }

  private mutating func note(_ kind: ImportNote.Kind, _ one: Usable, _ reason: String) {
    plan.notes.append(ImportNote(kind, one, because: reason))
  }

  private mutating func usable(in log: HARLog) -> [Usable] {
    var usable: [Usable] = []
    plan.notes += FormCheck.problems(in: log.document.root, HARMembers.log).map(log.document.note)
    for (number, value) in log.entries.elements.enumerated() {
      let place = log.document.place(of: value)
      let pointer = "/log/entries/\(number)"
      let title = HAREntry.title(of: value, .standard)
      do throws(HAREntry.Unusable) {
        let one = Usable(
          entry: try HAREntry(value), place: place, pointer: pointer, title: title,
          problems: FormCheck.problems(in: value, HARMembers.entry).map {
            ImportNote(
              .leftOut, "\(title): \($0.pointer.visible)",
              at: Place(log.document.file, $0.position), pointer + $0.pointer, because: $0.reason)
          })
        usable.append(one)
        if let widening = one.entry.widening { note(.widened, one, widening) }
      } catch {
        plan.notes.append(ImportNote(.leftOut, title, at: place, pointer, because: error.reason))
      }
    }
    return usable
  }

  /// The JSON responses, and from the same hosts empty responses, errors, redirects and whatever a
  /// script asked for. Pages of a web site do not make an upstream.
  private mutating func responsesOfAPIs(_ all: [Usable]) -> [Usable] {
    let hosts = Set(options.hosts)
    var chosen = all
    if !hosts.isEmpty {
      chosen = all.filter { hosts.contains($0.entry.url.authority) }
      for one in all where !hosts.contains(one.entry.url.authority) {
        note(.skipped, one, "--only-host names other hosts")
      }
    }
    guard !options.takesAll else { return chosen }
    let origins = Set(chosen.filter(\.entry.isJSON).map(\.entry.url.origin))
    return chosen.filter { one in
      let entry = one.entry
      guard origins.contains(entry.url.origin) else {
        note(.leftOut, one, "no response of \(entry.url.authority) is JSON; --all imports them")
        return false
      }
      let isTaken =
        entry.isJSON || entry.isFetched || entry.response.body.isEmpty
        || entry.response.status >= 300
      if !isTaken { note(.leftOut, one, "its response is not JSON; --all imports it") }
      return isTaken
    }
  }
}

extension ImportNote {
  init(_ kind: Kind, _ one: HARImport.Usable, because reason: String) {
    self.init(kind, one.title, at: one.place, one.pointer, because: reason)
  }
}

extension HAREntry {
  /// Whether the response is JSON, by its type, or by its text where the type is vague.
  fileprivate var isJSON: Bool {
    let type = MediaType(response.header("content-type") ?? "")
    if type.isJSON { return !response.body.isEmpty }
    guard ["", "text/plain", "application/octet-stream"].contains(type.name),
      let first = response.body.first(where: { $0 > .space }),
      first == .openBrace || first == .openBracket
    else { return false }
    return JSONDocument(valid: response.body) != nil
  }
}
