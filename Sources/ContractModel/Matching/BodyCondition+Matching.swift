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

/// A request's body, parsed as JSON once and only when a condition asks for it.
final class RequestBody {
  let bytes: [UInt8]
  private(set) lazy var json: JSONValue? = try? JSONDocument(parsing: bytes).root
  /// What is not UTF-8 is U+FFFD.
  private(set) lazy var text = String(decoding: bytes, as: UTF8.self)

  init(_ bytes: [UInt8]) {
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
  /// Whether everything in `part` is here too: members by name, array elements at their places.
  ///
  /// The parser bounds how deep a value can be, and with it this recursion.
  func contains(_ part: JSONValue) -> Bool {
    missing(from: part) == nil
  }

  /// Where `part` first has something that is not here.
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
