import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// The contracts made from stub mappings: an upstream for each folder that has `mappings`.
enum WireMockPlan {
  static func plan(
    _ source: ImportSource, _ options: ImportOptions
  ) throws(Failure) -> ImportPlan {
    var plan = ImportPlan()
    let upstreams = upstreams(source, options)
    for (name, documents) in upstreams {
      let isOpen = upstreams.count == 1 && options.upstream == nil
      let part = try self.plan(
        ImportSource(documents: documents, reading: source.file), of: isOpen ? nil : name, options)
      plan.drafts += part.drafts
      plan.changes += part.changes
      plan.notes += part.notes
    }
    return plan
  }

  /// Stubs of two servers may be for the same requests.
  private static func upstreams(
    _ source: ImportSource, _ options: ImportOptions
  ) -> [(name: String, documents: [ForeignDocument])] {
    let given = options.upstream?.name
    let roots = source.documents.map { WireMockLibrary.root(of: $0.file) }
    var order: [[Substring]?] = []
    for root in roots where !order.contains(root) { order.append(root) }
    guard given == nil, order.count > 1 else {
      return [(given ?? WireMockLibrary.upstreamName, source.documents)]
    }
    let known = order.compactMap(\.self)
    let common = known.dropFirst().reduce(known.first ?? []) { common, root in
      zip(common, root).prefix { $0.0 == $0.1 }.map(\.0)
    }
    let end = known.dropFirst().reduce(known.first ?? []) { common, root in
      zip(common.reversed(), root.reversed()).prefix { $0.0 == $0.1 }.map(\.0).reversed()
    }
    var names = UniqueNames()
    return order.map { root in
      let own = (root ?? []).dropFirst(common.count).dropLast(end.count)
      let slug = own.joined(separator: "-").slug
      return (
        names.name(slug.isEmpty ? WireMockLibrary.upstreamName : slug),
        zip(roots, source.documents).filter { $0.0 == root }.map(\.1)
      )
    }
  }

  /// - Parameter name: `nil` for the one that the stubs were exported from, or that of all stubs.
  private static func plan(
    _ source: ImportSource, of name: String?, _ options: ImportOptions
  ) throws(Failure) -> ImportPlan {
    var stubs = try WireMockImport(source)
    let original = stubs.upstream
    let upstream = name ?? original?.name ?? WireMockLibrary.upstreamName
    if original == nil, let baseURL = options.upstream?.baseURL, !baseURL.path.isEmpty {
      throw Failure(
        message: "--upstream has the path \(baseURL.path), but stubs have whole paths",
        fix: "write --upstream \(upstream)=\(baseURL.origin.text)")
    }
    let contracts = stubs.contracts().map { contract in
      UpstreamPlan.Made(contract.draft) { kind, reason in
        contract.stubs.map { $0.note(kind, because: reason) }
      }
    }
    return try UpstreamPlan.plan(
      contracts, of: upstream, restoring: original?.source, options,
      notes: stubs.notes, waiving: "imported: no stub has it",
      keeping: { contract in
        switch WireMockContract.fate(of: contract) {
        case .own: "\(contract.id) exists and was not imported; --force replaces it"
        case .changed: "\(contract.id) was changed since its import; --force replaces it"
        case .imported: nil
        }
      },
      finishing: { $0.markAsImported() }
    ) { waivers in
      [
        "summary": "Imported from WireMock",
        "baseURL": options.upstream?.baseURL.map { .string($0.text) }, "waive": waivers,
      ]
    }
  }
}
