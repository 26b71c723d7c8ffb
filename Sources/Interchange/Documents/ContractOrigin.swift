import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// What exports write for a later import, about the contract that something was made from.
enum ContractOrigin {
  /// What an export says of its upstream.
  struct Upstream {
    let name: String
    let source: JSONValue

    /// `nil` for one that no file declares.
    init?(_ upstream: UnderstudyContractModel.Upstream) {
      guard upstream.source.kind == .object else { return nil }
      (name, source) = (upstream.name, upstream.source)
    }

    init?(_ value: JSONValue?) {
      guard let name = value?["name"]?.string, ContractOrigin.isName(name),
        let source = value?["source"], source.kind == .object
      else { return nil }
      (self.name, self.source) = (name, source)
    }

    var written: JSONText {
      ["name": .string(name), "source": .value(source)]
    }
  }

  private static let nameBytesMax = 200

  /// A digest that does not depend on the order of members; a part without a value counts, too.
  static func digest(of parts: [JSONValue?]) -> String {
    var print = Fingerprint()
    print.add(parts.map { $0?.sortedText ?? "" }.joined(separator: "\n").utf8)
    return String(print.value, radix: 16)
  }

  /// Whether a contract can have the name, which becomes that of its file.
  static func isName(_ name: String) -> Bool {
    name != "upstream" && !name.isEmpty && name.utf8.count <= nameBytesMax
      && name.utf8.first != .hyphen
      && name.utf8.allSatisfy {
        $0 == .hyphen || $0.isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
      }
  }

  /// Whether the path stays in the upstream's folder, where each JSON is a contract.
  static func isBodyFile(_ path: String) -> Bool {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    return !names.contains("") && !RecordedExchange.climbs(path: "/\(path)")
      && !(names.count == 1 && path.hasSuffix(".json"))
  }
}

extension JSONValue {
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
