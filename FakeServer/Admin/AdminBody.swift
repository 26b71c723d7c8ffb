import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// The JSON object in a request to the admin API.
struct AdminBody {
  let root: JSONValue

  /// Fails when the body is not a JSON object.
  init(_ request: Request) throws(Problem) {
    do throws(JSONError) {
      root = try JSONDocument(parsing: request.body).root
    } catch {
      throw .badBody(error)
    }
    guard root.kind == .object else { throw .unexpected(root, expected: "an object") }
  }

  subscript(_ key: String) -> JSONValue? { root[key] }

  func expectKeys(_ known: [String]) throws(Problem) {
    for member in root.members where !known.contains(member.key) {
      throw .badRequest(
        "unknown key \"\(member.key)\"",
        fix: Spelling.suggestion(for: member.key, among: known)
          ?? "the keys are \(known.joined(separator: ", "))", at: member.keyPosition)
    }
  }

  func string(_ key: String) throws(Problem) -> String {
    let value = try require(key)
    guard let text = value.string else { throw .unexpected(value, expected: "string") }
    return text
  }

  /// At least one string.
  func strings(_ key: String) throws(Problem) -> [String] {
    let value = try require(key)
    guard value.kind == .array, value.count > 0 else {
      throw .unexpected(value, expected: "an array of strings, at least one")
    }
    var texts: [String] = []
    for element in value.elements {
      guard let text = element.string else { throw .unexpected(element, expected: "string") }
      texts.append(text)
    }
    return texts
  }

  func object(_ key: String) throws(Problem) -> JSONValue {
    let value = try require(key)
    guard value.kind == .object else { throw .unexpected(value, expected: "an object") }
    return value
  }

  private func require(_ key: String) throws(Problem) -> JSONValue {
    guard let value = root[key] else {
      throw .badRequest("no \"\(key)\"", fix: "add \"\(key)\"", at: root.position)
    }
    return value
  }
}
