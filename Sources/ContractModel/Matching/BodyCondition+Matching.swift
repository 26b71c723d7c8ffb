package import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

extension BodyCondition {
  /// The first test that the body fails.
  func firstFailure(in body: borrowing RequestBody) -> Test? {
    for test in tests where !test.accepts(body) { return test }
    return nil
  }
}

/// A request's body, parsed at most once in each form, when first needed.
package final class RequestBody {
  /// Decompressed where that is possible.
  package let bytes: [UInt8]
  /// When it arrived: what conditions on dates compare with.
  let now: Moment
  private(set) lazy var json: JSONValue? = JSONDocument(valid: bytes)?.root
  /// Invalid UTF-8 becomes U+FFFD.
  package private(set) lazy var text = String(decoding: bytes, as: UTF8.self)
  /// The values of a form's fields, by name.
  private(set) lazy var form: [String: [String]] = RequestParts.query(text)
  private(set) lazy var parts = BodyPart.all(in: bytes, at: now)

  /// More is not decompressed.
  private static let byteCountMax = 16 << 20

  /// - Parameter codings: the values of its `Content-Encoding`.
  package init(_ bytes: [UInt8], codings: [String] = [], at now: Moment = .now) {
    self.now = now
    var decoded: [UInt8]? = bytes
    let names = codings.joined(separator: ",").split { $0 == "," || $0 == " " }
    for name in names.reversed() where name.lowercased() != "identity" {
      decoded = decoded.flatMap {
        Inflate.decoded($0, coding: String(name), byteCountMax: Self.byteCountMax)
      }
    }
    self.bytes = decoded ?? bytes
  }

  /// The values that a condition on a form is about.
  func values(of condition: Condition) -> [String] {
    if case .noOthers = condition.test { return form.keys.sorted() }
    return form[condition.name] ?? []
  }
}

extension BodyCondition.Test {
  func accepts(_ body: RequestBody) -> Bool {
    switch self {
    case .equals(let expected, .given): body.json.map { expected.isEqual(to: $0) } ?? false
    case .equals(let expected, .any):
      body.json.map { expected.isEqualInAnyOrder(to: $0) } ?? false
    case .contains(let expected, .given): body.json.map { $0.contains(expected) } ?? false
    case .contains(let expected, .any):
      body.json.map { $0.containsInAnyOrder(expected) } ?? false
    case .schema(let schema): body.json.map { schema.accepts($0, now: body.now) } ?? false
    case .text(let expected): body.bytes.elementsEqual(expected.utf8)
    case .bytes(let expected): body.bytes == expected
    case .matches(let pattern): pattern.matches(body.text)
    case .date(let date): date.accepts(body.text, at: body.now)
    case .form(let conditions):
      conditions.allSatisfy { $0.accepts(all: body.values(of: $0), at: body.now) }
    case .multipart(let conditions): conditions.allSatisfy { $0.accepts(body.parts) }
    case .not(let tests): !tests.allSatisfy { $0.accepts(body) }
    }
  }
}

extension PartCondition {
  func accepts(_ parts: [BodyPart]) -> Bool {
    if case .noOthers(let names) = text.test {
      return parts.allSatisfy { part in part.name.map(names.contains) ?? false }
    }
    if isOfAll { return !parts.isEmpty && parts.allSatisfy { isOf($0) && accepts($0) } }
    let own = parts.filter(isOf)
    return own.isEmpty ? text.acceptsAbsence : own.contains { accepts($0) }
  }

  func isOf(_ part: BodyPart) -> Bool { name == nil || part.name == name }

  private func accepts(_ part: BodyPart) -> Bool {
    let now = part.body.now
    return text.accepts(part.body.text, at: now)
      && filename?.accepts(part.filename, at: now) != false
      && contentType?.accepts(part.contentType, at: now) != false
      && headers.allSatisfy { $0.accepts(part.headers[$0.lookupName], at: now) }
      && body?.firstFailure(in: part.body) == nil
  }
}
