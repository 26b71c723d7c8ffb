package import UnderstudyCore
package import UnderstudyJSON
package import UnderstudySchema

/// Conditions on a request's body; all must hold.
package struct BodyCondition: Sendable {
  /// One thing that a body is compared with.
  package enum Test: Sendable {
    case equals(JSONValue, ElementOrder)
    /// At least this: the named members, and array elements at their indices or in any order.
    case contains(JSONValue, ElementOrder)
    case schema(Schema)
    case text(String)
    case bytes([UInt8])
    case matches(Pattern)
    /// Of the text as a whole.
    case date(DateCondition)
    /// A form as browsers send it, by the names of its fields.
    case form([Condition])
    case multipart([PartCondition])
    /// Not all of these hold.
    indirect case not([Test])
  }

  /// Whether the elements of an array must come as they are listed.
  package enum ElementOrder: String, Sendable, CaseIterable {
    case given, any
  }

  package let tests: [Test]
  /// The JSON sent when the contract's own request is made.
  package let example: JSONValue?
  package let source: JSONValue

  var conditionCount: Int {
    tests.reduce(0) { count, test in
      switch test {
      case .form(let conditions): count + conditions.count { $0.isAsking }
      case .multipart(let parts): count + parts.count
      default: count + 1
      }
    }
  }
}

/// Conditions on one part of a form in several parts; one part must meet all of them.
package struct PartCondition: Sendable {
  /// `nil` for a part of any name.
  package let name: String?
  /// Whether every part of the form must meet them.
  package let isOfAll: Bool
  /// On the part's text; what it says of an absent value is about the part.
  package let text: Condition
  package let filename: Condition?
  package let contentType: Condition?
  package let headers: [Condition]
  package let body: BodyCondition?

  init(
    named name: String?, isOfAll: Bool = false, text: Condition, filename: Condition? = nil,
    contentType: Condition? = nil, headers: [Condition] = [], body: BodyCondition? = nil
  ) {
    self.name = name
    self.isOfAll = isOfAll
    self.text = text
    self.filename = filename
    self.contentType = contentType
    self.headers = headers
    self.body = body
  }
}
