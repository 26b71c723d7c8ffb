import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

extension BodyCondition {
  /// The first test that the body fails.
  func firstFailure(in body: borrowing RequestBody) -> Test? {
    for test in tests where !test.accepts(body) { return test }
    return nil
  }
}

/// A request's body, parsed as JSON at most once, when first needed.
package final class RequestBody {
  let bytes: [UInt8]
  private(set) lazy var json: JSONValue? = JSONDocument(valid: bytes)?.root
  /// Invalid UTF-8 becomes U+FFFD.
  private(set) lazy var text = String(decoding: bytes, as: UTF8.self)

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension BodyCondition.Test {
  func accepts(_ body: RequestBody) -> Bool {
    switch self {
    case .equals(let expected): body.json.map { expected.isEqual(to: $0) } ?? false
    case .contains(let expected): body.json.map { $0.contains(expected) } ?? false
    case .schema(let schema): body.json.map { schema.accepts($0) } ?? false
    case .text(let expected): body.bytes.elementsEqual(expected.utf8)
    case .matches(let pattern): pattern.matches(body.text)
    }
  }
}

extension JSONValue {
  /// Whether it contains everything in `part`: members by name, array elements by index.
  ///
  /// The parser limits the depth of values, and so of this recursion.
  func contains(_ part: JSONValue) -> Bool {
    missing(from: part) == nil
  }

  /// The first place in `part` that is missing here.
  func missing(from part: JSONValue) -> JSONPointer? {
    switch (kind, part.kind) {
    case (.object, .object):
      for member in part.members {
        guard let value = self[member.key] else { return JSONPointer([member.key]) }
        if let inner = value.missing(from: member.value) {
          return JSONPointer([member.key] + inner.tokens)
        }
      }
      return nil
    case (.array, .array):
      var own = elements.makeIterator()
      for (index, element) in part.elements.enumerated() {
        guard let value = own.next() else { return JSONPointer(["\(index)"]) }
        if let inner = value.missing(from: element) {
          return JSONPointer(["\(index)"] + inner.tokens)
        }
      }
      return nil
    default:
      return isEqual(to: part) ? nil : JSONPointer()
    }
  }
}
