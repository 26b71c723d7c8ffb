import UnderstudyInterchange
import UnderstudyJSON

/// Rejects what WireMock would not read either.
struct FieldCheck {
  private static let stubKeys = [
    "id", "uuid", "name", "request", "response", "priority", "scenarioName",
    "requiredScenarioState", "newScenarioState", "metadata", "persistent", "insertionIndex",
    "postServeActions", "serveEventListeners", "comment",
  ]
  private static let requestKeys = [
    "scheme", "host", "port", "clientIp", "url", "urlPattern", "urlPath", "urlPathPattern",
    "urlPathTemplate", "method", "pathParameters", "queryParameters", "formParameters", "headers",
    "basicAuthCredentials", "basicAuth", "cookies", "bodyPatterns", "multipartPatterns",
    "customMatcher",
  ]
  static let urlKeys = [
    "url", "urlPattern", "urlPath", "urlPathPattern", "urlPathTemplate",
  ]
  private static let responseKeys = [
    "status", "statusMessage", "body", "jsonBody", "base64Body", "bodyFileName", "headers",
    "additionalProxyRequestHeaders", "removeProxyRequestHeaders", "proxyUrlPrefixToRemove",
    "proxyBaseUrl", "fixedDelayMilliseconds", "delayDistribution", "chunkedDribbleDelay", "fault",
    "transformers", "transformerParameters", "fromConfiguredStub",
  ]

  private let value: JSONValue
  private let pointer: String

  init(_ value: JSONValue, at pointer: String = "") {
    self.value = value
    self.pointer = pointer
  }

  private func refusal(_ expected: String) -> AdminRefusal {
    .wrong(pointer, "found \(value.summary), expected \(expected)")
  }

  func object() throws(AdminRefusal) {
    guard value.kind == .object else { throw refusal("an object") }
  }

  func keys(_ known: [String]) throws(AdminRefusal) {
    try object()
    for member in value.members where !known.contains(member.key) {
      throw .wrong(
        "\(pointer)/\(member.key)",
        "found unknown key \"\(member.key)\", expected one of "
          + known.joined(separator: ", "))
    }
  }

  func int() throws(AdminRefusal) -> Int {
    guard let number = value.int ?? value.string.flatMap({ Int($0) }) else {
      throw refusal("a whole number")
    }
    return number
  }

  func text() throws(AdminRefusal) -> String {
    guard let text = value.string else { throw refusal("a string") }
    return text
  }

  private func list() throws(AdminRefusal) {
    guard value.kind == .array else { throw refusal("an array") }
  }

  private func atMostOne(of keys: [String]) throws(AdminRefusal) {
    let found = keys.filter { member($0) != nil }
    guard found.count > 1 else { return }
    throw .wrong(
      "\(pointer)/\(found[1])", "found \(found.joined(separator: " and ")), expected one")
  }

  func distribution() throws(AdminRefusal) {
    try object()
    guard ["uniform", "lognormal", "fixed"].contains(value["type"]?.string ?? "") else {
      throw refusal("a distribution of type uniform, lognormal or fixed")
    }
  }

  private func member(_ key: String) -> FieldCheck? {
    value[key].flatMap { $0.isNull ? nil : FieldCheck($0, at: "\(pointer)/\(key)") }
  }

  func stub() throws(AdminRefusal) {
    try keys(Self.stubKeys)
    _ = try member("priority")?.int()
    for key in ["id", "uuid", "name", "scenarioName", "requiredScenarioState", "newScenarioState"] {
      _ = try member(key)?.text()
    }
    try member("metadata")?.object()
    try member("request")?.request()
    try member("response")?.response()
  }

  func request() throws(AdminRefusal) {
    try keys(Self.requestKeys)
    for key in ["headers", "queryParameters", "cookies", "pathParameters", "formParameters"] {
      guard let matchers = member(key) else { continue }
      try matchers.object()
      for name in matchers.value.members.map(\.key) { try matchers.member(name)?.object() }
    }
    for key in ["bodyPatterns", "multipartPatterns"] { try member(key)?.list() }
    for key in Self.urlKeys { _ = try member(key)?.text() }
    try atMostOne(of: Self.urlKeys)
  }

  private func response() throws(AdminRefusal) {
    try keys(Self.responseKeys)
    _ = try member("status")?.int()
    _ = try member("fixedDelayMilliseconds")?.int()
    try member("delayDistribution")?.distribution()
    try member("headers")?.object()
    try atMostOne(of: ["body", "jsonBody", "base64Body", "bodyFileName"])
  }
}
