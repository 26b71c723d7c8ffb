internal import UnderstudyJSON

/// Inputs that differ from one by a single small change, for transcripts.
package enum NearInputs {
  /// Of a text: each end of it, and each place without its character or with another.
  package static func ofText(_ text: String) -> [String] {
    let characters = Array(text)
    var near: [String] = []
    for place in characters.indices {
      let (before, after) = (String(characters[..<place]), String(characters[(place + 1)...]))
      near += [before, before + after]
      for other in "x0 \"/" where other != characters[place] {
        near.append("\(before)\(other)\(after)")
      }
    }
    return near
  }

  /// Of a JSON text: each part of it missing, there twice, of another kind, or another by a little.
  /// None of what is not JSON.
  package static func ofJSON(_ text: String) -> [String] {
    guard let root = try? JSONDocument(parsing: Array(text.utf8)).root else { return [] }
    return near(root)
  }

  /// Of the members of an object, without its braces.
  package static func ofMembers(_ text: String) -> [String] {
    ofJSON("{\(text)}").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
  }

  /// Only so many of them, for tables of many lines, or of slow ones.
  package static func few(
    _ count: Int, _ near: @escaping (String) -> [String]
  ) -> (String) -> [String] {
    { Transcript.spread(near($0), count) }
  }

  private static func near(_ value: JSONValue) -> [String] {
    let own = compact(value)
    var others = ["null", "true", "0", "1.5", "\"\"", "\"x\"", "[]", "{}"].filter { $0 != own }
    switch value.kind {
    case .array:
      let elements = value.elements.map(compact)
      for (index, element) in value.elements.enumerated() {
        let (before, after) = (elements[..<index], elements[(index + 1)...])
        others += [before + after, before + [compact(element), compact(element)] + after].map(array)
        others += near(element).map { array(before + [$0] + after) }
      }
    case .object:
      let members = value.members.map { ($0.key.quoted, compact($0.value)) }
      for (index, member) in value.members.enumerated() {
        let (before, after) = (members[..<index], members[(index + 1)...])
        let (key, text) = members[index]
        let renamed = ["\(member.key)x".quoted, String(member.key.dropLast()).quoted]
        others += [before + after, before + [(key, text), (key, text)] + after].map(object)
        others += renamed.map { object(before + [($0, text)] + after) }
        others += near(member.value).map { object(before + [(key, $0)] + after) }
      }
    case .string:
      let text = value.string ?? ""
      others += ["\(text)x", String(text.dropLast()), String(text.dropFirst()), "\(text)/\(text)"]
        .map(\.quoted)
    case .number:
      if let int = value.int { others += ["\(int &+ 1)", "\(int &- 1)", "-\(own)"] }
    default: break
    }
    return others
  }

  private static func compact(_ value: JSONValue) -> String {
    String(decoding: value.compact, as: UTF8.self)
  }

  private static func array(_ elements: [String]) -> String {
    "[\(elements.joined(separator: ","))]"
  }

  private static func array(_ elements: ArraySlice<String>) -> String { array(Array(elements)) }

  private static func object(_ members: ArraySlice<(String, String)>) -> String {
    "{\(members.map { "\($0.0):\($0.1)" }.joined(separator: ","))}"
  }
}

extension String {
  fileprivate var quoted: String {
    var writer = JSONWriter()
    writer.string(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
