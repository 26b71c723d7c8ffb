import UnderstudyCore
import UnderstudyJSON

/// A parameter without a value to send.
package struct MissingExample: Error {
  package let key: String
}

extension Contract {
  /// The live request of a case: the contract's examples, replaced by the values of the case's
  /// `live` and `when`.
  ///
  /// - Parameter overrides: values that replace all of these, by keys such as `path.org`.
  package func exampleRequest(
    for played: Case, replacing overrides: [String: String] = [:]
  ) throws(MissingExample) -> Request {
    var values: [String: [String]] = [:]
    for condition in request.parameters + (played.when?.request ?? []) {
      if let value = condition.example ?? condition.test.example {
        values[condition.key] = value
      } else if case .absent = condition.test {
        values[condition.key] = nil
      } else if condition.part != .path, !condition.isOptional, values[condition.key] == nil,
        overrides[condition.key] == nil,
        played.live?.parameters.contains(where: { $0.key == condition.key }) != true
      {
        throw MissingExample(key: condition.key)
      }
    }
    for parameter in played.live?.parameters ?? [] { values[parameter.key] = [parameter.value] }
    for (key, value) in overrides { values[key] = [value] }
    let path = try examplePath(values)
    let query = values.keys.filter { $0.hasPrefix("query.") }.sorted().flatMap { key in
      let name = PercentEncoding.encode(String(key.dropFirst(6)))
      return (values[key] ?? []).map { "\(name)=\(PercentEncoding.encode($0))" }
    }
    let headers = values.keys.filter { $0.hasPrefix("header.") }.sorted().map { key in
      HeaderField(name: String(key.dropFirst(7)), value: values[key]?.first ?? "")
    }
    let body = played.when?.body?.exampleBytes ?? request.body?.exampleBytes ?? []
    return Request(
      request.method, query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))",
      headers: headers, body: body)
  }

  private func examplePath(_ values: [String: [String]]) throws(MissingExample) -> String {
    var path = ""
    for segment in request.paths.first?.segments ?? [] {
      switch segment {
      case .literal(let text): path += "/\(PercentEncoding.encode(text))"
      case .parameter(let name):
        guard let value = values["path.\(name)"]?.first else {
          throw MissingExample(key: "path.\(name)")
        }
        path += "/\(PercentEncoding.encode(value))"
      }
    }
    return path.isEmpty ? "/" : path
  }
}

extension Condition.Test {
  /// A value that meets the condition, if the condition names one.
  fileprivate var example: [String]? {
    switch self {
    case .equals(let value): [value]
    case .values(let values): values
    case .oneOf(let values): Array(values.prefix(1))
    default: nil
    }
  }
}

extension BodyCondition {
  fileprivate var exampleBytes: [UInt8]? {
    if let example { return example.compact }
    for test in tests {
      switch test {
      case .equals(let value), .contains(let value): return value.compact
      case .text(let text): return Array(text.utf8)
      case .schema, .matches: continue
      }
    }
    return nil
  }
}
