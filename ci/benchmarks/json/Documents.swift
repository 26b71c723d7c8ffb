/// Documents of at least 5 MB, the same bytes on every machine.
enum Documents {
  static let bytesMin = 5_000_000

  static let all: [(name: String, make: @Sendable () -> String)] = [
    ("strings", strings), ("numbers", numbers), ("structs", structs),
  ]

  /// Texts of 3 to 60 words: one in ten in another script, one in twelve with escapes.
  private static func strings() -> String {
    var random = Random(seed: 1)
    return array { _ in
      let members = ["title", "body", "author", "comment"].map { key in
        "\"\(key)\": \"\(sentence(words: 3 + random.below(key == "body" ? 58 : 8), &random))\""
      }
      return "{\(members.joined(separator: ", "))}"
    }
  }

  /// Polygons of coordinates with counts between them, as in maps and time series.
  private static func numbers() -> String {
    var random = Random(seed: 2)
    return array { i in
      let points = (0..<10).map { _ in
        "[\(decimal(180, &random)), \(decimal(90, &random)), \(random.below(10_000))]"
      }
      return
        "[\(i), \(random.below(100))e-\(1 + random.below(9)), \(points.joined(separator: ", "))]"
    }
  }

  /// A typical API list, decoded as `Repository`.
  private static func structs() -> String {
    var random = Random(seed: 3)
    return array { i in
      let homepage = random.below(3) == 0 ? "null" : "\"https://example.org/\(i)\""
      let language = random.below(4) == 0 ? "" : "\n    \"language\": \"\(word(&random))\","
      let topics = (0..<random.below(5)).map { _ in "\"\(word(&random))\"" }
      return """
        {
            "id": \(100_000 + i * 7),
            "name": "\(word(&random))-\(word(&random))",
            "full_name": "\(word(&random))/\(word(&random))-\(word(&random))",
            "private": \(random.below(2) == 0),
            "description": "\(sentence(words: 4 + random.below(12), &random))",
            "homepage": \(homepage),\(language)
            "stars": \(random.below(100_000)),
            "score": \(decimal(100, &random)),
            "owner": {"login": "\(word(&random))", "id": \(random.below(1_000_000))},
            "topics": [\(topics.joined(separator: ", "))]
          }
        """
    }
  }

  private static func array(_ element: (Int) -> String) -> String {
    var text = "[\n  "
    var i = 0
    while text.utf8.count < bytesMin {
      if i > 0 { text += ",\n  " }
      text += element(i)
      i += 1
    }
    return text + "\n]\n"
  }

  private static func decimal(_ bound: Int, _ random: inout Random) -> String {
    let sign = random.below(2) == 0 ? "-" : ""
    let fraction = String(1_000_000 + random.below(1_000_000)).dropFirst()
    return "\(sign)\(random.below(bound)).\(fraction)"
  }

  private static func word(_ random: inout Random) -> String {
    let words = [
      "swift", "contract", "a", "server", "upstream", "of", "timeout", "nightly", "drift", "the",
      "understudy", "in", "response", "json", "header", "validation", "to", "is",
    ]
    return words[random.below(words.count)]
  }

  private static func sentence(words: Int, _ random: inout Random) -> String {
    let others = ["Übergrößenträger", "naïve café", "合约测试", "проверка", "🎭 🎬"]
    let escapes = ["\\\"quoted\\\"", "line\\nbreak", "C:\\\\path", "\\u00e9t\\u00e9", "a\\/b"]
    let isOther = random.below(10) == 0
    let isEscaped = random.below(12) == 0
    return (0..<words).map { _ in
      if isOther, random.below(2) == 0 { return others[random.below(others.count)] }
      if isEscaped, random.below(4) == 0 { return escapes[random.below(escapes.count)] }
      return word(&random)
    }.joined(separator: " ")
  }
}

/// A linear congruential generator: its output depends only on the seed.
struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
