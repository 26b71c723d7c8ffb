package import UnderstudyJSON

/// What a stub may have. Where WireMock takes one of several, so do we: one of the URLs and bodies,
/// the first test of a matcher, the last of duplicate keys.
package enum StubForm {
  /// The keys of a URL; if a stub has several, the first of this list counts.
  package static let urlKeys = [
    "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate",
  ]
  static let bodyKeys = ["body", "jsonBody", "base64Body", "bodyFileName"]

  /// The parts of a stub that are not served as it says.
  package static func problems(in stub: JSONValue) -> [FormProblem] {
    if stub.isContract {
      return [
        FormProblem(
          pointer: "", position: stub.position,
          reason: "it is a contract of Understudy, not a stub", isGrave: true)
      ]
    }
    var problems = FormCheck.problems(in: stub, self.stub)
    guard stub["scenarioName"].map(\.isNull) ?? true else { return problems }
    for member in stub.members
    where ["requiredScenarioState", "newScenarioState"].contains(member.key)
      && !member.value.isNull
    {
      problems.append(
        FormProblem(
          pointer: "/\(member.key)", position: member.keyPosition,
          reason: "\"\(member.key)\" has no effect without \"scenarioName\"", isGrave: false))
    }
    return problems
  }

  /// The parts of a request pattern that are not read as it says.
  package static func problems(inPattern request: JSONValue) -> [FormProblem] {
    FormCheck.problems(in: request, self.request)
  }

  /// What a document of several stubs has besides them.
  package static func problems(around stubs: JSONValue) -> [FormProblem] {
    stubs["mappings"] == nil ? [] : FormCheck.problems(in: stubs, mappings)
  }

  private static let mappings = DocumentForm.object(
    .init(
      ["mappings": .unread, "meta": .unread, "importOptions": .unread, "$schema": .unread],
      others: .lost))

  private static let stub = DocumentForm.object(
    .init(
      [
        "id": .text, "uuid": .text, "name": .text, "request": request, "response": response,
        "priority": .whole(.min ... .max), "scenarioName": .text, "requiredScenarioState": .text,
        "newScenarioState": .text, "metadata": .named(.unread), "persistent": .flag,
        "insertionIndex": .unread, "postServeActions": .unread, "serveEventListeners": .unread,
        "comment": .unread, "$schema": .unread,
      ], others: .lost))

  // MARK: - Requests

  /// Whether a key of a matcher is a test, of which it has one.
  static func isTest(_ key: String) -> Bool { tests.equals.contains(key) }

  // An unknown key here would be one more condition, without which a stub matches more.
  private static let request = DocumentForm.object(
    .init(
      [
        "scheme": .unread, "host": matcher, "port": .unread, "clientIp": .unread, "url": .text,
        "urlPattern": .text, "urlPath": .text, "urlPathPattern": .text, "urlPathTemplate": .text,
        "method": .by { $0.kind == .object ? methods : .text }, "pathParameters": matchers,
        "queryParameters": matchers, "formParameters": matchers, "headers": matchers,
        "basicAuthCredentials": credentials, "basicAuth": credentials, "cookies": matchers,
        "bodyPatterns": .list(matcher), "multipartPatterns": .list(part), "customMatcher": .unread,
      ], others: .grave, rivals: [urlKeys]))

  private static let methods = DocumentForm.object(.init(["oneOf": .list(.text)], others: .grave))

  private static let credentials = DocumentForm.object(
    .init(
      ["username": .text, "password": .text], others: .grave, required: ["username", "password"]))

  private static let part = DocumentForm.object(
    .init(
      [
        "name": .text, "matchingType": .text, "headers": matchers, "bodyPatterns": .list(matcher),
      ], others: .grave))

  private static let matchers = DocumentForm.named(matcher)

  /// A text stands for `equalTo`.
  private static let matcher = DocumentForm.by { value in
    value.kind == .string ? .text : .object(tests)
  }

  static let tests: DocumentForm.Members = {
    let texts = [
      "equalTo", "matches", "doesNotMatch", "contains", "doesNotContain", "equalToXml",
      "binaryEqualTo",
    ]
    let others = [
      "equalToJson", "matchesXPath", "matchesJsonSchema", "absent", "anything", "before", "after",
      "equalToDateTime", "equalToNumber", "greaterThanNumber", "greaterThanEqualNumber",
      "lessThanNumber", "lessThanEqualNumber", "matchesPathTemplate",
    ]
    var forms: [String: DocumentForm] = [:]
    for key in texts { forms[key] = .scalar }
    for key in others { forms[key] = .unread }
    forms["not"] = .by { _ in matcher }
    for key in ["and", "or", "includes", "hasExactly"] {
      forms[key] = .by { _ in .list(matcher) }
    }
    forms["matchesJsonPath"] = .by { value in
      value.kind == .string ? .text : .object(tests.adding(["expression": .text]))
    }
    let operators = Set(forms.keys)
    for key in ["caseInsensitive", "ignoreArrayOrder", "ignoreExtraElements"] { forms[key] = .flag }
    for key in [
      "schemaVersion", "xPathNamespaces", "enablePlaceholders", "exemptedComparisons",
      "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex",
      "ignoreOrderOfSameNode", "namespaceAwareness", "actualFormat", "truncateExpected",
      "truncateActual", "applyTruncationLast", "expectedOffset", "expectedOffsetUnit",
    ] {
      forms[key] = .unread
    }
    return DocumentForm.Members(forms, others: .lost, equals: operators)
  }()

  // MARK: - Responses

  static let response = DocumentForm.object(
    .init(
      [
        "status": .whole(.min ... .max), "statusMessage": .text, "body": .unread,
        "jsonBody": .unread,
        "base64Body": .text, "bodyFileName": .text, "headers": .named(header),
        "additionalProxyRequestHeaders": .unread, "removeProxyRequestHeaders": .unread,
        "proxyUrlPrefixToRemove": .unread, "proxyBaseUrl": .text,
        "fixedDelayMilliseconds": .whole(0 ... .max), "delayDistribution": delay,
        "chunkedDribbleDelay": .object(
          .init(
            ["numberOfChunks": .whole(0 ... .max), "totalDuration": .whole(0 ... .max)],
            others: .grave)),
        "fault": .text, "transformers": .list(.text), "transformerParameters": .unread,
        "fromConfiguredStub": .unread,
      ], others: .lost,
      rivals: [bodyKeys, ["delayDistribution", "fixedDelayMilliseconds"]]))

  private static let header = DocumentForm.by { $0.kind == .array ? .list(.scalar) : .scalar }

  /// A delay by chance, by its type.
  package static let delay = DocumentForm.by { value in
    let forms: [String: DocumentForm]
    switch value["type"]?.string {
    case "uniform": forms = ["lower": .whole(0 ... .max), "upper": .whole(0 ... .max)]
    case "lognormal": forms = ["median": .number, "sigma": .number, "maxValue": .whole(0 ... .max)]
    case "fixed": forms = ["milliseconds": .whole(0 ... .max)]
    default: return .named(.unread)
    }
    return .object(.init(forms.merging(["type": .text]) { $1 }, others: .grave))
  }
}
