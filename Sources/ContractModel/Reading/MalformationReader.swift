import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Reads `malform`, applies it, and reports when the result is still valid.
struct MalformationReader {
  static let keys = [
    "truncateAt", "insert", "invalidUTF8At", "set", "remove", "html", "empty", "contentType",
    "gzip", "contentLength",
  ]
  private static let names = JSONNames(keys)
  private static let insertionNames: JSONNames = ["at", "text"]
  private static let offsetMax = 1 << 40

  let complaints: Complaints

  /// The malformation, and the mutated body.
  func read(_ fields: Fields, _ response: Response?) -> (Malformation, bodyBytes: [UInt8])? {
    guard let value = fields["malform"],
      let inner = Fields(value, of: "a malformation", keys: Self.names, complaints),
      let key = inner.exactlyOne(of: Self.keys), let malformation = malformation(key, inner)
    else { return nil }
    let bytes = response.flatMap { mutated($0, by: malformation, key, inner) }
    return (malformation, bytes ?? response?.bodyBytes ?? [])
  }

  private func malformation(_ key: String, _ fields: Fields) -> Malformation? {
    switch key {
    case "truncateAt": return offset(key, fields).map { .truncateAt($0) }
    case "invalidUTF8At": return offset(key, fields).map { .invalidUTF8At($0) }
    case "insert": return insertion(fields)
    case "set": return changes(fields).map { .set($0) }
    case "remove": return removals(fields).map { .remove($0) }
    case "html": return fields.string(key).map { .html($0) }
    case "contentType": return fields.string(key).map { .contentType(headerValue($0, fields)) }
    case "gzip": return fields.choice(key).map { .gzip($0) }
    case "empty":
      if fields.bool(key) == false {
        fields.complain(.badValue, key, "found false, expected true or no \"empty\" at all")
      }
      return .empty
    default:
      return fields.int(
        key, in: -Self.offsetMax...Self.offsetMax, "a number of bytes such as 5 or -5"
      )
      .map { .contentLengthOff(by: $0) }
    }
  }

  private func headerValue(_ text: String, _ fields: Fields) -> String {
    if !HeaderText.isValue(text) {
      fields.complain(.badValue, "contentType", "the header's value has a control character")
    }
    return text
  }

  private func offset(_ key: String, _ fields: Fields) -> Int? {
    fields.int(key, in: 0...Self.offsetMax, "an offset in bytes from 0")
  }

  private func insertion(_ fields: Fields) -> Malformation? {
    guard let value = fields["insert"],
      let inner = Fields(value, of: "an insertion", keys: Self.insertionNames, complaints),
      inner.require("at") != nil, inner.require("text") != nil,
      let at = offset("at", inner), let text = inner.string("text")
    else { return nil }
    return .insert(text, at: at)
  }

  private func changes(_ fields: Fields) -> [(pointer: JSONPointer, value: JSONValue)]? {
    guard let value = fields["set"] else { return nil }
    let members = Fields.named(value, of: "values by JSON Pointer", complaints)
    let changes = members.compactMap { member -> (pointer: JSONPointer, value: JSONValue)? in
      guard let pointer = JSONPointer(parsing: member.key) else {
        complaints.add(
          .badValue, atKeyOf: member,
          "found \"\(member.key)\", expected a JSON Pointer such as \"/items/0/name\"",
          fix: "start it with a slash")
        return nil
      }
      return (pointer, member.value)
    }
    return value.kind == .object && changes.count == value.count ? changes : nil
  }

  private func removals(_ fields: Fields) -> [JSONPointer]? {
    guard let value = fields["remove"], let texts = fields.strings("remove") else { return nil }
    let pointers = zip(texts, value.elements).compactMap { text, element in
      if let pointer = JSONPointer(parsing: text), !pointer.tokens.isEmpty { return pointer }
      complaints.add(
        .badValue, at: element,
        "found \"\(text)\", expected a JSON Pointer such as \"/items/0/name\"",
        fix: text.isEmpty ? "\"empty\": true leaves out the whole body" : "start it with a slash")
      return nil as JSONPointer?
    }
    return value.kind == .array && pointers.count == value.count ? pointers : nil
  }
}

extension MalformationReader {
  private func mutated(
    _ response: Response, by malformation: Malformation, _ key: String, _ fields: Fields
  ) -> [UInt8]? {
    do {
      let bytes = try malformation.bytes(mutating: response)
      if let reason = reasonNothingIsWrong(malformation, response, bytes, fields) {
        fields.complain(.notMalformed, key, reason.message, fix: reason.fix)
      }
      return bytes
    } catch {
      fields.complain(.badValue, key, error.message, fix: error.fix)
      return nil
    }
  }

  private func reasonNothingIsWrong(
    _ malformation: Malformation, _ response: Response, _ bytes: [UInt8], _ fields: Fields
  ) -> (message: String, fix: String?)? {
    switch malformation {
    case .contentType(let type):
      let own = response.headers.first { $0.key == "content-type" }?.value
      return own == type
        ? ("the response already has content type \"\(type)\"", "choose another type")
        : nil
    case .contentLengthOff(let difference):
      if difference == 0 { return ("the length is off by 0", "use 5 or -5") }
      if response.framing != .length || !response.allowsBody {
        return (
          "the response has no length that could be wrong",
          response.allowsBody ? "remove \"framing\"" : "use a status whose responses have a body"
        )
      }
      return bytes.count + difference < 0
        ? ("the length is below zero: the body has \(bytes.count) bytes", "use -1")
        : nil
    case .gzip, .empty:
      return response.bodyBytes.isEmpty
        ? ("the body is already empty", "use \"like\" with a case that has a body") : nil
    case .set, .remove:
      guard response.schema != nil else {
        return (
          "no schema that the changed body could break",
          "add \"schema\" to the case this one is like"
        )
      }
      return stillGood(bytes, response, fields)
    case .truncateAt, .insert, .invalidUTF8At, .html:
      if bytes == response.bodyBytes {
        return ("the changed body is the same as before", "mutate a part that matters")
      }
      guard case .json = response.body else { return nil }
      return stillGood(bytes, response, fields)
    }
  }

  private func stillGood(
    _ bytes: [UInt8], _ response: Response, _ fields: Fields
  ) -> (message: String, fix: String?)? {
    guard let body = JSONDocument(valid: bytes)?.root else { return nil }
    let isGood = response.schema?.schema.accepts(body) ?? true
    guard !complaints.addIfExhausted(at: fields.source), isGood else { return nil }
    let what = response.schema == nil ? "valid JSON" : "valid JSON that matches its schema"
    return ("the malformed body is still \(what)", "mutate a part that matters")
  }
}
