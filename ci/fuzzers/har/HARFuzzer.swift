// Called repeatedly by libFuzzer: imports the bytes as a HAR. Every entry must end as a contract or as a
// note, and what is written must be JSON within the folder.
import UnderstudyInterchange
import UnderstudyJSON

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` bytes that stay valid until this returns.
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let document = try? ForeignDocument(reading: bytes, file: "fuzz.har") else { return 0 }
  var options = ImportOptions(folder: "no-such-folder", differs: { _, _, _ in false })
  options.takesAll = true
  guard let plan = try? ImportFormat.plan(ImportSource(documents: [document]), as: .har, options)
  else { return 0 }
  let entries = document.root["log"]?["entries"]?.count ?? 0
  precondition(
    entries == 0 || !plan.drafts.isEmpty || !plan.notes.isEmpty, "entries disappeared silently")
  for case .write(let file) in plan.changes {
    precondition(file.path.hasPrefix("no-such-folder/"), "\(file.path) is elsewhere")
    let names = file.path.split(separator: "/", omittingEmptySubsequences: false)
    precondition(!names.contains("..") && !names.contains(""), "\(file.path) is elsewhere")
    guard file.path.hasSuffix(".json"), !file.path.contains("/files/") else { continue }
    precondition(JSONDocument(valid: file.bytes) != nil, "\(file.path) is not JSON")
  }
  return 0
}
