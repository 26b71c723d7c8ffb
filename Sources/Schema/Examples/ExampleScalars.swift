import UnderstudyCore
import UnderstudyJSON

/// Numbers within what a schema asks, the plainest first.
struct ExampleNumber {
  private let isWhole: Bool
  private let least: [JSONNumber]
  private let above: [JSONNumber]
  private let most: [JSONNumber]
  private let below: [JSONNumber]
  private let divisors: [JSONNumber]

  init(_ schema: FlatSchema, isWhole: Bool) {
    self.isWhole = isWhole
    func bounds(_ key: String) -> [JSONNumber] { schema.values(of: key).compactMap(\.number) }
    least = bounds("minimum")
    above = bounds("exclusiveMinimum")
    most = bounds("maximum")
    below = bounds("exclusiveMaximum")
    divisors = bounds("multipleOf")
  }

  func value(_ number: Int) -> JSONText? {
    var skipped = number
    var seen: [JSONNumber] = []
    for candidate in candidates
    where allows(candidate) && !seen.contains(where: { $0 == candidate }) {
      if skipped == 0 { return .number(candidate) }
      skipped -= 1
      seen.append(candidate)
    }
    return seen.last.map { .number($0) }
  }

  private var candidates: [JSONNumber] {
    var texts = isWhole ? [] : ["1.5"]
    texts += (1...20).map(String.init)
    for bound in least + above + most + below {
      texts.append(bound.text)
      guard let double = bound.double.isFinite ? bound.double : nil, abs(double) < 1e15 else {
        continue
      }
      let whole = Int(clamping: double.rounded(.down))
      texts += (-2...20).map { String(whole + $0) }
      if !isWhole {
        texts += [0.5, 0.1, 0.01, 0.001, -0.001, -0.01, -0.1, -0.5].map { "\(double + $0)" }
      }
      for divisor in divisors where divisor.double > 0 {
        let steps = (double / divisor.double).rounded(.down)
        for step in [steps, steps + 1, steps - 1] where abs(step) < 1e15 {
          if let size = divisor.int {
            let (product, overflow) = Int(clamping: step).multipliedReportingOverflow(by: size)
            if !overflow { texts.append(String(product)) }
          } else {
            texts.append("\(step * divisor.double)")
          }
        }
      }
    }
    for divisor in divisors { texts.append(divisor.text) }
    texts += ["0", "-1"]
    return texts.compactMap { JSONNumber($0) }
  }

  private func allows(_ number: JSONNumber) -> Bool {
    (!isWhole || number.isInteger) && !least.contains { number < $0 }
      && above.allSatisfy { $0 < number }
      && !most.contains { $0 < number } && below.allSatisfy { number < $0 }
      && divisors.allSatisfy { number.isMultiple(of: $0) }
  }
}

/// Texts within what a schema asks.
struct ExampleText {
  private let formats: [String]
  private let dates: [DateCondition]
  private let patterns: [String]
  private let lengthMin: Int
  private let lengthMax: Int
  private let name: String

  init(_ schema: FlatSchema, name: String) {
    formats = schema.values(of: "format").compactMap(\.string)
    dates = schema.values(of: Keyword.date.rawValue).compactMap {
      DateCondition(reading: $0) { _, _ in }
    }
    patterns = schema.values(of: "pattern").compactMap(\.string)
    lengthMin = max(0, schema.values(of: "minLength").compactMap(\.int).max() ?? 0)
    lengthMax = schema.values(of: "maxLength").compactMap(\.int).min() ?? .max
    self.name = name.isEmpty ? "text" : name
  }

  private static let lengthCeiling = 100_000

  func value(_ number: Int) -> JSONText? {
    guard lengthMin <= lengthMax, lengthMin <= Self.lengthCeiling else { return nil }
    if let text = dates.lazy.compactMap({ $0.example(at: .now) }).first(where: suits) {
      return .string(text)
    }
    if let text = formats.lazy.compactMap({ Self.example(of: $0, number) }).first(where: suits) {
      return .string(text)
    }
    for pattern in patterns {
      if let text = (try? Pattern(pattern))?.example(lengths: lengthMin...lengthMax, number: number)
      {
        return .string(text)
      }
    }
    guard patterns.isEmpty else { return nil }
    var text = number == 0 ? name : "\(name)-\(number + 1)"
    while text.unicodeScalars.count < lengthMin { text += "-\(text)" }
    if text.unicodeScalars.count > lengthMax {
      text = String(String.UnicodeScalarView(text.unicodeScalars.suffix(lengthMax)))
    }
    return .string(text)
  }

  private func suits(_ text: String) -> Bool {
    lengthMin...lengthMax ~= text.unicodeScalars.count
      && patterns.allSatisfy { (try? Pattern($0))?.matches(text) ?? true }
  }

  /// One of each format that is checked, and of those that OpenAPI names.
  private static func example(of format: String, _ number: Int) -> String? {
    let digit = number % 9 + 1
    return switch format {
    case "date-time": "2026-01-0\(digit)T12:00:00Z"
    case "date": "2026-01-0\(digit)"
    case "time": "12:00:0\(digit)Z"
    case "duration": "P\(digit)D"
    case "uri", "url", "iri": "https://example.com/\(digit)"
    case "uri-reference", "iri-reference": "/\(digit)"
    case "email", "idn-email": "user-\(digit)@example.com"
    case "hostname", "idn-hostname": number == 0 ? "example.com" : "host-\(digit).example.com"
    case "ipv4": "192.0.2.\(digit)"
    case "ipv6": "2001:db8::\(digit)"
    case "uuid": "00000000-0000-4000-8000-00000000000\(digit)"
    case "regex": "^[a-z]+$"
    case "json-pointer": "/\(digit)"
    case "byte": "ZXhhbXBsZQ=="
    case "password": "invented"
    default: nil
    }
  }
}
