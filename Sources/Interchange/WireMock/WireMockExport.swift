package import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// Stub mappings that respond as contracts do.
package struct WireMockExport: Sendable {
  /// By path in the folder of WireMock, `mappings/a.json` and `__files/…`; several upstreams have a
  /// folder each.
  package private(set) var files: [(path: String, bytes: [UInt8])] = []
  package private(set) var stubCount = 0
  /// What no stub can say.
  package private(set) var notes: [ImportNote] = []

  package init(_ library: ContractLibrary) {
    for upstream in library.upstreams {
      add(upstream, in: library.upstreams.count > 1 ? "\(upstream.name)/" : "")
    }
  }

  private mutating func add(_ upstream: Upstream, in folder: String) {
    var names: Set<String> = []
    var origin = ContractOrigin.Upstream(upstream)
    // Where WireMock has priorities, contracts have an order.
    let ordered = upstream.contracts.sorted { $0.isMoreSpecific(than: $1) }
    let step = (ordered.map { $0.cases.count * $0.request.paths.count }.max() ?? 0) + 2
    for (rank, contract) in ordered.enumerated() {
      let stubs = stubs(of: contract, upstream, priority: 1 + rank * step, step: step - 1, origin)
      guard !stubs.isEmpty else { continue }
      origin = nil
      stubCount += stubs.count
      let mappings: JSONText = ["mappings": .array(stubs)]
      files.append(("\(folder)mappings/\(contract.name).json", mappings.fileBytes))
      for (path, bytes) in contract.bodyFiles where names.insert(path).inserted {
        files.append(("\(folder)__files/\(path)", bytes))
      }
    }
  }

  /// One for each case that a request prefers, then those of its `when`, then the default.
  private mutating func stubs(
    of contract: Contract, _ upstream: Upstream, priority: Int, step: Int,
    _ upstreamOrigin: ContractOrigin.Upstream?
  ) -> [JSONText] {
    var written: [(request: JSONText, members: [(String, JSONText?)])] = []
    var last = priority
    let chosen = contract.cases.map { ($0, true) } + contract.cases.map { ($0, false) }
    for (path, (served, isPreferred)) in contract.request.paths.flatMap({ path in
      chosen.map { (path, $0) }
    }) {
      let isDefault = served.name == contract.defaultCase?.name && served.when == nil
      guard isPreferred || isDefault || served.when != nil else { continue }
      let stub = WireMockStubText(
        contract, upstream, path, served, when: isPreferred ? nil : served.when,
        prefers: isPreferred)
      do throws(WireMockStubText.Unusable) {
        let request = try stub.request()
        let response = try stub.response()
        if !isPreferred { last = isDefault ? priority + step : last + 1 }
        let members: [(String, JSONText?)] =
          [
            ("name", .string("\(contract.id)#\(served.name)")),
            ("priority", .int(isPreferred ? priority : last)),
          ] + (try stub.scenario())
          + [("response", response), ("serveEventListeners", stub.listeners)]
        written.append((request, members))
        if !isPreferred { note(.widened, stub.widenings, served, contract) }
        for (key, value) in stub.lostKeys {
          add(
            ImportNote(
              .leftOut, "\"\(key)\" of \(contract.id)#\(served.name)",
              at: Place(contract.file, value.position), "/cases/\(served.name)/\(key)",
              because: "no stub has it"))
        }
      } catch {
        if !isPreferred || served.when == nil && !isDefault {
          note(.leftOut, [error.reason], served, contract)
        }
      }
    }
    return written.enumerated().map { number, stub in
      let digest = WireMockOrigin.digest(
        request: stub.request, response: stub.members.first { $0.0 == "response" }?.1,
        listeners: stub.members.first { $0.0 == "serveEventListeners" }?.1)
      var origin = WireMockOrigin(
        contract: contract.name, number: number, count: written.count, digest: digest,
        source: number == 0 ? contract.source : nil,
        files: number == 0 ? contract.bodyFiles.map(\.path) : [])
      if number == 0 { origin.upstream = upstreamOrigin }
      return .object([("request", stub.request)] + stub.members + [("metadata", origin.written)])
    }
  }

  private mutating func note(
    _ kind: ImportNote.Kind, _ reasons: [String], _ served: Case, _ contract: Contract
  ) {
    for reason in reasons {
      add(
        ImportNote(
          kind, "\(contract.id)#\(served.name)", at: Place(contract.file, served.source.position),
          "/cases/\(served.name)", because: reason))
    }
  }

  /// A contract with several paths says it for each.
  private mutating func add(_ note: ImportNote) {
    if !notes.contains(note) { notes.append(note) }
  }
}

extension Contract {
  /// The order in which the fake looks for contracts.
  fileprivate func isMoreSpecific(than other: Contract) -> Bool {
    guard let own = request.paths.first, let rival = other.request.paths.first else { return false }
    if (own.tail == nil) != (rival.tail == nil) { return own.tail == nil }
    for (left, right) in zip(own.segments, rival.segments) {
      switch (left, right) {
      case (.literal, .parameter): return true
      case (.parameter, .literal): return false
      default: continue
      }
    }
    if own.segments.count != rival.segments.count {
      return own.segments.count > rival.segments.count
    }
    let (count, otherCount) = (request.conditionCount, other.request.conditionCount)
    return count != otherCount ? count > otherCount : id < other.id
  }
}
