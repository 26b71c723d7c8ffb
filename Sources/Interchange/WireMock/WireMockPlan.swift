import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// The contracts of an upstream made from stub mappings.
enum WireMockPlan {
  static func plan(
    _ source: ImportSource, _ options: ImportOptions
  ) throws(Failure) -> ImportPlan {
    var stubs = try WireMockImport(source)
    let contracts = stubs.contracts().map { name, contract in
      UpstreamPlan.Made(
        name: name, method: contract.method, path: contract.path,
        cases: contract.cases.map { ($0.name, $0.status) }, bytes: contract.json.fileBytes,
        files: contract.files
      ) { reason in contract.stubs.map { $0.note(.leftOut, because: reason) } }
    }
    return try UpstreamPlan.plan(
      contracts, of: options.upstream?.name ?? WireMockLibrary.upstreamName, options,
      notes: stubs.notes, waiving: "imported: no stub has it",
      keeping: {
        $0.isOfWireMock ? nil : "\($0.id) exists and was not imported; --force replaces it"
      }
    ) { waivers in
      .object([("summary", .string("Imported from WireMock")), ("waive", waivers)])
    }
  }
}

extension Contract {
  fileprivate var isOfWireMock: Bool {
    source[WireMockContract.originKey]?.string == WireMockContract.origin
  }
}
