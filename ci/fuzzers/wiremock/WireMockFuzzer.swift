// Called repeatedly by libFuzzer: imports the bytes as stub mappings of WireMock, and plays them.
// Every stub must end in a contract or as a note, what is written must be JSON within the folder,
// and what is exported must become the same contracts again.
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyInterchange
import UnderstudyJSON
import import_checks

/// The files that stubs may name.
private let files = FileRoot("ci/comparing/stubs/__files")

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` bytes that stay valid until this returns.
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let document = try? ForeignDocument(reading: bytes, file: "fuzz.json") else { return 0 }
  let source = ImportSource(
    documents: [document],
    reading: { name, _ throws(Failure) in
      try files.read("ci/comparing/stubs/__files/\(name)")
    })
  let root = document.root
  let list = root["mappings"] ?? (root.kind == .array ? root : nil)
  let stubs = list.map { Array($0.elements) } ?? [root]
  if let library = imported(source, stubCount: stubs.count) {
    for upstream in library.upstreams { ask(upstream, library.index) }
    checkExport(of: library)
  }
  play(stubs, isTemplated: count % 2 == 0)
  return 0
}

/// The contracts that would be written; `nil` where the source cannot be read.
private func imported(_ source: ImportSource, stubCount: Int) -> ContractLibrary? {
  let folder = "no-such-folder"
  let options = ImportOptions(folder: folder, differs: { _, _, _ in false })
  guard let plan = try? ImportFormat.plan(source, as: .wiremock, options) else { return nil }
  precondition(
    stubCount == 0 || !plan.drafts.isEmpty || !plan.notes.isEmpty, "stubs disappeared silently")
  return plan.checkedLibrary(below: "\(folder)/wiremock")
}

/// Plays the stubs one by one, as a server does.
private func play(_ stubs: [JSONValue], isTemplated: Bool) {
  let folder = "ci/comparing/stubs/__files"
  let reader = StubReader(isTemplated: isTemplated) { path in
    Result { () throws(Failure) in try files.read("\(folder)/\(path)") }
  }
  var contracts: [Contract] = []
  for stub in stubs {
    let first = contracts.count
    var made = 0
    let own = try? reader.contracts(of: .value(stub)) { _ in
      made += 1
      return "stub-\(first + made)"
    }
    contracts += own ?? []
  }
  let upstream = Upstream(named: WireMockLibrary.upstreamName).with(ordered: contracts)
  ask(upstream, RequestIndex([upstream]))
}

private func ask(_ upstream: Upstream, _ index: RequestIndex) {
  for contract in upstream.contracts {
    for played in contract.cases {
      guard let request = try? contract.exampleRequest(for: played) else { continue }
      _ = index.match(RequestParts(request), in: upstream)
    }
  }
}

private func checkExport(of library: ContractLibrary) {
  let export = WireMockExport(library)
  let exported = Dictionary(uniqueKeysWithValues: export.files.map { ($0.path, $0.bytes) })
  let documents = export.files.filter { $0.path.hasPrefix("mappings/") }.map { path, bytes in
    guard let document = try? ForeignDocument(reading: bytes, file: path) else {
      preconditionFailure("\(path) is not JSON")
    }
    return document
  }
  guard !documents.isEmpty else { return }
  let source = ImportSource(
    documents: documents,
    reading: { name, document throws(Failure) in
      guard let bytes = exported["__files/\(name)"] else {
        throw Failure(at: Place(document), message: "no file \(name)", fix: nil)
      }
      return bytes
    })
  guard let again = imported(source, stubCount: documents.count) else {
    preconditionFailure("what was exported cannot be imported")
  }
  let found = Dictionary(
    uniqueKeysWithValues: again.contracts.map { ($0.name, $0.source.compact) })
  for contract in library.contracts
  where exported["mappings/\(contract.name).json"] != nil {
    precondition(
      found[contract.name] == contract.source.compact, "\(contract.name) came back as another")
  }
}
