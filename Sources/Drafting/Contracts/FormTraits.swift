import UnderstudyContractModel
import UnderstudyCore
import UnderstudySecrets

/// The fields of a form that a request sent, each a possible condition.
struct FormTraits {
  /// How many fields become conditions; more than these hardly tell requests apart.
  private static let fieldCountMax = 100

  /// `form.name`, and `multipart.photo` for a form in several parts.
  private(set) var traits: [(key: String, trait: RecordedTrait)] = []
  /// Why a field has no condition on its value, in words.
  private(set) var exclusion: String?

  private let mask: SecretMask

  /// `nil` for a body that is not a form.
  init?(of exchange: RecordedExchange, _ mask: SecretMask) {
    self.mask = mask
    switch exchange.form {
    case nil: return nil
    case .otherParts: exclude("its body has a different boundary each time")
    case .fields:
      if let text = String(validating: exchange.body, as: UTF8.self) {
        addFields(PercentEncoding.parameters(of: text))
      } else {
        exclude("its body is not text")
      }
    case .parts: addParts(BodyPart.all(in: exchange.body))
    }
  }

  /// Whether the key of a trait is about the body.
  static func isKey(_ key: String) -> Bool {
    key == RecordedTraits.bodyKey || key.hasPrefix("form.") || key.hasPrefix("multipart.")
  }

  private mutating func exclude(_ reason: String) {
    if exclusion == nil { exclusion = reason }
  }

  private mutating func addFields(_ fields: [(name: String, values: [String])]) {
    guard fields.count <= Self.fieldCountMax else {
      return exclude("its form has more than \(Self.fieldCountMax) fields")
    }
    for (name, values) in fields {
      guard Self.isUsable(name) else {
        exclude("its form has a field that no condition can name")
        continue
      }
      let isPlain = values.allSatisfy { text(Array($0.utf8), of: name) != nil }
      traits.append(("form.\(name)", isPlain ? .values(values) : .present))
    }
  }

  private mutating func addParts(_ parts: [BodyPart]) {
    guard !parts.isEmpty else { return exclude("its parts cannot be read") }
    guard parts.count <= Self.fieldCountMax else {
      return exclude("its form has more than \(Self.fieldCountMax) parts")
    }
    for part in parts {
      guard let name = part.name, Self.isUsable(name) else {
        exclude("its form has a part that no condition can name")
        continue
      }
      let key = "multipart.\(name)"
      guard !traits.contains(where: { $0.key == key }) else {
        exclude("its form has several parts of one name")
        continue
      }
      traits.append((key, trait(of: part, named: name)))
    }
  }

  private mutating func trait(of part: BodyPart, named name: String) -> RecordedTrait {
    let text = text(part.body.bytes, of: name)
    guard let filename = part.filename else { return text.map { .values([$0]) } ?? .present }
    guard self.text(Array(filename.utf8), of: name) != nil else { return .present }
    // Browsers save no files in a HAR.
    return .file(name: filename, text: text.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The text, unless no condition may have it.
  private mutating func text(_ bytes: [UInt8], of name: String) -> String? {
    guard bytes.count <= RecordedTraits.conditionBytesMax else {
      exclude("its body has more than \(RecordedTraits.conditionBytesMax) bytes")
      return nil
    }
    // Tools that save text put U+FFFD in place of other bytes.
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\u{FFFD}") else {
      exclude("its body is not text")
      return nil
    }
    guard !SecretNames.standard.hides(name, text, in: .parameter), mask.masked(text) == text else {
      exclude("its body contains a secret")
      return nil
    }
    return text
  }

  /// `*` stands for all other fields.
  private static func isUsable(_ name: String) -> Bool { !name.isEmpty && name != "*" }
}
