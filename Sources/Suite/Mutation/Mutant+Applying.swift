import UnderstudyClient
import UnderstudyContractModel
import UnderstudyJSON

extension Mutant {
  private static let page =
    "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>"
  private static let letterCount = 20_000
  private static let depth = 300
  /// Deep enough to overflow the stack of a parser without a nesting limit.
  private static let rootDepth = 100_000

  /// The mutated response; `nil` when this mutation does not apply.
  func applied(to response: ClientResponse, body: JSONDocument) -> ClientResponse? {
    var response = response
    switch change {
    case .mutation(let mutation):
      guard let bytes = bytes(of: body, with: mutation) else { return nil }
      response.body = bytes
    case .truncated(let count): response.body = Array(body.bytes[body.root.byteRange].prefix(count))
    case .emptyBody: response.body = []
    case .html:
      response.body = Array(Self.page.utf8)
      response.headers["Content-Type"] = "text/html; charset=utf-8"
    case .contentType: response.headers["Content-Type"] = "text/html; charset=utf-8"
    }
    return response
  }

  private func bytes(of body: JSONDocument, with mutation: Mutation) -> [UInt8]? {
    guard let value = body.root.value(at: pointer) else { return nil }
    var bytes = body.bytes
    let range = value.byteRange
    switch mutation {
    case .missing: return try? body.removing(pointer).bytes
    case .badUTF8: bytes.insert(0xFF, at: range.upperBound - 1)
    case .duplicate:
      guard let key = pointer.tokens.last else { return nil }
      let other = value.kind == .object ? "[]" : "{}"
      bytes.insert(contentsOf: [UInt8(ascii: ",")] + Self.member(key, other), at: range.upperBound)
    case .extra:
      let comma = value.count > 0 ? "," : ""
      let member = Self.member("understudyExtra", "{\"a\":[1,null]}\(comma)")
      bytes.insert(contentsOf: member, at: range.lowerBound + 1)
    default:
      guard let text = Self.replacement(of: value, with: mutation, isRoot: pointer.tokens.isEmpty)
      else { return nil }
      bytes.replaceSubrange(range, with: text.utf8)
    }
    return bytes
  }

  private static func replacement(
    of value: JSONValue, with mutation: Mutation, isRoot: Bool
  ) -> String? {
    switch mutation {
    case .null: "null"
    case .empty: value.kind == .string ? "\"\"" : value.kind == .array ? "[]" : "{}"
    case .huge: "1e300"
    case .negative: value.int.map { "-\($0.magnitude + ($0 > 0 ? 0 : 1))" } ?? "-1.5"
    case .long: "\"\(String(repeating: "x", count: letterCount))\""
    case .deep:
      String(repeating: "[", count: isRoot ? rootDepth : depth)
        + String(repeating: "]", count: isRoot ? rootDepth : depth)
    case .asBoolean: "true"
    case .asNumber: "7"
    case .asString: "\"7\""
    case .asArray: "[]"
    case .asObject: "{}"
    case .missing, .badUTF8, .duplicate, .extra: nil
    }
  }

  private static func member(_ key: String, _ value: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key(key)
    }
    return writer.bytes.dropFirst().dropLast() + value.utf8
  }
}
