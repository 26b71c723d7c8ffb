package import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
package import UnderstudyJSON

/// What commands read of the good responses, as found by leaving out parts of them.
package struct LearnedReads: Sendable {
  /// What one command read of one case. It is outdated when the contract or the command has
  /// changed, as the fingerprints show.
  package struct Entry: Hashable, Sendable {
    /// `weather/now`
    package let contract: String
    package let caseName: String
    package let consumer: String
    /// The fingerprint of the contract's file when this was learned.
    let fingerprint: String
    /// The fingerprint of the command's files when this was learned.
    let program: String
    /// JSON pointers, with `*` for any element of an array, or any member of a map.
    package let paths: [String]
  }

  package private(set) var entries: [Entry]
  /// The fingerprints of commands as they are now, by name.
  private let programs: [String: String]

  package init(_ entries: [Entry] = [], programs: [String: String] = [:]) {
    self.entries = entries
    self.programs = programs
  }

  /// Replaces what was known of the same cases and consumers.
  package mutating func add(_ more: [Entry]) {
    let places = Set(more.map(\.place))
    entries = (entries.filter { !places.contains($0.place) } + more)
      .sorted { $0.place < $1.place }
  }

  /// What a consumer reads in a case; `nil` if that is unknown, or the contract or the command has
  /// changed since.
  package func entry(of consumer: String, in served: Case, of contract: Contract) -> Entry? {
    entries.first {
      $0.contract == contract.id && $0.caseName == served.name && $0.consumer == consumer
        && $0.fingerprint == contract.fingerprint && $0.program == programs[consumer]
    }
  }

  /// Whether something was learned of a check's case and consumer, which may no longer hold.
  package func isStale(_ check: PlannedCheck) -> Bool {
    let name = check.expectation.consumer
    return entries.contains {
      $0.contract == check.contract.id && $0.caseName == check.served.name && $0.consumer == name
    } && entry(of: name, in: check.served, of: check.contract) == nil
  }

  // MARK: - The file

  /// - Parameter programs: the fingerprints of commands as they are now, by name.
  package init(parsing bytes: [UInt8], programs: [String: String]) throws(JSONError) {
    let root = try JSONDocument(parsing: bytes).root
    entries = root["reads"]?.elements.compactMap(Entry.init) ?? []
    self.programs = programs
  }

  package var bytes: [UInt8] {
    var writer = JSONWriter(style: .pretty(indent: 2))
    writer.object { writer in
      writer.list("reads", entries) { writer, entry in
        writer.object { writer in
          writer.member("contract", entry.contract)
          writer.member("case", entry.caseName)
          writer.member("consumer", entry.consumer)
          writer.member("fingerprint", entry.fingerprint)
          writer.member("program", entry.program)
          writer.list("paths", entry.paths) { writer, path in writer.string(path) }
        }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

extension LearnedReads.Entry {
  fileprivate var place: String { "\(contract)#\(caseName),\(consumer)" }

  fileprivate init?(_ value: JSONValue) {
    guard let contract = value["contract"]?.string, let caseName = value["case"]?.string,
      let consumer = value["consumer"]?.string, let fingerprint = value["fingerprint"]?.string,
      let paths = value["paths"]
    else { return nil }
    self.init(
      contract: contract, caseName: caseName, consumer: consumer, fingerprint: fingerprint,
      program: value["program"]?.string ?? "", paths: paths.elements.compactMap(\.string))
  }

  /// The paths as a decoder of the case's body would record them.
  package func readPaths(in served: Case) -> ReadPaths {
    let body = (try? JSONDocument(parsing: served.bodyBytes))?.root
    let reads = ReadPaths()
    reads.add([], .opened)
    for path in paths {
      guard let pointer = JSONPointer(parsing: path) else { continue }
      var values = body.map { [$0] } ?? []
      let steps = pointer.tokens.map { token in
        let members = values.compactMap { $0[token] }
        // A star may also be a key.
        let isEach = token == "*" && members.isEmpty
        values = isEach ? values.flatMap { $0.elements + $0.members.map(\.value) } : members
        return isEach ? ReadPaths.Step.element : .key(token)
      }
      for count in steps.indices {
        // What is new in an array or a map is read, too.
        let isEach = steps[count] == .element
        reads.add(Array(steps[..<count]), isEach ? [.opened, .iterated, .listed] : .opened)
      }
      reads.add(steps, .taken)
    }
    return reads
  }
}

extension Contract {
  var fingerprint: String {
    var print = Fingerprint()
    print.add(source.document.bytes)
    return print.hex
  }
}
