import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySecrets

extension UpstreamPlan.Made {
  /// Masks what lint would take for a secret in examples: what cases respond, and what requests are sent
  /// with. Conditions stay, since others would match. Returns the places.
  mutating func maskSecrets() -> [String] {
    var places: [String] = []
    for index in files.indices {
      guard SecretMask.looksSecret(files[index].bytes),
        let text = String(validating: files[index].bytes, as: UTF8.self)
      else { continue }
      files[index].bytes = Array(SecretMask.standard.masked(text).utf8)
      places.append(files[index].path)
    }
    guard let document = try? JSONDocument(parsing: bytes) else { return places }
    var mask = ExampleMask()
    let masked = mask.masked(document.root, [])
    guard !mask.places.isEmpty else { return places }
    bytes = masked.fileBytes
    return mask.places + places
  }
}

/// Masks secrets in the examples of a contract.
private struct ExampleMask {
  private static let conditions: Set = ["when", "then"]
  private static let examples: Set = ["example", "examples"]

  private(set) var places: [String] = []

  mutating func masked(_ value: JSONValue, _ path: [String]) -> JSONText {
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
    switch path.first {
    case "cases": path.count > 2 && !Self.conditions.contains(path[2])
    case "request": !Self.examples.isDisjoint(with: path)
    default: false
    }
  }

  /// A value that nobody takes for a real one; a cookie keeps its name and attributes.
  private static func invented(_ text: String, for header: String) -> String {
    guard let start = text.firstIndex(of: "="), header.lowercased().hasSuffix("cookie") else {
      return "invented"
    }
    return text[...start] + "invented" + text[start...].drop { $0 != ";" }
  }
}
