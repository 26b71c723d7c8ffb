// Called repeatedly by libFuzzer: reads the bytes up to the last line as a contract, which is
// exported, and the last line as what the live API answers, which is compared with each of its
// cases.
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyInterchange
import UnderstudyJSON

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: libFuzzer passes `count` bytes that stay valid until this returns.
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.count
  let library = ContractLibrary(readingBytes: [
    "fuzz/upstream.json": Array(#"{"baseURL": "https://fuzz.example"}"#.utf8),
    "fuzz/contract.json": Array(bytes[..<end]),
  ])
  for contract in library.contracts {
    for played in contract.cases {
      if let request = try? contract.exampleRequest(for: played),
        let upstream = library.upstreams.first
      {
        _ = library.index.match(RequestParts(request), in: upstream)
      }
      let answer = LiveAnswer(
        status: played.status ?? 200, headers: played.response?.headers ?? [],
        body: Array(bytes[end...].dropFirst()), latency: .zero)
      _ = Comparison(
        answer, to: played, of: contract, readers: [], now: Moment(unixSeconds: 1_800_000_000))
    }
  }
  guard !library.contracts.isEmpty else { return 0 }
  for (path, bytes) in WireMockExport(library).files where path.hasPrefix("mappings/") {
    precondition(JSONDocument(valid: bytes) != nil, "\(path) is not JSON")
  }
  for upstream in library.upstreams {
    let bytes = OpenAPIExport(upstream).json.bytes
    precondition(JSONDocument(valid: bytes) != nil, "the OpenAPI document is not JSON")
  }
  return 0
}
