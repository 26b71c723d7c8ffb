import UnderstudyCore
import UnderstudyJSON

/// A parameter without a value to send.
package struct MissingExample: Error {
  package let key: String
}

extension Contract {
  /// The live request of a case, by the contract's request.
  package func exampleRequest(
    for played: Case, replacing overrides: [String: String] = [:]
  ) throws(MissingExample) -> Request {
    try request.example(for: played, replacing: overrides)
  }
}

extension RequestPattern {
  /// The live request of a case: the contract's examples, replaced by the values of the case's
  /// `live` and `when`.
  ///
  /// - Parameter overrides: values that replace all of these, by keys such as `path.org`.
  func example(
    for played: Case, replacing overrides: [String: String] = [:]
  ) throws(MissingExample) -> Request {
    var values = ExampleValues()
    for condition in played.when.map({ parameters + $0.request }) ?? parameters {
      if let value = condition.example ?? condition.test.example {
        values.set(condition.key, to: value)
      } else if case .absent = condition.test {
        values.set(condition.key, to: nil)
      } else if condition.part != .path, !condition.isOptional, values[condition.key] == nil,
        overrides[condition.key] == nil,
        played.live?.parameters.contains(where: { $0.key == condition.key }) != true
      {
        throw MissingExample(key: condition.key)
      }
    }
    for parameter in played.live?.parameters ?? [] {
      values.set(parameter.key, to: [parameter.value])
    }
    for (key, value) in overrides { values.set(key, to: [value]) }
    let path = try examplePath(values)
    let query = values.named("query.").flatMap { name, texts in
      let name = PercentEncoding.encode(name)
      return texts.map { "\(name)=\(PercentEncoding.encode($0))" }
    }
    let headers = values.named("header.").map { name, texts in
      HeaderField(name: name, value: texts.first ?? "")
    }
    return Request(
      method: method, path: path, query: query.isEmpty ? nil : query.joined(separator: "&"),
      headers: headers, body: played.when?.body?.exampleBytes ?? body?.exampleBytes ?? [])
  }

  private func examplePath(_ values: ExampleValues) throws(MissingExample) -> String {
    var path = ""
    for segment in paths.first?.segments ?? [] {
      switch segment {
      case .literal(let text): path += "/" + PercentEncoding.encode(text)
      case .parameter(let name):
        let key = "path." + name
        guard let value = values[key]?.first else { throw MissingExample(key: key) }
        path += "/" + PercentEncoding.encode(value)
      }
    }
    return path.isEmpty ? "/" : path
  }
}

/// Values of parameters by keys such as `path.org`. A few are compared one by one.
private struct ExampleValues {
  private static let scanCountMax = 16

  private var entries: [(key: String, texts: [String]?)] = []
  private var places: [String: Int] = [:]

  subscript(_ key: String) -> [String]? { place(of: key).flatMap { entries[$0].texts } }

  mutating func set(_ key: String, to texts: [String]?) {
    if let place = place(of: key) {
      entries[place].texts = texts
      return
    }
    entries.append((key, texts))
    guard entries.count > Self.scanCountMax else { return }
    for place in places.count..<entries.count { places[entries[place].key] = place }
  }

  private func place(of key: String) -> Int? {
    entries.count <= Self.scanCountMax ? entries.firstIndex { $0.key == key } : places[key]
  }

  /// Those of one part of the request, sorted, by their names.
  func named(_ prefix: String) -> [(name: String, texts: [String])] {
    let found = entries.filter { $0.texts != nil && $0.key.hasPrefix(prefix) }
    if found.isEmpty { return [] }
    return found.sorted { $0.key < $1.key }.map {
      (String($0.key.dropFirst(prefix.count)), $0.texts ?? [])
    }
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
