import UnderstudyContractModel
import UnderstudyCore
import UnderstudyInterchange
import UnderstudyJSON

/// Writes stubs, as clients see them, as they are served and as files have them.
enum StubText {
  /// A stub as clients see it: with its id under both names, a method and a status.
  static func shown(_ root: JSONValue, id: String) -> JSONText {
    let skipped = ["id", "uuid", "request", "response"]
    let others = root.members.filter { !skipped.contains($0.key) && !$0.value.isNull }
    let shown: JSONObject = [
      "id": .string(id), "request": pattern(root["request"] ?? .null),
      "response": response(root["response"] ?? .null), "uuid": .string(id),
    ]
    return (shown + JSONObject(others.map { ($0.key, .value($0.value)) })).text
  }

  /// A request pattern with its method.
  static func pattern(_ request: JSONValue) -> JSONText {
    var members = JSONObject(of: request)
    if members["method"] == nil { members["method"] = "ANY" }
    return members.text
  }

  private static let bodyKeys = ["body", "base64Body", "bodyFileName"]

  /// The body of a response without expressions as bytes, so that nothing lays it out anew.
  private static func exactBody(
    _ response: JSONValue, isTemplated: Bool, _ file: (String) -> [UInt8]?
  ) -> JSONText? {
    let hasOther = ["jsonBody", "base64Body"].contains {
      response[$0].map { !$0.isNull } ?? false
    }
    guard !isTemplated, !hasOther, response["transformers"] == nil else { return nil }
    let bytes =
      response["body"]?.string.map { Array($0.utf8) }
      ?? response["bodyFileName"]?.string.flatMap(file) ?? []
    return bytes.isEmpty ? nil : .string(Base64.encode(bytes))
  }

  /// The file beneath `__files` that a response needs and does not find.
  static func missingFile(of response: JSONValue, _ file: (String) -> [UInt8]?) -> String? {
    let hasOther = ["body", "jsonBody", "base64Body"].contains {
      response[$0].map { !$0.isNull } ?? false
    }
    guard !hasOther, let name = response["bodyFileName"]?.string, !name.contains("{{") else {
      return nil
    }
    return file(name) == nil ? name : nil
  }

  /// What is sent until the file is there.
  private static func failure(of response: JSONValue, without file: String) -> JSONText {
    [
      "status": 500, "headers": ["Content-Type": "text/plain; charset=utf-8"],
      "body": .string("there is no file \(file) beneath __files"),
      "transformers": response["transformers"].map { .value($0) },
    ]
  }

  /// A stub without what only Java could do.
  private static func withoutCode(_ stub: JSONValue) -> JSONValue {
    var (request, response) = (JSONObject(of: stub["request"]), JSONObject(of: stub["response"]))
    request["customMatcher"] = nil
    let own = (stub["response"]?["transformers"] ?? .null).elements.compactMap(\.string)
      .filter { $0 == ownTransformer }
    response["transformers"] = own.isEmpty ? nil : .strings(own)
    var kept = JSONObject(of: stub)
    (kept["request"], kept["response"]) = (request.text, response.text)
    return kept.text.root ?? stub
  }

  private static let ownTransformer = "response-template"

  /// What only Java could do for a stub, and is left out.
  static func code(in stub: JSONValue) -> [String] {
    let transformers = (stub["response"]?["transformers"] ?? .null).elements.compactMap(\.string)
      .filter { $0 != ownTransformer }
    let matcher = (stub["request"] ?? .null)["customMatcher"].map { matcher in
      "the matcher \(matcher["name"]?.string ?? "without a name")"
    }
    return transformers.map { "the transformer \($0)" } + [matcher].compactMap(\.self)
  }

  /// Whether only code decides which requests it is for.
  static func isForCodeAlone(_ stub: JSONValue) -> Bool {
    let request = stub["request"] ?? .null
    return request["customMatcher"] != nil
      && request.members.allSatisfy { ["customMatcher", "method"].contains($0.key) }
  }

  private static func response(_ response: JSONValue) -> JSONText {
    let others = response.members.filter { $0.key != "status" && !$0.value.isNull }
    let status: JSONObject = ["status": .int(response["status"]?.wholeNumber ?? 200)]
    return (status + JSONObject(others.map { ($0.key, .value($0.value)) })).text
  }

  /// A stub as it is served: with the settings for all stubs, and headers that name it.
  static func served(
    _ given: JSONValue, _ settings: StubSettings, _ options: WireMockAPI.Options,
    file: (String) -> [UInt8]?
  ) -> JSONText {
    let stub = options.isLenient ? withoutCode(given) : given
    var response = stub["response"] ?? .null
    if let missing = missingFile(of: response, file) {
      response = failure(of: response, without: missing).root ?? response
    }
    var sent = JSONObject(of: response)
    if let exact = exactBody(response, isTemplated: options.isTemplated, file) {
      for key in bodyKeys { sent[key] = nil }
      sent["base64Body"] = exact
    }
    sent["headers"] = nil
    if response["fault"] == nil {
      let naming: JSONObject = [
        "Matched-Stub-Id": stub["id"]?.string.map { .string($0) },
        "Matched-Stub-Name": stub["name"]?.string.map { .string($0) },
      ]
      sent["headers"] = (JSONObject(of: response["headers"]) + naming).text
    }
    if response["fixedDelayMilliseconds"] == nil, response["delayDistribution"] == nil {
      if let fixed = settings.fixedDelay, fixed > 0 {
        sent["fixedDelayMilliseconds"] = .int(fixed)
      } else {
        sent["delayDistribution"] = settings.delayDistribution
      }
    }
    var served = JSONObject(of: stub)
    served["persistent"] = nil
    served["response"] = sent.text
    return served.text
  }

  static func persistent(_ stub: JSONValue) -> JSONText {
    var members = JSONObject(of: stub)
    members["persistent"] = nil
    members["persistent"] = true
    return members.text
  }
}

/// The ids of stubs and requests.
enum StubID {
  static func random() -> String {
    RandomUUID.text(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max))
  }

  /// The id of a request, by its number.
  static func request(_ number: UInt64) -> String {
    RandomUUID.text(high: requestMark, low: number)
  }

  /// The id that a request without a stub gets in place of a stub's, by the number of the request.
  static func noStub(_ number: UInt64) -> String {
    RandomUUID.text(high: ~requestMark, low: number)
  }

  private static let requestMark = UInt64.random(in: 0 ... .max)

  /// The number of the request that has this id.
  static func requestNumber(_ id: String) -> UInt64? {
    let digits = id.lowercased().filter { $0 != "-" }
    guard isValid(id), let number = UInt64(digits.suffix(12), radix: 16),
      request(number) == id.lowercased()
    else { return nil }
    return number
  }

  static func isValid(_ id: String) -> Bool {
    let parts = id.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
  }
}
