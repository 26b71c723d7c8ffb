import Diagnostics

/// The members of an object by the keys of a type.
struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    guard let members = decoder.members else { return [] }
    decoder.trail?.note(.listed)
    return members.keys.compactMap { Key(stringValue: members.storage.text(ofString: $0)) }
  }

  func contains(_ key: Key) -> Bool {
    guard let found = find(key) else { return false }
    found.trail?.note(.tested)
    return true
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    let found = try require(key)
    found.trail?.note(.tested)
    return found.value.isNull
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decode(type, require(key))
  }

  // The defaults of the next ones would look the key up three times.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try optional(key)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try optional(key)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(key) }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let found = findUnlessNull(key) else { return nil }
    return try decode(type, found)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try child(require(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try child(require(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superDecoder(named: "super") }

  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(named: key.stringValue) }

  // MARK: - Members

  struct Found {
    let value: JSONValue
    let trail: ReadPaths.Trail?
  }

  private func find(_ key: Key) -> Found? { find(key.stringValue) }

  private func find(_ key: String) -> Found? {
    guard let index = decoder.members?.find(key), let object = decoder.value else {
      _ = decoder.trail?.stepping(to: .key(key), finding: nil)
      return nil
    }
    let value = JSONValue(object.storage, index)
    return Found(
      value: value, trail: decoder.trail?.stepping(to: .key(key), finding: value))
  }

  private func findUnlessNull(_ key: Key) -> Found? {
    guard let found = find(key) else { return nil }
    guard found.value.isNull else { return found }
    found.trail?.note(.tested)
    return nil
  }

  private func require(_ key: Key) throws -> Found {
    guard let found = find(key) else { throw missing(key) }
    return found
  }

  private func scalar<T: JSONScalar>(_ key: Key) throws -> T { try scalar(require(key)) }

  private func optional<T: JSONScalar>(_ key: Key) throws -> T? {
    try findUnlessNull(key).map(scalar)
  }

  private func scalar<T: JSONScalar>(_ found: Found) throws -> T {
    found.trail?.note(.taken)
    do throws(Mismatch) {
      return try T.read(found.value)
    } catch {
      throw decoder.error(
        error.kind, T.self, at: key(of: found.value), found.value, error.message)
    }
  }

  private func decode<T: Decodable>(_ type: T.Type, _ found: Found) throws -> T {
    try T(from: child(found))
  }

  private func child(_ found: Found) -> ValueDecoder {
    ValueDecoder(
      found.value, .member(found.value.index - 1), in: decoder, trail: found.trail)
  }

  private func superDecoder(named key: String) -> ValueDecoder {
    find(key).map(child)
      ?? ValueDecoder(
        nil, .absent(key), in: decoder,
        trail: decoder.trail?.stepping(to: .key(key), finding: nil))
  }

  private func key(of value: JSONValue) -> PathKey {
    PathKey(stringValue: value.storage.text(ofString: value.index - 1))
  }

  private func missing(_ key: Key) -> DecodingError {
    let object = decoder.value
    let keys = object?.members.map(\.key) ?? []
    let error = decoder.error(
      .missingKey, Key.self, object,
      "found \(object?.summary ?? "nothing"), expected a member \"\(key.stringValue)\"",
      fix: Spelling.suggestion(for: key.stringValue, among: keys))
    guard case .typeMismatch(_, let context) = error else { return error }
    return .keyNotFound(key, context)
  }
}
