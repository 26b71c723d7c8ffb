/// The members of an object by the keys of a type. Code that does not depend on the key type is in
/// the decoder, where it is compiled once without generics.
struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { decoder.memberKeys.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool {
    decoder.member(key.stringValue, .tested) != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try decoder.isNull(decoder.requiredMember(key.stringValue, .tested))
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try decoder.scalar(key.stringValue)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try decoder.scalar(key.stringValue)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.decode(type, member: decoder.requiredMember(key.stringValue, []))
  }

  // The default implementations of the following would look the key up three times.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try decoder.optionalScalar(key.stringValue)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try decoder.optionalScalar(key.stringValue)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try decoder.optionalScalar(key.stringValue)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try decoder.optionalScalar(key.stringValue)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let member = decoder.member(key.stringValue, []), !decoder.isNull(member) else {
      return nil
    }
    return try decoder.decode(type, member: member)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder.child(decoder.requiredMember(key.stringValue, [])).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.child(decoder.requiredMember(key.stringValue, [])).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder.superDecoder("super") }
  func superDecoder(forKey key: Key) throws -> any Decoder {
    decoder.superDecoder(key.stringValue)
  }
}
