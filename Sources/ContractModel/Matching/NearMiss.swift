import UnderstudyCore
package import UnderstudyJSON
import UnderstudySchema

/// A contract that nearly matches a request, and the differences.
package struct NearMiss: Sendable {
  package let contract: Contract
  /// Never empty.
  package let differences: [RequestDifference]

  /// What the contract responds: `GET /breed/{name}/images`.
  package var request: String { "\(contract.request.method) \(contract.request.path)".visible }

  /// Writes the members that machine-readable reports contain.
  package func write(to object: inout JSONWriter) {
    object.member("contract", contract.id)
    object.member("request", request)
    object.member("differences", differences.map(\.description))
  }

  /// How far the contract is from responding; lower is nearer.
  package var distance: Int { differences.reduce(0) { $0 + $1.weight } }
}

/// One thing that keeps a contract from responding to a request.
package enum RequestDifference: Hashable, Sendable {
  case method(found: String, expected: String)
  /// Segments are counted from one.
  case segment(Int, found: String, expected: String)
  case missingSegment(Int, expected: String)
  /// All surplus segments in one, with the first: there may be thousands.
  case extraSegments(ClosedRange<Int>, found: String)
  case parameter(key: String, found: String?, expected: String)
  case body(found: String, expected: String)
  /// What keeps a case of a contract without a default case from being served.
  indirect case ofCase(String, RequestDifference)
  case state(String, expected: String)
  case count(above: Int)
  case share(Double)

  /// Whether it is in the request's body.
  package var concernsBody: Bool {
    switch self {
    case .body: true
    case .parameter(let key, _, _): key.hasPrefix("body.")
    case .ofCase(_, let difference): difference.concernsBody
    default: false
    }
  }

  fileprivate var weight: Int {
    switch self {
    case .segment, .missingSegment: 4
    case .extraSegments(let numbers, _): 4 * numbers.count
    case .method: 3
    case .ofCase(_, let difference): difference.weight
    case .parameter, .body, .state, .count, .share: 1
    }
  }
}

extension RequestDifference: CustomStringConvertible {
  /// Quoted values are cut to a readable length: a client may send any amount.
  private static let foundCharactersMax = 200

  private static func cut(_ found: String) -> String {
    let start = found.prefix(foundCharactersMax)
    return start.endIndex == found.endIndex ? found : "\(start)…"
  }

  /// Programs print it as it is.
  package var description: String { words.visible }

  private var words: String {
    switch self {
    case .method(let found, let expected): "method: found \(Self.cut(found)), expected \(expected)"
    case .segment(let number, let found, let expected):
      "path segment \(number): found \"\(Self.cut(found))\", expected \"\(expected)\""
    case .missingSegment(let number, let expected):
      "path segment \(number): missing, expected \"\(expected)\""
    case .extraSegments(let numbers, let found) where numbers.count == 1:
      "path segment \(numbers.lowerBound): found \"\(Self.cut(found))\", expected the end of the path"
    case .extraSegments(let numbers, let found):
      "path segments \(numbers.lowerBound) to \(numbers.upperBound): found"
        + " \"\(Self.cut(found))/…\", expected the end of the path"
    case .parameter(let key, let found, let expected):
      "\(key): \(found.map { "found \"\(Self.cut($0))\"" } ?? "missing"), expected \(expected)"
    case .body(let found, let expected):
      "body: found \(Self.cut(found)), expected \(Self.cut(expected))"
    case .ofCase(let name, let difference): "case \"\(name)\": \(difference)"
    case .state(let name, let expected): "state \"\(name)\": expected \(expected)"
    case .count(let above): "count: expected more than \(above.of("request"))"
    case .share(let share): "share: drawn for \(share) of the requests"
    }
  }
}

extension RequestIndex {
  /// The contracts nearest to an unmatched request, nearest first.
  ///
  /// Compares every contract of the upstream, so it is only for reports on failed requests.
  package func nearMisses(
    to request: Request, in upstream: Upstream, hiding hidden: NumberSet? = nil,
    countMax: Int = 3
  ) -> [NearMiss] {
    nearMisses(to: RequestParts(request), in: upstream, hiding: hidden, countMax: countMax)
  }

  func nearMisses(
    to request: RequestParts, in upstream: Upstream, hiding hidden: NumberSet?, countMax: Int
  ) -> [NearMiss] {
    var nearest: [NearMiss] = []
    for (number, contract) in numberedContracts(of: upstream.name)
    where !(hidden?.contains(number) ?? false) {
      guard let near = nearMiss(contract, to: request) else { continue }
      let place = nearest.firstIndex { near.distance < $0.distance } ?? nearest.count
      guard place < countMax else { continue }
      nearest.insert(near, at: place)
      if nearest.count > countMax { nearest.removeLast() }
    }
    return nearest
  }

  private func nearMiss(_ contract: Contract, to request: RequestParts) -> NearMiss? {
    let near = contract.request.paths.map { template in
      var differences = differences(contract.request, template, request)
      if contract.defaultCaseIndex == nil {
        differences += caseDifferences(contract, template, request)
      }
      return NearMiss(contract: contract, differences: differences)
    }
    return near.min { $0.distance < $1.distance }.flatMap {
      $0.differences.isEmpty ? nil : $0
    }
  }

  private func differences(
    _ pattern: RequestPattern, _ template: PathTemplate, _ request: RequestParts
  ) -> [RequestDifference] {
    var differences = pathDifferences(template, request.segments)
    if request.method != pattern.method, (request.method, pattern.method) != ("HEAD", "GET") {
      differences.append(.method(found: request.method, expected: pattern.method))
    }
    return differences
      + self.differences(pattern.parameters, pattern.body, template, request)
  }

  private func differences(
    _ conditions: [Condition], _ body: BodyCondition?, _ template: PathTemplate,
    _ request: RequestParts
  ) -> [RequestDifference] {
    var differences: [RequestDifference] = []
    for condition in conditions where !request.meets(condition, in: template) {
      differences.append(
        condition.difference(from: request.values(of: condition, in: template)))
    }
    if let test = body?.firstFailure(in: request.body) {
      differences.append(test.difference(from: request.body))
    }
    return differences
  }

  /// The differences from the case whose `when` comes nearest. Its state, which belongs to a
  /// session, counts as a difference.
  private func caseDifferences(
    _ contract: Contract, _ template: PathTemplate, _ request: RequestParts
  ) -> [RequestDifference] {
    let all = contract.cases.compactMap { served -> [RequestDifference]? in
      guard let when = served.when else { return nil }
      var differences = differences(when.request, when.body, template, request)
      for condition in when.state {
        differences.append(.state(condition.value.name, expected: condition.value.expectation))
      }
      if let above = when.countAbove { differences.append(.count(above: above)) }
      if let share = when.share { differences.append(.share(share)) }
      return differences.map { .ofCase(served.name, $0) }
    }
    return all.min { $0.count < $1.count } ?? []
  }

  private func pathDifferences(_ template: PathTemplate, _ segments: [String])
    -> [RequestDifference]
  {
    var differences: [RequestDifference] = []
    for (index, expected) in template.segments.enumerated() {
      if index >= segments.count {
        differences.append(.missingSegment(index + 1, expected: expected.text))
      } else if !expected.accepts(segments[index]) {
        differences.append(.segment(index + 1, found: segments[index], expected: expected.text))
      }
    }
    if segments.count > template.segments.count, template.tail == nil {
      let first = template.segments.count
      differences.append(.extraSegments(first + 1...segments.count, found: segments[first]))
    }
    return differences
  }
}

extension PathTemplate.Segment {
  fileprivate var text: String {
    switch self {
    case .literal(let text): text
    case .parameter(let name): "{\(name)}"
    }
  }

  fileprivate func accepts(_ segment: String) -> Bool {
    switch self {
    case .literal(let text): text == segment
    case .parameter: !segment.isEmpty
    }
  }
}

extension Condition {
  /// The condition in words, to follow "expected".
  var expectation: String {
    guard let exclusion else { return test.expectation }
    let isRest = if case .present = test { isOptional } else { false }
    let forbidden = exclusion.expectation
    return switch exclusion.test {
    case .absent where exclusion.exclusion == nil: Test.present.expectation
    case .present where exclusion.exclusion == nil: Test.absent.expectation
    default: isRest ? "anything but \(forbidden)" : "\(test.expectation), but not \(forbidden)"
    }
  }

  func difference(from values: [String], in place: String = "") -> RequestDifference {
    if case .noOthers(let names) = test {
      let other = values.first { !names.contains($0) }
      return .parameter(key: place + key, found: other, expected: expectation)
    }
    return .parameter(key: place + key, found: values.first, expected: expectation)
  }
}

extension Condition.Test {
  /// The condition in words, to follow "expected".
  var expectation: String {
    switch self {
    case .present: "it to be present"
    case .equals(let value): "\"\(value)\""
    case .values(let values): "all of \(Self.quoted(values)), in this order"
    case .oneOf(let values): "one of \(Self.quoted(values))"
    case .matches(let pattern): "a match of \(pattern.source)"
    case .date(let date): date.expectation
    case .absent: "it to be absent"
    case .noOthers(let names): names.isEmpty ? "none" : "no other than \(Self.quoted(names))"
    }
  }

  private static func quoted(_ values: [String]) -> String {
    values.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

extension BodyCondition.Test {
  func difference(from body: RequestBody) -> RequestDifference {
    let size = body.bytes.count == 1 ? "1 byte" : "\(body.bytes.count) bytes"
    func found(_ words: String) -> String { body.bytes.isEmpty ? "no body" : words }
    let summary = body.json?.summary ?? found("\(size), not JSON")
    switch self {
    case .text(let text):
      return .body(found: found("other \(size)"), expected: "the text \"\(text)\"")
    case .bytes(let bytes):
      return .body(found: found("other \(size)"), expected: Self.words(for: bytes))
    case .matches(let pattern):
      return .body(
        found: found("\(size) without a match"), expected: "a match of \(pattern.source)")
    case .date(let date): return .body(found: found("other \(size)"), expected: date.expectation)
    case .equals(let expected, let order):
      if order == .any, let json = body.json, json.kind == expected.kind {
        return .body(
          found: "other \(json.summary)", expected: "\(expected.summary), in any order")
      }
      guard let change = body.json.flatMap({ expected.changes(to: $0).first }) else {
        return .body(found: summary, expected: expected.summary)
      }
      return .body(
        found: (change.new?.summary ?? "nothing") + change.pointer.place,
        expected: change.old?.summary ?? "nothing there")
    case .contains(let expected, .any):
      return .body(found: summary, expected: "JSON with \(expected.summary), in any order")
    case .contains(let expected, .given):
      guard let json = body.json, let pointer = json.missing(from: expected) else {
        return .body(found: summary, expected: "JSON with \(expected.summary)")
      }
      return .body(
        found: (json.value(at: pointer)?.summary ?? "nothing") + pointer.place,
        expected: expected.value(at: pointer)?.summary ?? "something there")
    case .schema(let schema):
      guard let json = body.json,
        let complaint = schema.complaints(about: json, now: body.now, max: 1).first
      else { return .body(found: summary, expected: "JSON that matches a schema") }
      return .body(
        found: "a schema violation\(complaint.instancePointer.place)",
        expected: "none (\(complaint.message))")
    case .form(let conditions):
      let failed = conditions.first { !$0.accepts(all: body.values(of: $0), at: body.now) }
      return failed.map { $0.difference(from: body.values(of: $0), in: "body.") }
        ?? .body(found: summary, expected: "a form")
    case .multipart(let parts):
      guard let failed = parts.first(where: { !$0.accepts(body.parts) }) else {
        return .body(found: found("\(size), not a multipart form"), expected: "a multipart form")
      }
      if case .noOthers(let names) = failed.text.test {
        let other = body.parts.first { $0.name.map { !names.contains($0) } ?? true }
        return .body(
          found: other?.name.map { "part \"\($0)\"" } ?? "a part without a name",
          expected: names.isEmpty ? "no parts" : failed.text.expectation)
      }
      guard let part = failed.culprit(in: body.parts) else {
        let name = failed.shown
        return .body(
          found: body.parts.isEmpty ? found("\(size), not a multipart form") : "no \(name)",
          expected: body.parts.isEmpty ? "a multipart form with \(name)" : name)
      }
      return failed.difference(from: part)
    case .not(let tests):
      // Its own difference would say what is wanted, not what is not.
      let unwanted = tests.first?.unwanted ?? "this body"
      return .body(found: summary, expected: "no body with \(unwanted)")
    }
  }
}

extension PartCondition {
  fileprivate var shown: String { name.map { "part \"\($0)\"" } ?? "a part" }

  /// The part that should have met it.
  fileprivate func culprit(in parts: [BodyPart]) -> BodyPart? {
    isOfAll ? parts.first { !accepts([$0]) } : parts.first(where: isOf)
  }

  /// What keeps a part from meeting it.
  fileprivate func difference(from part: BodyPart) -> RequestDifference {
    guard isOf(part) else {
      return .body(
        found: part.name.map { "part \"\($0)\"" } ?? "a part without a name",
        expected: "only \(shown)")
    }
    let own = "\(shown) with"
    let aspects =
      [
        (text, "text", part.body.text), (filename, "file name", part.filename),
        (contentType, "type", part.contentType),
      ] + headers.map { ($0, "header \($0.name)", part.headers[$0.lookupName]) }
    for case (let condition?, let noun, let found) in aspects
    where !condition.accepts(found, at: part.body.now) {
      return .body(
        found: found.map { "\(own) the \(noun) \"\($0)\"" } ?? "\(own) no \(noun)",
        expected: condition.expectation)
    }
    let inner = body?.firstFailure(in: part.body)?.difference(from: part.body)
    guard case .body(let found, let expected)? = inner else {
      return inner ?? .body(found: "\(own) the text of another", expected: text.expectation)
    }
    return .body(found: "\(own) \(found)", expected: expected)
  }
}

extension BodyCondition.Test {
  fileprivate static func words(for bytes: [UInt8]) -> String {
    "the \(bytes.count.of("byte")) of \"base64\""
  }

  /// What a body must not have, in words.
  fileprivate var unwanted: String {
    switch self {
    case .equals(let value, _), .contains(let value, _): value.summary
    case .schema: "what the schema describes"
    case .text(let text): "the text \"\(text)\""
    case .bytes(let bytes): Self.words(for: bytes)
    case .matches(let pattern): "a match of \(pattern.source)"
    case .date(let date): date.expectation
    case .form(let conditions): "\(conditions.first?.name ?? "such") as field"
    case .multipart(let parts): "\(parts.first?.name ?? "such") as part"
    case .not: "anything else"
    }
  }
}

extension JSONPointer {
  /// The place of the pointer as text, empty for the root.
  fileprivate var place: String { tokens.isEmpty ? "" : " at \"\(self)\"" }
}
