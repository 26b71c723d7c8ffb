import UnderstudyContractModel
import UnderstudyFakeServer

/// Shell commands that try out a new server as they are.
struct Suggestion {
  let plain: String
  /// The same request, preferring another case.
  let withOtherCase: String?

  /// `nil` when no contract answers a request that fits a short line.
  init?(_ library: ContractLibrary, _ server: FakeUpstream) {
    for upstream in library.upstreams {
      for contract in upstream.contracts {
        guard let shown = contract.defaultCase, shown.kind == .good,
          let request = try? contract.exampleRequest(for: shown), request.method == "GET",
          request.headers.isEmpty, request.body.isEmpty
        else { continue }
        let query = request.query.map { "?\($0)" } ?? ""
        let path = request.path == "/" ? "/" : request.path
        let url = Self.quoted("\(server.baseURL(of: upstream))\(path)\(query)")
        plain = "curl -i \(url)"
        let other = contract.cases.first { played in
          played.kind == .good && played.name != shown.name && played.when == nil
        }
        withOtherCase = other.map { "curl -i -H 'Prefer: example=\($0.name)' \(url)" }
        return
      }
    }
    return nil
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || ":/.-_%~".utf8.contains(byte)
    }
    return isPlain ? text : "'\(text.replacing("'", with: "'\\''"))'"
  }
}
