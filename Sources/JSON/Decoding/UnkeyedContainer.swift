/// The elements of an array, one after the other.
struct UnkeyedContainer: UnkeyedDecodingContainer {
  private let decoder: ValueDecoder
  private let storage: JSONStorage
  private var next: Int
  private let length: Int
  private(set) var currentIndex = 0
  private let trail: ReadPaths.Trail?

  init(decoder: ValueDecoder, array: JSONValue) {
    self.decoder = decoder
    storage = array.storage
    next = array.index + 2
    length = array.count
    trail = decoder.trail?.stepping(to: .element, finding: array.elements)
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { length }
  var isAtEnd: Bool { currentIndex == length }

  mutating func decodeNil() throws -> Bool {
    let value = try peek(Never?.self)
    trail?.note(.tested)
    if value.isNull { advance() }
    return value.isNull
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
  mutating func decode(_ type: String.Type) throws -> String { try scalar() }
  mutating func decode(_ type: Double.Type) throws -> Double { try scalar() }
  mutating func decode(_ type: Float.Type) throws -> Float { try scalar() }
  mutating func decode(_ type: Int.Type) throws -> Int { try scalar() }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try scalar() }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try scalar() }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try scalar() }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try scalar() }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar() }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar() }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar() }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar() }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // Arrays decode their elements by this method, whatever the type.
    let fast: Any? =
      if type == String.self {
        try scalar() as String
      } else if type == Int.self {
        try scalar() as Int
      } else if type == Double.self {
        try scalar() as Double
      } else {
        nil
      }
    if let value = fast as? T { return value }
    let value = try T(from: child(type))
    advance()
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try child([String: any Decodable].self).container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try child([any Decodable].self).unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try child((any Decoder).self)
    advance()
    return decoder
  }

  // MARK: - Elements

  private func peek(_ type: Any.Type) throws -> JSONValue {
    guard currentIndex < length else {
      let array = decoder.value
      throw decoder.error(
        .endOfArray, type, array,
        "found \(array?.summary ?? "nothing"), expected at least \(length + 1)")
    }
    return JSONValue(storage, next)
  }

  private mutating func advance() {
    next = storage.tape.index(after: next)
    currentIndex += 1
  }

  /// An element that could not be decoded stays the current one.
  private mutating func scalar<T: JSONScalar>() throws -> T {
    let value = try peek(T.self)
    trail?.note(.taken)
    do throws(Mismatch) {
      let scalar = try T.read(value)
      advance()
      return scalar
    } catch {
      throw decoder.error(
        error.kind, T.self, at: PathKey(intValue: currentIndex), value, error.message)
    }
  }

  private func child(_ type: Any.Type) throws -> ValueDecoder {
    ValueDecoder(try peek(type), .element(currentIndex), in: decoder, trail: trail)
  }
}
