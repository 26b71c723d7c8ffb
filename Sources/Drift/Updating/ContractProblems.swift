import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

extension Contract {
  /// The contract with another text.
  ///
  /// Read alone, the file lacks what other files define, before an edit as after it.
  func edited(_ document: JSONDocument) -> Contract? {
    libraryOfItself(with: document.bytes).contracts.first
  }

  private static let wordsMax = 3

  /// The problems that an edit brought, in words; `nil` if there is none.
  func problem(broughtBy edited: JSONDocument) -> String? {
    let known = self.problems(in: source.document)
    let messages = Set(known.map(\.message))
    var counts = Dictionary(
      known.map { (Site($0, in: source.document), 1) }, uniquingKeysWith: +)
    var problems: [String] = []
    // A message may name a line, which the edit has moved.
    for problem in self.problems(in: edited) where !messages.contains(problem.message) {
      let site = Site(problem, in: edited)
      counts[site, default: 0] -= 1
      guard counts[site, default: 0] < 0 else { continue }
      let words = words(for: problem, of: site.caseName, in: edited)
      if !problems.contains(words) { problems.append(words) }
    }
    guard !problems.isEmpty else { return nil }
    let rest = problems.count - Self.wordsMax
    return problems.prefix(Self.wordsMax).joined(separator: "; ")
      + (rest > 0 ? "; and \(rest) more" : "")
  }

  /// Where in a file a problem is, whatever lines the file has.
  private struct Site: Hashable {
    let type: FindingType
    let caseName: String?

    init(_ problem: Finding, in document: JSONDocument) {
      type = problem.type
      guard let position = problem.position,
        let section = document.root.members.filter({ $0.keyPosition <= position }).last,
        section.key == "cases"
      else {
        caseName = nil
        return
      }
      caseName = section.value.members.filter { $0.keyPosition <= position }.last?.key
    }
  }

  private func words(
    for problem: Finding, of name: String?, in edited: JSONDocument
  ) -> String {
    let other = name.flatMap(self.case(named:))
    if let other, let malformation = other.malformation {
      if let gone = malformation.pointers.first(where: { isGone($0, from: other, in: edited) }) {
        return "malformed case \(other.shown) changes \(gone), which the response no longer has"
      }
      if problem.type == .notMalformed || problem.type == .badValue {
        return "malformed case \(other.shown) would no longer be malformed"
      }
    }
    if let other, problem.type == .schemaMismatch {
      return "the body of \(other.shown) would no longer match its schema"
    }
    let place = Place(file, other?.source.position)
    return "it would break the file: \(problem.message) (\(place))"
  }

  /// Whether a place that a case changes was in the body, and is not any more.
  private func isGone(_ pointer: JSONPointer, from other: Case, in edited: JSONDocument) -> Bool {
    guard case .json(let body)? = other.response?.body, body.value(at: pointer) != nil else {
      return false
    }
    return edited.root.value(at: body.pointer)?.value(at: pointer) == nil
  }

  private func problems(in document: JSONDocument) -> [Finding] {
    libraryOfItself(with: document.bytes).findings.filter { $0.severity == .error }
  }

  /// The library with only this contract, read from another text.
  private func libraryOfItself(with bytes: [UInt8]) -> ContractLibrary {
    ContractLibrary(reading: [
      "\(upstreamName)/upstream.json": #"{ "summary": "As it is read by itself" }"#,
      "\(upstreamName)/\(name).json": String(decoding: bytes, as: UTF8.self),
    ])
  }
}

extension Case {
  fileprivate var shown: String { "`\(name)`" }
}

extension Malformation {
  /// The values of the good body that it changes or removes.
  fileprivate var pointers: [JSONPointer] {
    switch self {
    case .set(let changes): changes.map(\.pointer)
    case .remove(let pointers): pointers
    default: []
    }
  }
}

// MARK: - Offsets

extension Contract {
  /// The text with the offsets of mutated and stalled cases moved into their bodies, where these
  /// have become shorter: to the place that is as far along.
  func withOffsets(in edited: JSONDocument) -> JSONDocument {
    var document = edited
    guard let changed = self.edited(edited) else { return edited }
    for (old, new) in zip(cases, changed.cases) {
      let counts = (old.response?.bodyBytes.count ?? 0, new.response?.bodyBytes.count ?? 0)
      guard counts.0 > counts.1, counts.1 > 1 else { continue }
      for pointer in new.offsets {
        guard let offset = document.root.value(at: pointer)?.int,
          offset >= counts.1,
          let moved = try? document.setting(
            pointer, to: "\(max(1, min(offset * counts.1 / counts.0, counts.1 - 1)))")
        else { continue }
        document = moved
      }
    }
    return document
  }
}

extension JSONDocument {
  /// Moves the places in a body that a case names by their bytes.
  func movingOffsets(of other: Case, by count: Int) throws(JSONEditError) -> JSONDocument {
    var document = self
    for pointer in other.offsets {
      guard let offset = root.value(at: pointer)?.int else { continue }
      document = try document.setting(pointer, to: "\(offset + count)")
    }
    return document
  }
}

extension Case {
  /// Where it says an offset in its body.
  fileprivate var offsets: [JSONPointer] {
    let places = [
      ["malform", "truncateAt"], ["malform", "invalidUTF8At"], ["malform", "insert", "at"],
      ["stall", "atByte"],
    ]
    return places.map { JSONPointer(source.pointer.tokens + $0) }
  }
}
