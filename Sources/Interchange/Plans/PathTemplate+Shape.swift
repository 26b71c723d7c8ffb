import UnderstudyContractModel

extension PathTemplate {
  /// Equal for two templates that differ in the names of their parameters.
  var shape: [String] {
    segments.map { segment in
      if case .literal(let text) = segment { "/\(text)" } else { "{}" }
    } + (tail == nil ? [] : ["{...}"])
  }
}
