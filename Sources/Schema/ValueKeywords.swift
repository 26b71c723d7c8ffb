import UnderstudyJSON

/// `enum` and `const`: the values that are allowed.
struct ValueKeywords: Sendable {
  let constant: JSONValue?
  let choices: Choices?
  let isEmpty: Bool

  /// The values of an `enum`; many are found by their hash.
  struct Choices: Sendable {
    let values: [JSONValue]
    private let index: Set<CanonicalValue>
    /// Of those that are strings.
    private var texts = NameTable()
    private static let scanCountMax = 8

    init(_ values: [JSONValue]) {
      self.values = values
      index =
        values.count > Self.scanCountMax ? Set(values.lazy.map(CanonicalValue.init)) : []
      for value in values { if let text = value.string { texts.insert(text) } }
    }

    func contains(text: JSONCursor) -> Bool {
      var next = 0
      return texts.number(of: text, next: &next) != nil
    }

    func contains(_ value: JSONValue) -> Bool {
      index.isEmpty
        ? values.contains { $0.isEqual(to: value) } : index.contains(CanonicalValue(value))
    }
  }

  init(_ reader: KeywordReader) {
    constant = reader.value(.const)
    if let list = reader.value(.enum) {
      if list.kind != .array { reader.noteMismatch(list, .enum, expected: "array") }
      choices = Choices(Array(list.elements))
    } else {
      choices = nil
    }
    isEmpty = constant == nil && choices == nil
  }
}

extension Evaluation {
  mutating func checkValue(
    of node: SchemaNode, _ instance: JSONCursor
  ) -> Bool {
    if let constant = node.values.constant, !constant.isEqual(to: value(at: instance)) {
      fail(
        .const, of: node, instance, found: \.briefSummary, expected: constant.briefSummary)
      return false
    }
    if let choices = node.values.choices {
      let isText = JSONKinds.string.contains(instance.kinds)
      if isText ? choices.contains(text: instance) : choices.contains(value(at: instance)) {
        return true
      }
      fail(
        .enum, of: node, instance, found: \.briefSummary, expected: choices.expectation,
        fix: choices.suggestion)
      return false
    }
    return true
  }
}

extension ValueKeywords.Choices {
  private static let shownMax = 10

  fileprivate var expectation: String {
    let shown = values.prefix(Self.shownMax).map(\.briefSummary).joined(separator: ", ")
    switch values.count {
    case 0: return "nothing, since \"enum\" is empty"
    case 1: return shown
    case ...Self.shownMax: return "one of \(shown)"
    default: return "one of \(shown) and \(values.count - Self.shownMax) more"
    }
  }

  fileprivate func suggestion(for instance: JSONValue) -> String? {
    instance.string.flatMap { text in
      Evaluation.suggestion(for: text, among: values.lazy.compactMap(\.string))
    }
  }
}

extension JSONValue {
  /// The summary without the kind where the text itself tells it: `"abc"`, `12`.
  var briefSummary: String {
    switch kind {
    case .string, .number: String(summary.drop { $0 != " " }.dropFirst())
    default: summary
    }
  }
}
