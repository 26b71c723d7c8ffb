// Called repeatedly by libFuzzer: reads the bytes as YAML. What is accepted is JSON, and that is
// YAML again, which means the same; every complaint is about a place in the text.
import UnderstudyJSON
import UnderstudyYAML

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` bytes that stay valid until this returns.
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  var limits = YAMLLimits()
  limits.aliasBytesMax = 1 << 16
  do throws(YAMLError) {
    for document in try YAMLStream.documents(of: bytes, limits: limits) {
      guard let again = try? JSONDocument(yaml: document.bytes) else {
        preconditionFailure("the JSON is not YAML: \(document.bytes)")
      }
      precondition(again.bytes == document.bytes, "another tree: \(again.bytes)")
    }
  } catch {
    precondition(0...count ~= error.offset, "outside of the text: \(error)")
    precondition(error.message.hasPrefix("found "), "\(error)")
  }
  return 0
}
