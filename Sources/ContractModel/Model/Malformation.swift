import UnderstudyCore
package import UnderstudyJSON

/// How a good response is mutated.
package indirect enum Malformation: Sendable {
  /// What is wrong with a body that says it is compressed.
  package enum GzipFault: String, Sendable, CaseIterable {
    /// Not compressed.
    case plain
    /// With a wrong checksum.
    case corrupt
    case truncated
  }

  case truncateAt(Int)
  case insert(String, at: Int)
  case invalidUTF8At(Int)
  case set([(pointer: JSONPointer, value: JSONValue)])
  case remove([JSONPointer])
  case html(String)
  case empty
  case contentType(String)
  case gzip(GzipFault)
  /// The difference between the declared length and the bytes sent.
  case contentLengthOff(by: Int)
}

extension Malformation {
  /// The body's bytes as sent; malformations that affect only the framing leave them unchanged.
  func bytes(mutating response: Response) throws(Failure) -> [UInt8] {
    let bytes = response.bodyBytes
    switch self {
    case .truncateAt(let offset):
      guard offset < bytes.count else { throw .beyond(offset, bytes.count) }
      return Array(bytes[..<offset])
    case .insert(let text, let offset):
      return try bytes.inserting(Array(text.utf8), at: offset)
    case .invalidUTF8At(let offset):
      return try bytes.inserting([0xFF], at: offset)
    case .set(let changes):
      return try edited(response) { (draft) throws(JSONEditError) in
        for (pointer, value) in changes { try draft.set(pointer, to: value) }
      }
    case .remove(let pointers):
      return try edited(response) { (draft) throws(JSONEditError) in
        for pointer in pointers { try draft.remove(pointer) }
      }
    case .html(let page): return Array(page.utf8)
    case .empty: return []
    case .contentType, .gzip, .contentLengthOff: return bytes
    }
  }

  private func edited(
    _ response: Response, by edit: (inout JSONDraft) throws(JSONEditError) -> Void
  ) throws(Failure) -> [UInt8] {
    guard case .json(let body) = response.body else {
      throw Failure(
        message: "found a case without a JSON \"body\", expected one to edit",
        fix: "use \"like\" with a case whose response is a \"body\"")
    }
    do throws(JSONEditError) {
      var draft = JSONDraft(of: body)
      try edit(&draft)
      return draft.bytes
    } catch {
      throw Failure(
        message: "\"\(error.pointer)\" cannot be edited: \(error.message)",
        fix: "name a value that is in the body")
    }
  }
}

extension Failure {
  fileprivate static func beyond(_ offset: Int, _ count: Int) -> Failure {
    Failure(
      message: "found byte \(offset), expected one inside the body of \(count) bytes",
      fix: count > 0
        ? "choose an offset from 0 to \(count - 1)"
        : "use \"like\" with a case that has a body")
  }
}

extension [UInt8] {
  fileprivate func inserting(_ added: [UInt8], at offset: Int) throws(Failure) -> [UInt8] {
    guard offset <= count else { throw .beyond(offset, count) }
    return self[..<offset] + added + self[offset...]
  }
}
