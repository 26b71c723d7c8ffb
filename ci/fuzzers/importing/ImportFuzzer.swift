// Called repeatedly by libFuzzer: imports the bytes as a HAR or as an OpenAPI document. Every entry
// and every operation must end as a contract or as a note, what is written must be JSON within the
// folder, and what is exported of it must be an OpenAPI document again.
import UnderstudyContractModel
import UnderstudyInterchange
import UnderstudyJSON
import import_checks

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` bytes that stay valid until this returns.
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let document = try? ForeignDocument(reading: bytes, file: "fuzz.json") else { return 0 }
  let format = document.root["log"] == nil ? ImportFormat.openapi : .har
  guard let library = imported(document, as: format) else { return 0 }
  for upstream in library.upstreams where !upstream.contracts.isEmpty {
    let export = OpenAPIExport(upstream)
    guard let again = try? ForeignDocument(reading: export.json.bytes, file: "fuzz.json") else {
      preconditionFailure("what was exported is not JSON")
    }
    precondition(imported(again, as: .openapi) != nil, "what was exported cannot be imported")
  }
  return 0
}

/// The contracts that would be written; `nil` where the document cannot be read.
private func imported(_ document: ForeignDocument, as format: ImportFormat) -> ContractLibrary? {
  var options = ImportOptions(folder: "no-such-folder", differs: { _, _, _ in false })
  options.takesAll = true
  guard
    let plan = try? ImportFormat.plan(ImportSource(documents: [document]), as: format, options)
  else { return nil }
  let entries = format == .har ? document.root["log"]?["entries"] : document.root["paths"]
  precondition(
    entries?.count ?? 0 == 0 || !plan.drafts.isEmpty || !plan.notes.isEmpty,
    "the document disappeared silently")
  return plan.checkedLibrary(below: "no-such-folder")
}
