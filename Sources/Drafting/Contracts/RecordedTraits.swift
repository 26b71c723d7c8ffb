import UnderstudyContractModel
import UnderstudyJSON
import UnderstudySecrets

/// A possible condition on one part of a request.
enum RecordedTrait: Hashable {
  /// All values, in this order.
  case values([String])
  /// A secret, for which only its presence may be written.
  case present
  case absent
  /// A part of a form: a file of this name, with this text if that may be compared.
  case file(name: String, text: String?)
  /// A condition on the whole body.
  case body(key: String, value: JSONText)
}

/// The parts that distinguish one request from others.
struct RecordedTraits {
  static let bodyKey = "body"
  static let conditionBytesMax = 4096

  /// `path.id`, `query.page`, `body`, or `form.name` and `multipart.name` in its place.
  private(set) var own: [(key: String, trait: RecordedTrait)] = []
  /// Headers, and query parameters that are secrets: used only where nothing else distinguishes
  /// requests.
  private(set) var others: [(key: String, trait: RecordedTrait)] = []
  /// Query parameters whose values are secrets.
  private(set) var secretNames: [String] = []
  /// Why the body, or a part of it, has no condition, in words; `nil` if all of it has one.
  private(set) var bodyExclusion: String?

  /// - Parameter byVariables: whether the variables stand for the whole body.
  init(
    of exchange: RecordedExchange, by template: [PathTemplate.Segment],
    byVariables: Bool = false, _ mask: SecretMask
  ) {
    own = template.values(in: exchange.segments).map { ("path.\($0.name)", .values([$0.value])) }
    for (name, values) in exchange.parameters {
      let isSecret =
        values.contains {
          SecretNames.standard.hides(name, $0, in: .parameter) || mask.masked($0) != $0
        }
      if isSecret {
        secretNames.append(name)
        others.append(("query.\(name)", .present))
      } else {
        own.append(("query.\(name)", .values(values)))
      }
    }
    for field in exchange.headers {
      let isSecret = mask.masked(field.value) != field.value
      others.append(("header.\(field.name)", isSecret ? .present : .values([field.value])))
    }
    for name in exchange.secretHeaders {
      others.append(("header.\(RequestHeaders.spelling(name))", .present))
    }
    if let form = FormTraits(of: exchange, mask) {
      own += form.traits
      bodyExclusion = form.exclusion
    } else {
      addBody(of: exchange, byVariables: byVariables, mask)
    }
  }

  private mutating func addBody(
    of exchange: RecordedExchange, byVariables: Bool, _ mask: SecretMask
  ) {
    let variables = byVariables ? exchange.variables : nil
    let sent = variables?.compact ?? exchange.body
    let document = JSONDocument(valid: sent)
    bodyExclusion = Self.bodyExclusion(sent, isJSON: document != nil, mask)
    if bodyExclusion == nil, let text = String(validating: sent, as: UTF8.self) {
      var condition = RecordedTrait.body(key: "text", value: JSONText(unchecked: text.quoted))
      if let json = document.map({ JSONText.value($0.root) }) {
        condition =
          variables == nil
          ? .body(key: "equals", value: json)
          : .body(key: "contains", value: [GraphQLOperation.variablesKey: json])
      }
      own.append((Self.bodyKey, condition))
    }
  }

  /// A body that contains a secret gets no condition, since the secret must not be written.
  private static func bodyExclusion(
    _ body: [UInt8], isJSON: Bool, _ mask: SecretMask
  ) -> String? {
    guard String(validating: body, as: UTF8.self) != nil else { return "its body is not text" }
    guard body.count <= conditionBytesMax else {
      return "its body has more than \(conditionBytesMax) bytes"
    }
    let type = isJSON ? "application/json" : "application/x-www-form-urlencoded"
    return mask.masked(body, of: type) == body ? nil : "its body contains a secret"
  }

  /// `nil` for a body that cannot have a condition.
  func trait(_ key: String) -> RecordedTrait? {
    let found = own.first { $0.key == key } ?? others.first { $0.key == key }
    return found?.trait ?? (key == Self.bodyKey ? nil : .absent)
  }
}
