import UnderstudyCore
import UnderstudyDrafting
import UnderstudyInterchange
import UnderstudyJSON

/// Reports the result of an import.
struct ImportReport {
  /// How many notes of one reason are printed for people.
  private static let shownCountMax = 3

  let plan: ImportPlan
  let writes: Bool

  // MARK: - For people

  func writeText(to stream: inout TextStream) {
    for draft in plan.drafts {
      stream.write(inLine: draft.id, .bold)
      stream.write(line: "  \(draft.method) \(draft.path)\(Self.words(for: draft.fate))")
      let rows = draft.cases.map { [$0.name, $0.status.map(String.init) ?? "-"] }
      for line in TextLayout.aligned(rows, indent: 2) { stream.write(line: line) }
      for remark in draft.remarks { stream.write(line: "  \(remark)") }
    }
    // What was masked is in the remarks of the contracts.
    for notes in groupedNotes where notes.first?.kind != .masked { write(notes, to: &stream) }
    for change in plan.changes {
      stream.write(line: change.words(isDone: writes))
    }
    if plan.changes.isEmpty {
      stream.write(line: "nothing changed")
    } else if !writes {
      stream.write(line: "dry run: nothing was written")
    }
  }

  private static func words(for fate: RecordedContract.Fate) -> String {
    switch fate {
    case .new, .impossible, .known: ""
    case .extended: "  exists, gets new cases"
    case .replaced: "  exists, is replaced"
    }
  }

  /// By kind and reason.
  private var groupedNotes: [[ImportNote]] {
    var groups: [[ImportNote]] = []
    var places: [[String]: Int] = [:]
    for note in plan.notes {
      let key = [note.kind.rawValue, note.reason]
      if let place = places[key] {
        groups[place].append(note)
      } else {
        places[key] = groups.count
        groups.append([note])
      }
    }
    return groups
  }

  private func write(_ notes: [ImportNote], to stream: inout TextStream) {
    guard let first = notes.first else { return }
    let more = notes.count - Self.shownCountMax
    stream.write(inLine: first.kind.words, .yellow)
    stream.write(line: "\(more > 0 ? " \(notes.count) times" : ""), because \(first.reason):")
    for note in notes.prefix(Self.shownCountMax) {
      stream.write(line: "  \(note.place): \(note.subject)")
    }
    if more > 0 { stream.write(line: "  and \(more) more; --format json lists them") }
  }

  // MARK: - For programs

  func writeJSON(to stream: inout TextStream) {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.key("written")
      writer.bool(writes)
      writer.list("drafts", plan.drafts) { writer, draft in
        writer.object { writer in
          writer.member("contract", draft.id)
          writer.member("method", draft.method)
          writer.member("path", draft.path)
          writer.member("fate", draft.fate.rawValue)
          writer.list("cases", draft.cases) { writer, served in
            writer.object {
              $0.member("case", served.name)
              $0.member("status", served.status)
            }
          }
          writer.list("remarks", draft.remarks) { $0.string($1) }
        }
      }
      writer.list("changes", plan.changes) { $1.write(to: &$0) }
      writer.list("notes", groupedNotes) { writer, notes in
        writer.object { writer in
          writer.member("kind", notes.first?.kind.rawValue)
          writer.member("reason", notes.first?.reason)
          writer.member("count", notes.count)
          writer.list("places", notes) { writer, note in
            writer.object {
              $0.member("file", note.place.file)
              $0.member("line", note.place.position?.line)
              $0.member("column", note.place.position?.column)
              $0.member("pointer", note.pointer)
              $0.member("subject", note.subject)
            }
          }
        }
      }
    }
    stream.write(json: writer.bytes + "\n".utf8)
  }
}

extension ImportNote.Kind {
  fileprivate var words: String {
    switch self {
    case .leftOut: "left out"
    case .widened: "widened"
    case .narrowed: "narrowed"
    case .skipped: "skipped"
    case .masked: "masked"
    }
  }
}
