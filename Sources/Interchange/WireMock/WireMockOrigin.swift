import UnderstudyJSON

/// Where an exported stub comes from. As long as nothing in it has changed, another import gives
/// the contract back as it was.
struct WireMockOrigin {
  let contract: String
  /// The number of the stub among those of the contract.
  let number: Int
  let count: Int
  let digest: String
  /// The contract's text; the first stub has it.
  let source: JSONValue?
  let files: [String]
  /// What `upstream.json` says; the first stub of the first contract has it.
  var upstream: ContractOrigin.Upstream?

  static func digest(request: JSONText?, response: JSONText?, listeners: JSONText?) -> String {
    ContractOrigin.digest(
      of: [request?.root, response?.root] + (listeners.map { [$0.root] } ?? []))
  }

  var written: JSONText {
    [
      "understudy": [
        "contract": .string(contract), "number": .int(number), "count": .int(count),
        "digest": .string(digest), "source": source.map { .value($0) },
        "files": files.isEmpty ? nil : .strings(files), "upstream": upstream?.written,
      ]
    ]
  }

  init(
    contract: String, number: Int, count: Int, digest: String, source: JSONValue?, files: [String]
  ) {
    self.contract = contract
    self.number = number
    self.count = count
    self.digest = digest
    self.source = source
    self.files = files
  }

  /// `nil` where a stub was not exported, or has changed since.
  init?(of stub: WireMockStub) {
    guard let value = stub.value["metadata"]?["understudy"],
      let contract = value["contract"]?.string, ContractOrigin.isName(contract),
      let number = value["number"]?.int,
      let count = value["count"]?.int, let digest = value["digest"]?.string,
      digest
        == Self.digest(
          request: stub.request.map { .value($0) }, response: stub.response.map { .value($0) },
          listeners: stub.value["serveEventListeners"].map { .value($0) })
    else { return nil }
    let files = (value["files"] ?? .null).elements.compactMap(\.string)
    guard files.allSatisfy(ContractOrigin.isBodyFile) else { return nil }
    self.init(
      contract: contract, number: number, count: count, digest: digest, source: value["source"],
      files: files)
    upstream = ContractOrigin.Upstream(value["upstream"])
  }
}
