import UnderstudyContractModel
import UnderstudyJSON

// Conditions on the parts of a multipart form.
extension WireMockStubText {
  func part(_ part: PartCondition) throws(Unusable) -> JSONText {
    if case .noOthers = part.text.test {
      throw Unusable(reason: "WireMock cannot forbid further parts")
    }
    guard !part.text.isOptional, !part.text.acceptsAbsence else {
      throw Unusable(reason: "WireMock has no condition on a part that may be missing")
    }
    guard part.filename == nil else {
      throw Unusable(reason: "WireMock has no condition on the name of a file alone")
    }
    var headers: [(String, JSONText?)] = []
    if let name = part.name {
      headers.append(("Content-Disposition", ["contains": .string("name=\"\(name)\"")]))
    }
    if let type = part.contentType { headers.append(("Content-Type", try matcher(type))) }
    for header in part.headers { headers.append((header.name, try matcher(header))) }
    var bodies: [JSONText] = []
    if part.text.isAskingText { bodies.append(try matcher(part.text)) }
    if let body = part.body {
      var schemas = body.schemas[...]
      for test in body.tests { bodies.append(try pattern(test, &schemas)) }
    }
    return .object([
      ("name", part.name.map { .string($0) }),
      ("matchingType", part.isOfAll ? "ALL" : "ANY"),
      ("headers", headers.isEmpty ? nil : .object(headers)),
      ("bodyPatterns", bodies.isEmpty ? nil : .array(bodies)),
    ])
  }
}

extension Condition {
  /// Whether it is more than that there is a value.
  fileprivate var isAskingText: Bool {
    if exclusion != nil { return true }
    if case .present = test { return false }
    return true
  }
}
