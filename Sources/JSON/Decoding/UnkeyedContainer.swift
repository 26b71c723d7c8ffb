/// The elements of an array, one after the other.
struct UnkeyedContainer: UnkeyedDecodingContainer {
  // Three words, which fit into an existential without a heap box.
  private let decoder: ValueDecoder
  private var next: Int
  private(set) var currentIndex = 0

  /// Starts with the element at a tape index.
  init(decoder: ValueDecoder, first: Int) {
    self.decoder = decoder
    next = first
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { length }
  var isAtEnd: Bool { currentIndex == length }
  private var length: Int { decoder.index.map { decoder.storage.tape[$0].length } ?? 0 }

  mutating func decodeNil() throws -> Bool {
    try peek(Never?.self, .tested)
    let isNull = decoder.isNull(next)
    if isNull { advance() }
    return isNull
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
    // Arrays decode their elements through this method, whatever the type. The most common types
    // need no decoder each.
    // SAFETY: each cast is between types that were just found to be equal.
    if type == String.self { return unsafeBitCast(try scalar() as String, to: T.self) }
    if type == Int.self { return unsafeBitCast(try scalar() as Int, to: T.self) }
    if type == Double.self { return unsafeBitCast(try scalar() as Double, to: T.self) }
    try peek(type, [])
    let value = try decoder.decode(
      type, at: next, .element(currentIndex), trail: elementTrail)
    advance()
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try peek([String: any Decodable].self, [])
    let container = try child.container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try peek([any Decodable].self, [])
    let container = try child.unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    try peek((any Decoder).self, [])
    let decoder = child
    advance()
    return decoder
  }

  // MARK: - Elements

  /// Checks that there is a next element, and records its use.
  private func peek(_ type: Any.Type, _ use: ReadPaths.Use) throws {
    guard currentIndex < length else {
      throw decoder.error(
        .endOfArray, type, decoder.value,
        "found \(decoder.value?.summary ?? "nothing"), expected at least \(currentIndex + 1)")
    }
    if let trail = decoder.trail {
      trail.note(use, at: .element, finding: JSONValue(decoder.storage, next))
    }
  }

  private mutating func advance() {
    next = decoder.storage.tape.index(after: next)
    currentIndex += 1
  }

  /// An element that could not be decoded stays current.
  private mutating func scalar<T: JSONScalar>() throws -> T {
    try peek(T.self, .taken)
    do throws(Mismatch) {
      let scalar = try T.read(next, in: decoder.storage)
      advance()
      return scalar
    } catch {
      throw decoder.error(
        error.kind, T.self, at: PathKey(intValue: currentIndex),
        JSONValue(decoder.storage, next), error.message)
    }
  }

  private var child: ValueDecoder {
    ValueDecoder(next, .element(currentIndex), in: decoder, trail: elementTrail)
  }

  private var elementTrail: ReadPaths.Trail? {
    guard let trail = decoder.trail else { return nil }
    return trail.stepping(to: .element, finding: JSONValue(decoder.storage, next))
  }
}
