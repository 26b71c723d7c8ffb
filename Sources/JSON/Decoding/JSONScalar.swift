/// A type that a single JSON token decodes to.
protocol JSONScalar: Decodable {
  static func read(_ index: Int, in storage: JSONStorage) throws(Mismatch) -> Self
}

/// Why a value does not suit a type, before its position is known.
struct Mismatch: Error {
  let kind: JSONDecodingError.Kind
  let message: String

  init(_ kind: JSONDecodingError.Kind = .typeMismatch, found value: JSONValue, expected: String) {
    self.kind = value.isNull ? .null : kind
    message = "found \(value.summary), expected \(expected)"
  }
}

extension String: JSONScalar {
  static func read(_ index: Int, in storage: JSONStorage) throws(Mismatch) -> String {
    guard storage.tape[index].isString else {
      throw Mismatch(found: JSONValue(storage, index), expected: "a string")
    }
    return storage.text(ofString: index)
  }
}

extension Bool: JSONScalar {
  static func read(_ index: Int, in storage: JSONStorage) throws(Mismatch) -> Bool {
    switch storage.tape[index].tag {
    case .true: return true
    case .false: return false
    default: throw Mismatch(found: JSONValue(storage, index), expected: "true or false")
    }
  }
}

extension Double: JSONScalar {
  static func read(_ index: Int, in storage: JSONStorage) throws(Mismatch) -> Double {
    let number = NumberText.double(in: storage.source, try storage.number(index, "a number"))
    return try storage.finite(number, index, "a number a Double can hold")
  }
}

extension Float: JSONScalar {
  static func read(_ index: Int, in storage: JSONStorage) throws(Mismatch) -> Float {
    let range = try storage.number(index, "a number")
    let number = Float(String(decoding: storage.source[range], as: UTF8.self)) ?? .nan
    return try storage.finite(number, index, "a number a Float can hold")
  }
}

extension JSONScalar where Self: FixedWidthInteger {
  static func read(_ index: Int, in storage: JSONStorage) throws(Mismatch) -> Self {
    let range = try storage.number(index, "an integer")
    if let number = NumberText.int(in: storage.source, range).flatMap(Self.init(exactly:)) {
      return number
    }
    let form = DecimalForm(of: storage.source, range)
    if !form.isNegative, let number = form.magnitude.flatMap(Self.init(exactly:)) {
      return number
    }
    throw Mismatch(
      .numberDoesNotFit, found: JSONValue(storage, index),
      expected: form.isInteger ? "an integer from \(Self.min) to \(Self.max)" : "an integer")
  }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}

extension JSONStorage {
  /// Where the number is in the source.
  fileprivate func number(_ index: Int, _ expected: String) throws(Mismatch) -> Range<Int> {
    let word = tape[index]
    guard word.tag == .integer || word.tag == .decimal else {
      throw Mismatch(found: JSONValue(self, index), expected: expected)
    }
    return word.offset..<word.offset + word.length
  }

  fileprivate func finite<F: BinaryFloatingPoint>(
    _ number: F, _ index: Int, _ expected: String
  ) throws(Mismatch) -> F {
    guard number.isFinite else {
      throw Mismatch(.numberDoesNotFit, found: JSONValue(self, index), expected: expected)
    }
    return number
  }
}
