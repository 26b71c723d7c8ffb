import UnderstudyCore
import UnderstudyJSON

/// A parameter without a value to send.
package struct MissingExample: Error {
  package let key: String
}

extension Contract {
  /// The live request of a case, by the contract's request.
  ///
  /// - Parameter secrets: the names of headers that are sent with secrets, which take the place of
  ///   the contract's examples, but not of a value that the case gives.
  package func exampleRequest(
    for served: Case, replacing overrides: [String: String] = [:], besides secrets: [String] = []
  ) throws(MissingExample) -> Request {
    try request.example(for: served, replacing: overrides, besides: secrets)
  }
}

extension RequestPattern {
  /// The live request of a case: the contract's examples, replaced by the values of the case's
  /// `live` and `when`.
  ///
  /// - Parameter overrides: values that replace all of these, by keys such as `path.org`.
  func example(
    for served: Case, replacing overrides: [String: String] = [:], besides secrets: [String] = []
  ) throws(MissingExample) -> Request {
    let values = try exampleValues(for: served, replacing: overrides, besides: secrets)
    let path = try examplePath(values)
    let query = values.named(.query).flatMap { name, texts in
      let name = PercentEncoding.encode(name)
      return texts.map { "\(name)=\(PercentEncoding.encode($0))" }
    }
    let headers = values.named(.header).compactMap { name, texts in
      texts.first.map { HeaderField(name: name, value: $0) }
    }
    return Request(
      method: method, path: path, query: query.isEmpty ? nil : query.joined(separator: "&"),
      headers: headers, body: exampleBody(for: served))
  }

  fileprivate func exampleBody(for served: Case) -> [UInt8] {
    served.when?.body?.exampleBytes ?? body?.exampleBytes ?? []
  }

  /// What the live request of a case has for each parameter.
  ///
  /// - Parameters:
  ///   - secrets: the names of headers that need no value.
  ///   - keepsExamples: whether these headers have the contract's examples all the same.
  fileprivate func exampleValues(
    for served: Case, replacing overrides: [String: String] = [:], besides secrets: [String] = [],
    keepsExamples: Bool = false
  ) throws(MissingExample) -> ExampleValues {
    var values = ExampleValues()
    let secretKeys = Set(secrets.map { "header.\($0.lowercased())" })
    func isSecret(_ condition: Condition) -> Bool { secretKeys.contains(condition.lookupKey) }
    let own =
      secretKeys.isEmpty || keepsExamples
      ? parameters : parameters.filter { $0.test.example != nil || !isSecret($0) }
    for condition in served.when.map({ own + $0.request }) ?? own {
      if let value = condition.example ?? condition.test.example {
        values.set(condition.key, to: value)
      } else if case .absent = condition.test {
        values.set(condition.key, to: nil)
      } else if case .noOthers = condition.test {
        continue
      } else if condition.part != .path, !condition.isOptional, values[condition.key] == nil,
        !isSecret(condition), overrides[condition.key] == nil,
        served.live?.parameters.contains(where: { $0.key == condition.key }) != true
      {
        throw MissingExample(key: condition.key)
      }
    }
    for parameter in served.live?.parameters ?? [] {
      values.set(parameter.key, to: [parameter.value])
    }
    for (key, value) in overrides { values.set(key, to: [value]) }
    return values
  }

  private func examplePath(_ values: ExampleValues) throws(MissingExample) -> String {
    var path = ""
    guard let template = paths.first else { return "/" }
    for segment in template.segments {
      switch segment {
      case .literal(let text): path += "/" + PercentEncoding.encode(text)
      case .parameter(let name):
        path += "/" + PercentEncoding.encode(try values.inPath(name, of: template))
      }
    }
    if let tail = template.tail, case let value = try values.inPath(tail, of: template),
      !value.isEmpty
    {
      path +=
        "/"
        + value.split(separator: "/", omittingEmptySubsequences: false)
        .map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
    }
    return path.isEmpty ? "/" : path
  }
}

/// The live request of a case, to be compared with conditions: it is not made into text first.
final class ExampleRequest: RequestFields {
  /// What tells two of one contract apart.
  struct Facts: Hashable {
    let path: [ExactText]
    let query: [[ExactText]]
    let headers: [[ExactText]]
    let body: [UInt8]
  }

  let body: RequestBody
  let now = Moment.now
  private let values: ExampleValues
  /// The values of the first path's parameters.
  let path: [ExactText]

  /// - Parameter secrets: the names of headers that need no value.
  init(
    of served: Case, in pattern: RequestPattern, besides secrets: [String] = []
  ) throws(MissingExample) {
    values = try pattern.exampleValues(for: served, besides: secrets, keepsExamples: true)
    body = RequestBody(pattern.exampleBody(for: served), at: now)
    var path: [ExactText] = []
    if let template = pattern.paths.first {
      for name in template.parameterNames {
        path.append(ExactText(try values.inPath(name, of: template)))
      }
    }
    self.path = path
  }

  var facts: Facts {
    func texts(_ part: Condition.Part) -> [[ExactText]] {
      values.named(part).map { name, texts in ([name] + texts).map(ExactText.init) }
    }
    return Facts(path: path, query: texts(.query), headers: texts(.header), body: body.bytes)
  }

  func queryValues(_ name: String) -> [String] { values["query." + name] ?? [] }

  var queryNames: [String] { values.named(.query).map(\.name) }

  func headerValues(_ name: String) -> [String] { values.headers(name) }

  func pathValue(_ name: String, in template: PathTemplate) -> String? {
    template.has(name) ? try? values.inPath(name, of: template) : nil
  }
}

/// Values of parameters by keys such as `path.org`. A few are compared one by one.
private struct ExampleValues {
  private static let scanCountMax = 16

  private var entries: [(key: String, texts: [String]?)] = []
  private var places: [String: Int] = [:]
  /// The places of headers by their names in lower case, which several may share.
  private var headerPlaces: [String: [Int]] = [:]

  subscript(_ key: String) -> [String]? { place(of: key).flatMap { entries[$0].texts } }

  mutating func set(_ key: String, to texts: [String]?) {
    if let place = place(of: key) {
      entries[place].texts = texts
      return
    }
    if let name = Condition.Part.header.name(in: key) {
      headerPlaces[name.lowercased(), default: []].append(entries.count)
    }
    entries.append((key, texts))
    guard entries.count > Self.scanCountMax else { return }
    for place in places.count..<entries.count { places[entries[place].key] = place }
  }

  private func place(of key: String) -> Int? {
    entries.count <= Self.scanCountMax ? entries.firstIndex { $0.key == key } : places[key]
  }

  /// The value of a parameter of the path. A tail may be empty.
  func inPath(_ name: String, of template: PathTemplate) throws(MissingExample) -> String {
    let key = "path." + name
    if let value = self[key]?.first { return value }
    guard template.tail == name else { throw MissingExample(key: key) }
    return ""
  }

  /// The values of a header, whose name is in lower case.
  func headers(_ name: String) -> [String] {
    (headerPlaces[name] ?? []).compactMap { place in
      entries[place].texts.map { $0.first ?? "" }
    }
  }

  /// The values of one part of the request by their names, sorted.
  func named(_ part: Condition.Part) -> [(name: String, texts: [String])] {
    var found: [(name: String, texts: [String])] = []
    for case (let key, let texts?) in entries {
      guard let name = part.name(in: key) else { continue }
      found.append((name, texts))
    }
    return found.sorted { $0.name < $1.name }
  }
}

extension Condition.Test {
  /// A value that meets the condition, if the condition names one.
  fileprivate var example: [String]? {
    switch self {
    case .equals(let value): [value]
    case .values(let values): values
    case .oneOf(let values): Array(values.prefix(1))
    case .date(let date): date.example(at: .now).map { [$0] }
    default: nil
    }
  }
}

extension BodyCondition {
  fileprivate var exampleBytes: [UInt8]? {
    if let example { return example.compact }
    for test in tests {
      switch test {
      case .equals(let value, _), .contains(let value, _): return value.compact
      case .text(let text): return Array(text.utf8)
      case .date(let date): if let text = date.example(at: .now) { return Array(text.utf8) }
      case .bytes(let bytes): return bytes
      case .form(let conditions): return Array(Self.form(conditions).utf8)
      case .schema, .matches, .multipart, .not: continue
      }
    }
    return nil
  }

  /// A form with the examples of its fields.
  private static func form(_ conditions: [Condition]) -> String {
    conditions.flatMap { condition in
      (condition.example ?? condition.test.example ?? []).map {
        "\(PercentEncoding.encode(condition.name))=\(PercentEncoding.encode($0))"
      }
    }.joined(separator: "&")
  }
}
