import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Reads `callbacks`.
struct CallbackReader {
  private static let bodyKeys = ["body", "text", "base64", "file"]
  private static let names = JSONNames(
    ["summary", "method", "url", "headers"] + bodyKeys + ["template", "delay", "expect"])
  private static let expectNames: JSONNames = ["status"]
  private static let countMax = 20

  let complaints: Complaints
  /// Reads a file named in the contract.
  let bodyFile: (String) -> Result<[UInt8], Failure>

  func read(_ value: JSONValue) -> [Callback] {
    let members = Fields.named(value, of: "callbacks by name", complaints)
    if value.kind == .object, !(1...Self.countMax ~= value.count) {
      complaints.add(
        .badValue, at: value,
        "found \(value.count.of("callback")), expected from 1 to \(Self.countMax)",
        fix: value.count == 0 ? "remove \"callbacks\"" : nil)
    }
    return members.compactMap { member in
      checkName(member.key, at: member.keyPosition, noun: "callback", complaints)
      return Fields(member.value, of: "a callback", keys: Self.names, complaints).flatMap {
        callback(member.key, $0)
      }
    }
  }

  private func callback(_ name: String, _ fields: Fields) -> Callback? {
    let reader = ResponseReader(complaints: complaints, bodyFile: bodyFile)
    let (body, bytes) = reader.body(fields, by: Self.bodyKeys) ?? (.none, [])
    let isJSON = if case .json = body { true } else { false }
    let method = RequestReader(complaints: complaints).method(fields, default: "POST")
    if let method, let key = fields.first(of: Self.bodyKeys),
      ["GET", "HEAD"].contains(method)
    {
      fields.complain(
        .conflictingKeys, key, "a callback by \(method) cannot have a body",
        fix: "remove the body, or use POST")
    }
    guard fields.require("url") != nil, let url = fields.string("url"), let method else {
      return nil
    }
    return Callback(
      name: name, summary: fields.string("summary"), method: method, url: url,
      headers: reader.headers(fields, like: nil, control: nil), bodyBytes: bytes, isJSON: isJSON,
      templatedParts: fields["template"].map { reader.templatedParts($0, fields) } ?? [],
      delay: fields["delay"].flatMap(TimingReader(complaints: complaints).delay),
      expectedStatus: fields["expect"].flatMap(expectedStatus), source: fields.source)
  }

  private func expectedStatus(_ value: JSONValue) -> Int? {
    guard
      let fields = Fields(
        value, of: "what a callback expects", keys: Self.expectNames, complaints),
      fields.require("status") != nil
    else { return nil }
    return fields.int("status", in: 200...599, "a status from 200 to 599")
  }
}
