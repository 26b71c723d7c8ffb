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

  private static func response(_ response: JSONValue) -> JSONText {
    let others = response.members.filter { $0.key != "status" && !$0.value.isNull }
    let status: JSONObject = ["status": .int(response["status"]?.wholeNumber ?? 200)]
    return (status + JSONObject(others.map { ($0.key, .value($0.value)) })).text
  }

  /// A stub as it is served: with the settings for all stubs, and headers that name it.
  static func served(
    _ stub: JSONValue, _ settings: StubSettings, isTemplated: Bool, file: (String) -> [UInt8]?
  ) -> JSONText {
    let response = stub["response"] ?? .null
    var sent = JSONObject(of: response)
    if let exact = exactBody(response, isTemplated: isTemplated, file) {
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
