package import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFindings
package import UnderstudyJSON

/// What commands read of the good answers, as found by leaving out parts of them.
package struct LearnedReads: Sendable {
  package struct Entry: Hashable, Sendable {
    /// `weather/now`
    package let contract: String
    package let caseName: String
    package let consumer: String
    /// Of the contract's file when this was learned.
    let fingerprint: String
    /// JSON pointers, with `*` for any element of an array.
    package let paths: [String]
  }

  package private(set) var entries: [Entry]

  package init(_ entries: [Entry] = []) { self.entries = entries }

  /// Replaces what was known of the same cases and consumers.
  package mutating func add(_ more: [Entry]) {
    let places = Set(more.map(\.place))
    entries = (entries.filter { !places.contains($0.place) } + more)
      .sorted { $0.place < $1.place }
  }

  /// What a consumer reads in a case; `nil` if that is unknown, or the contract has changed since.
  package func entry(of consumer: String, in played: Case, of contract: Contract) -> Entry? {
    entries.first {
      $0.contract == contract.id && $0.caseName == played.name && $0.consumer == consumer
        && $0.fingerprint == contract.fingerprint
    }
  }

  // MARK: - The file

  package init(parsing bytes: [UInt8]) throws(JSONError) {
    let root = try JSONDocument(parsing: bytes).root
    entries = root["reads"]?.elements.compactMap(Entry.init) ?? []
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
      paths: paths.elements.compactMap(\.string))
  }

  /// The same as a decoder of the case's body would record it.
  package func readPaths(in played: Case) -> ReadPaths {
    let body = (try? JSONDocument(parsing: played.bodyBytes))?.root
    let reads = ReadPaths()
    reads.add([], .opened)
    for path in paths {
      guard let pointer = JSONPointer(parsing: path) else { continue }
      var values = body.map { [$0] } ?? []
      let steps = pointer.tokens.map { token in
        let members = values.compactMap { $0[token] }
        // A star may also be a key.
        let isElement = token == "*" && members.isEmpty
        values = isElement ? values.flatMap(\.elements) : members
        return isElement ? ReadPaths.Step.element : .key(token)
      }
      for count in steps.indices {
        let isArray = steps[count] == .element
        reads.add(Array(steps[..<count]), isArray ? [.opened, .iterated] : .opened)
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
