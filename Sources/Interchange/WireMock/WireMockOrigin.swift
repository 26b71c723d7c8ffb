import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// Where an exported stub comes from. As long as nothing in it has changed, another import gives the
/// contract back as it was.
struct WireMockOrigin {
  let contract: String
  /// Among the stubs of the contract.
  let number: Int
  let count: Int
  let digest: String
  /// The contract's text; the first stub has it.
  let source: JSONValue?
  let files: [String]

  static func digest(request: JSONText?, response: JSONText?) -> String {
    let texts = [request, response].map { $0?.root.map(\.sortedText) ?? "" }
    var print = Fingerprint()
    print.add(texts.joined(separator: "\n").utf8)
    return String(print.value, radix: 16)
  }

  var written: JSONText {
    .object([
      (
        "understudy",
        .object([
          ("contract", .string(contract)), ("number", .int(number)), ("count", .int(count)),
          ("digest", .string(digest)), ("source", source.map { .value($0) }),
          ("files", files.isEmpty ? nil : .strings(files)),
        ])
      )
    ])
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

  private static let nameBytesMax = 200

  /// `nil` where a stub was not exported, or has changed since.
  init?(of stub: WireMockStub) {
    guard let value = stub.value["metadata"]?["understudy"],
      let contract = value["contract"]?.string, Self.isName(contract),
      let number = value["number"]?.int,
      let count = value["count"]?.int, let digest = value["digest"]?.string,
      digest
        == Self.digest(
          request: stub.request.map { .value($0) }, response: stub.response.map { .value($0) })
    else { return nil }
    let files = (value["files"] ?? .null).elements.compactMap(\.string)
    guard files.allSatisfy(Self.isBodyFile) else { return nil }
    self.init(
      contract: contract, number: number, count: count, digest: digest, source: value["source"],
      files: files)
  }

  /// Whether a contract can have the name, which becomes that of its file.
  private static func isName(_ name: String) -> Bool {
    name != "upstream" && !name.isEmpty && name.utf8.count <= nameBytesMax
      && name.utf8.first != .hyphen
      && name.utf8.allSatisfy {
        $0 == .hyphen || $0.isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
      }
  }

  /// Whether the path stays in the upstream's folder, where each JSON is a contract.
  private static func isBodyFile(_ path: String) -> Bool {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    return !names.contains("") && !RecordedExchange.climbs(path: "/\(path)")
      && !(names.count == 1 && path.hasSuffix(".json"))
  }
}

extension JSONValue {
  /// The same for objects whose members come in another order.
  fileprivate var sortedText: String {
    switch kind {
    case .array: return "[\(elements.map(\.sortedText).joined(separator: ","))]"
    case .object:
      let members = members.sorted { $0.key < $1.key }.map {
        "\($0.key.debugDescription):\($0.value.sortedText)"
      }
      return "{\(members.joined(separator: ","))}"
    default: return String(decoding: compact, as: UTF8.self)
    }
  }
}
