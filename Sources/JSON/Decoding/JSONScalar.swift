/// A type that a single JSON token decodes to.
protocol JSONScalar: Decodable {
  static func read(_ value: JSONValue) throws(Mismatch) -> Self
}

/// Why a value is not what a type wants, before anybody has asked where it stands.
struct Mismatch: Error {
  let kind: JSONDecodingError.Kind
  let message: String

  init(_ kind: JSONDecodingError.Kind = .typeMismatch, found value: JSONValue, expected: String) {
    self.kind = value.isNull ? .null : kind
    message = "found \(value.summary), expected \(expected)"
  }
}

extension String: JSONScalar {
  static func read(_ value: JSONValue) throws(Mismatch) -> String {
    guard let text = value.string else { throw Mismatch(found: value, expected: "a string") }
    return text
  }
}

extension Bool: JSONScalar {
  static func read(_ value: JSONValue) throws(Mismatch) -> Bool {
    guard let bool = value.bool else { throw Mismatch(found: value, expected: "true or false") }
    return bool
  }
}

extension Double: JSONScalar {
  static func read(_ value: JSONValue) throws(Mismatch) -> Double {
    try value.floatingPoint(NumberText.double, expected: "a number a Double can hold")
  }
}

extension Float: JSONScalar {
  static func read(_ value: JSONValue) throws(Mismatch) -> Float {
    try value.floatingPoint(
      { Float(String(decoding: $0[$1], as: UTF8.self)) ?? .nan },
      expected: "a number a Float can hold")
  }
}

extension Int: JSONScalar {
  static func read(_ value: JSONValue) throws(Mismatch) -> Int {
    guard let number = value.int else { return try value.integer() }
    return number
  }
}

extension JSONScalar where Self: FixedWidthInteger {
  static func read(_ value: JSONValue) throws(Mismatch) -> Self { try value.integer() }
}

extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}

extension JSONValue {
  fileprivate func integer<I: FixedWidthInteger>() throws(Mismatch) -> I {
    guard kind == .number else { throw Mismatch(found: self, expected: "an integer") }
    if let number = int.flatMap(I.init(exactly:)) { return number }
    let form = DecimalForm(of: storage.source, byteRange)
    if !form.isNegative, let number = form.magnitude.flatMap(I.init(exactly:)) { return number }
    throw Mismatch(
      .numberDoesNotFit, found: self,
      expected: form.isInteger ? "an integer from \(I.min) to \(I.max)" : "an integer")
  }

  fileprivate func floatingPoint<F: BinaryFloatingPoint>(
    _ read: ([UInt8], Range<Int>) -> F, expected: String
  ) throws(Mismatch) -> F {
    guard kind == .number else { throw Mismatch(found: self, expected: "a number") }
    let number = read(storage.source, byteRange)
    guard number.isFinite else {
      throw Mismatch(.numberDoesNotFit, found: self, expected: expected)
    }
    return number
  }
}
