import UnderstudyCore
import UnderstudyInterchange
import UnderstudyJSON

/// What a client wants to have recorded, and how: the body of a request that starts a recording or
/// takes a snapshot.
struct RecordSpec: Sendable {
  private static let keys = [
    "targetBaseUrl", "filters", "captureHeaders", "requestBodyPattern", "extractBodyCriteria",
    "outputFormat", "persist", "repeatsAsScenarios", "transformers", "transformerParameters",
  ]
  /// What WireMock's Java client writes for `requestBodyPattern`.
  private static let javaBodyKey = "requestBodyPatternFactory"

  /// A request header that stubs have a condition on.
  struct CapturedHeader: Sendable {
    let name: String
    let isCaseInsensitive: Bool?
  }

  /// As sent, without layout.
  let text: [UInt8]
  private(set) var target: WebURL?
  /// The requests that are meant; `nil` for all.
  private(set) var pattern: StubPattern?
  /// The numbers of the requests that are meant; `nil` for all.
  private(set) var numbers: Set<UInt64>?
  /// Whether requests are meant to which stubs responded, too.
  private(set) var allowsNonProxied = false
  private(set) var capturedHeaders: [CapturedHeader] = []
  private(set) var bodyForm = RecordedBodyForm()
  /// Larger bodies are written to files of their own.
  private(set) var textBytesMax: Int?
  private(set) var binaryBytesMax: Int?
  private(set) var returnsIDs = false
  /// `nil` where nothing is said.
  private(set) var isPersistent: Bool?
  private(set) var hasScenarios = true

  init(_ root: JSONValue) throws(AdminRefusal) {
    try FieldCheck(root).keys(Self.keys, silently: [Self.javaBodyKey])
    text = root.compact
    let given = { (key: String) in root[key].flatMap { $0.isNull ? nil : $0 } }
    if let value = given("targetBaseUrl") { target = try Self.target(value) }
    if let value = given("filters") { try readFilters(value) }
    if let value = given("captureHeaders") {
      try FieldCheck(value, at: "/captureHeaders").object()
      for member in value.members {
        let pointer = "/captureHeaders/\(member.key)"
        if !member.value.isNull {
          try FieldCheck(member.value, at: pointer).keys(["caseInsensitive"])
        }
        capturedHeaders.append(
          CapturedHeader(
            name: member.key,
            isCaseInsensitive: try member.value["caseInsensitive"].flag(
              at: "\(pointer)/caseInsensitive")))
      }
    }
    for key in [Self.javaBodyKey, "requestBodyPattern"] {
      if let value = given(key) { bodyForm = try RecordedBodyForm(value, at: "/\(key)") }
    }
    if let value = given("extractBodyCriteria") {
      let pointer = "/extractBodyCriteria"
      try FieldCheck(value, at: pointer).keys(["textSizeThreshold", "binarySizeThreshold"])
      textBytesMax = try Self.size(value, "textSizeThreshold", at: pointer)
      binaryBytesMax = try Self.size(value, "binarySizeThreshold", at: pointer)
    }
    if let value = given("outputFormat") {
      switch value.string?.lowercased() {
      case "full": break
      case "ids": returnsIDs = true
      default: throw .wrong("/outputFormat", "found \(value.summary), expected FULL or IDS")
      }
    }
    isPersistent = try root["persist"].flag(at: "/persist")
    hasScenarios = try root["repeatsAsScenarios"].flag(at: "/repeatsAsScenarios") ?? true
    if let value = given("transformers"), value.kind != .array || value.count > 0 {
      throw .wrong(
        "/transformers",
        "transformers are Java code, which does not run here; leave them out, and edit the stubs"
          + " that were recorded")
    }
  }

  private static func target(_ value: JSONValue) throws(AdminRefusal) -> WebURL {
    let pointer = "/targetBaseUrl"
    guard let text = value.string, let url = WebURL(base: text) else {
      throw .wrong(
        pointer,
        "found \(value.summary), expected the http or https URL of the API that is to be recorded,"
          + " without a query")
    }
    return url
  }

  private mutating func readFilters(_ filters: JSONValue) throws(AdminRefusal) {
    let pointer = "/filters"
    try FieldCheck(filters, at: pointer).object()
    allowsNonProxied =
      try filters["allowNonProxied"].flag(at: "\(pointer)/allowNonProxied") ?? false
    if let ids = filters["ids"], !ids.isNull {
      guard ids.kind == .array else {
        throw .wrong("\(pointer)/ids", "found \(ids.summary), expected an array of ids")
      }
      var numbers: Set<UInt64> = []
      for (place, id) in ids.elements.enumerated() {
        guard let text = id.string, StubID.isValid(text) else {
          throw .wrong("\(pointer)/ids/\(place)", "found \(id.summary), expected a UUID")
        }
        // An id that no request has means none.
        if let number = StubID.requestNumber(text) { numbers.insert(number) }
      }
      self.numbers = numbers
    }
    let request = filters.members.filter {
      !["ids", "allowNonProxied"].contains($0.key) && !$0.value.isNull
    }
    guard !request.isEmpty else { return }
    let text = JSONText.object(request.map { ($0.key, .value($0.value)) })
    do throws(StubRefusal) {
      pattern = try StubPattern(StubText.pattern(text.root ?? .null).root ?? .null)
    } catch {
      throw AdminRefusal(error).within(pointer)
    }
  }

  /// A number of bytes: `2048`, `2 kb`, `1.5 Mb`.
  private static func size(
    _ criteria: JSONValue, _ key: String, at pointer: String
  ) throws(AdminRefusal) -> Int? {
    guard let value = criteria[key], !value.isNull else { return nil }
    let text = (value.string ?? value.int.map { "\($0)" } ?? "").lowercased()
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let units = ["": 1.0, "kb": 1_024, "mb": 1_048_576, "gb": 1_073_741_824]
    let unit = units[String(text[digits.endIndex...].drop { $0 == " " })]
    guard let number = Double(digits), let unit, let size = Int(exactly: (number * unit).rounded())
    else {
      throw .wrong(
        "\(pointer)/\(key)",
        "found \(value.summary), expected a number of bytes, such as 2048, \"2 kb\" or \"1 Mb\"")
    }
    return size
  }
}

/// How stubs compare the bodies of requests with the one that was recorded.
struct RecordedBodyForm: Sendable {
  private static let matchers = ["auto", "equalTo", "equalToJson"]

  private var matcher = "auto"
  private var ignoresArrayOrder: Bool?
  private var ignoresExtraElements: Bool?
  private var isCaseInsensitive: Bool?

  /// By the type of the body.
  init() {}

  fileprivate init(_ value: JSONValue, at pointer: String) throws(AdminRefusal) {
    try FieldCheck(value, at: pointer).keys(
      ["matcher", "ignoreArrayOrder", "ignoreExtraElements", "caseInsensitive"])
    if let name = value["matcher"], !name.isNull {
      if name.string == "equalToXml" {
        throw .wrong(
          "\(pointer)/matcher",
          "XML is not compared, since contracts are about JSON; use equalTo, or leave it out")
      }
      guard let text = name.string, Self.matchers.contains(text) else {
        throw .wrong(
          "\(pointer)/matcher",
          "found \(name.summary), expected one of \(Self.matchers.joined(separator: ", "))")
      }
      matcher = text
    }
    ignoresArrayOrder = try value["ignoreArrayOrder"].flag(at: "\(pointer)/ignoreArrayOrder")
    ignoresExtraElements = try value["ignoreExtraElements"].flag(
      at: "\(pointer)/ignoreExtraElements")
    isCaseInsensitive = try value["caseInsensitive"].flag(at: "\(pointer)/caseInsensitive")
  }

  /// The condition on a body.
  func pattern(for body: [UInt8], of type: MediaKind) -> JSONText {
    let isAutomatic = matcher == "auto"
    if isAutomatic, type == .multipart { return ["anything": "anything"] }
    if isAutomatic ? type == .json : matcher == "equalToJson", JSONDocument(valid: body) != nil {
      return .object([
        ("equalToJson", .string(String(decoding: body, as: UTF8.self))),
        ("ignoreArrayOrder", flag(ignoresArrayOrder, default: isAutomatic ? true : nil)),
        ("ignoreExtraElements", flag(ignoresExtraElements, default: isAutomatic ? true : nil)),
      ])
    }
    guard type != .binary, let text = String(validating: body, as: UTF8.self) else {
      return ["binaryEqualTo": .string(Base64.encode(body))]
    }
    return .object([
      ("equalTo", .string(text)),
      ("caseInsensitive", flag(isCaseInsensitive, default: isAutomatic ? false : nil)),
    ])
  }

  private func flag(_ value: Bool?, default other: Bool?) -> JSONText? {
    (value ?? other).map { .bool($0) }
  }
}

/// What a `Content-Type` says of a body.
enum MediaKind {
  case json, text, multipart, binary

  /// - Parameter missing: the kind of a body without a type.
  init(of contentType: String?, missing: MediaKind) {
    guard let contentType else {
      self = missing
      return
    }
    let type = contentType.prefix { $0 != ";" }.lowercased()
    let words = ["text/", "xml", "html", "javascript", "x-www-form-urlencoded", "yaml"]
    self =
      if type.contains("json") {
        .json
      } else if type.hasPrefix("multipart/") {
        .multipart
      } else if words.contains(where: type.contains) {
        .text
      } else {
        .binary
      }
  }
}

extension JSONValue? {
  /// `nil` for a value that is missing or `null`.
  fileprivate func flag(at pointer: String) throws(AdminRefusal) -> Bool? {
    guard let value = self, !value.isNull else { return nil }
    guard let flag = value.bool else {
      throw .wrong(pointer, "found \(value.summary), expected true or false")
    }
    return flag
  }
}
