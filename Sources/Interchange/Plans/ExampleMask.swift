import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySecrets

extension ContractDraft {
  /// Masks what lint would take for a secret in examples: in responses, and in the values that
  /// requests are sent with. Conditions stay, since a masked one would match other requests.
  /// Returns the places.
  mutating func maskSecrets() -> [String] {
    var places: [String] = []
    for index in files.indices {
      guard SecretMask.looksSecret(files[index].bytes),
        let text = String(validating: files[index].bytes, as: UTF8.self)
      else { continue }
      files[index].bytes = Array(SecretMask.standard.masked(text).utf8)
      places.append(files[index].path)
    }
    var mask = ExampleMask()
    if let request = self["request"] { self["request"] = mask.masked(request, ["request"]) }
    for index in cases.indices {
      for (key, value) in cases[index].members.all where !ExampleMask.conditions.contains(key) {
        cases[index].members[key] = mask.masked(value, ["cases", cases[index].name, key])
      }
    }
    return mask.places + places
  }
}

/// Masks secrets in the examples of a contract.
private struct ExampleMask {
  static let conditions: Set = ["when", "then"]
  private static let examples: Set = ["example", "examples"]

  private(set) var places: [String] = []

  /// Masks a member of the contract; `path` leads to it.
  mutating func masked(_ text: JSONText, _ path: [String]) -> JSONText {
    let count = places.count
    let masked = text.root.map { self.masked($0, path) } ?? text
    return places.count == count ? text : masked
  }

  private mutating func masked(_ value: JSONValue, _ path: [String]) -> JSONText {
    switch value.kind {
    case .object:
      .object(
        value.members.map { member in
          (masked(member.key, path), masked(member.value, path + [member.key]))
        })
    case .array:
      .array(value.elements.enumerated().map { masked($1, path + [String($0)]) })
    case .string: .string(masked(value.string ?? "", path))
    default: .value(value)
    }
  }

  private mutating func masked(_ text: String, _ path: [String]) -> String {
    guard isExample(path) else { return text }
    let header = path.dropFirst(2).first == "headers" ? path.dropFirst(3).first : nil
    let masked: String
    if let header, SecretScan.isSecret(header: header, text) {
      masked = Self.invented(text, for: header)
    } else if SecretMask.looksSecret(Array(text.utf8)) {
      masked = SecretMask.standard.masked(text)
    } else {
      return text
    }
    places.append("\(JSONPointer(path))")
    return masked
  }

  private func isExample(_ path: [String]) -> Bool {
    path.first == "cases" || !Self.examples.isDisjoint(with: path)
  }

  /// A value that nobody takes for a real one; a cookie keeps its name and attributes.
  private static func invented(_ text: String, for header: String) -> String {
    guard let start = text.firstIndex(of: "="), header.lowercased().hasSuffix("cookie") else {
      return "invented"
    }
    return text[...start] + "invented" + text[start...].drop { $0 != ";" }
  }
}
