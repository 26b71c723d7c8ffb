import UnderstudyCore

/// Decodes one value, and then possibly another: if the decoded type has not kept the decoder, the
/// next value of the same container reuses it. That saves as much time as decoding a number takes.
///
/// The folder decodes `Decodable` types for consumers and for our own files. `JSONTreeDecoder` is
/// its entry. It makes one of these, which hands out `KeyedContainer` and `UnkeyedContainer`;
/// `JSONScalar` converts single tokens, and `JSONDecodingError` says what was found where.
/// `ReadPaths` records each path that a type asks for, also if nothing is there: drift and mutation
/// rely on it.
///
/// A decoder belongs to one decoding and its thread; only `ReadPaths` is shared.
final class ValueDecoder: Decoder {
  /// How a value is contained in the one around it.
  enum Container {
    case root
    case element(Int)
    /// The key precedes the value in the tape.
    case member
    /// The key is missing, but its `superDecoder` was requested.
    case absent
  }

  let storage: JSONStorage
  private let absentKey: String?

  // One thread decodes with it, and nothing that changes these calls back into it.
  /// The tape index of the value; `nil` for a missing value, which decodes like `null`.
  @exclusivity(unchecked) private(set) var index: Int?
  private var place: Container
  private var parent: ValueDecoder?
  private(set) var trail: ReadPaths.Trail?
  /// Shared by all keyed containers of this value, created with the first one.
  @exclusivity(unchecked) var members: MemberIndex?
  /// An unused decoder for values inside this one.
  private var spare: ValueDecoder?

  init(root value: JSONValue, recorder: ReadPaths?) {
    storage = value.storage
    index = value.index
    place = .root
    absentKey = nil
    trail = recorder.map { $0.beginning(with: value) }
  }

  init(_ index: Int, _ place: Container, in parent: ValueDecoder, trail: ReadPaths.Trail?) {
    storage = parent.storage
    self.index = index
    self.place = place
    self.parent = parent
    absentKey = nil
    self.trail = trail
  }

  init(absent key: String, in parent: ValueDecoder, trail: ReadPaths.Trail?) {
    storage = parent.storage
    place = .absent
    self.parent = parent
    absentKey = key
    self.trail = trail
  }

  /// Decodes a value inside this one.
  func decode<T: Decodable>(
    _ type: T.Type, at index: Int, _ place: Container, trail: ReadPaths.Trail?
  ) throws -> T {
    var child: ValueDecoder
    if let spare {
      child = spare
      self.spare = nil
      child.index = index
      child.place = place
      child.parent = self
      child.trail = trail
    } else {
      child = ValueDecoder(index, place, in: self, trail: trail)
    }
    let value = try T(from: child)
    if isKnownUniquelyReferenced(&child) {
      child.parent = nil
      child.members = nil
      spare = child
    }
    return value
  }

  var value: JSONValue? { index.map { JSONValue(storage, $0) } }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Collected from the surrounding decoders only on request.
  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var decoder = self
    while let parent = decoder.parent {
      if let key = decoder.key { path.append(key) }
      decoder = parent
    }
    path.reverse()
    return path
  }

  private var key: PathKey? {
    switch place {
    case .root: nil
    case .element(let index): PathKey(intValue: index)
    case .member: index.map { PathKey(stringValue: storage.text(ofString: $0 - 1)) }
    case .absent: absentKey.map(PathKey.init(stringValue:))
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let index, storage.tape[index].tag == .object else {
      throw mismatch([String: any Decodable].self, expected: "an object")
    }
    trail?.note(.opened)
    if members == nil { members = MemberIndex(ofObject: index, in: storage) }
    return KeyedDecodingContainer(KeyedContainer<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let index, storage.tape[index].tag == .array else {
      throw mismatch([any Decodable].self, expected: "an array")
    }
    trail?.note([.opened, .iterated])
    return UnkeyedContainer(decoder: self, first: index + 2)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  // MARK: - Errors

  /// An error about a value inside this one, or about this one if there is no key.
  func error(
    _ kind: JSONDecodingError.Kind, _ type: Any.Type, at key: (any CodingKey)? = nil,
    _ value: JSONValue?, _ message: String, fix: String? = nil
  ) -> DecodingError {
    let path = codingPath + (key.map { [$0] } ?? [])
    let place = value ?? self.value ?? parent?.value
    let original = JSONDecodingError(
      kind, at: JSONPointer(path.map(\.pointerToken)),
      place?.position ?? SourcePosition(line: 1, column: 1), message, fix: fix)
    let context = DecodingError.Context(
      codingPath: path, debugDescription: message, underlyingError: original)
    return switch kind {
    case .null, .endOfArray: .valueNotFound(type, context)
    case .invalidJSON, .numberDoesNotFit, .refused: .dataCorrupted(context)
    case .typeMismatch, .missingKey: .typeMismatch(type, context)
    }
  }

  private func mismatch(_ type: Any.Type, expected: String) -> DecodingError {
    guard let value else { return error(.null, type, nil, "found nothing, expected \(expected)") }
    let mismatch = Mismatch(found: value, expected: expected)
    return error(mismatch.kind, type, value, mismatch.message)
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    trail?.note(.tested)
    return value?.isNull ?? true
  }

  func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
  func decode(_ type: String.Type) throws -> String { try scalar() }
  func decode(_ type: Double.Type) throws -> Double { try scalar() }
  func decode(_ type: Float.Type) throws -> Float { try scalar() }
  func decode(_ type: Int.Type) throws -> Int { try scalar() }
  func decode(_ type: Int8.Type) throws -> Int8 { try scalar() }
  func decode(_ type: Int16.Type) throws -> Int16 { try scalar() }
  func decode(_ type: Int32.Type) throws -> Int32 { try scalar() }
  func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
  func decode(_ type: UInt.Type) throws -> UInt { try scalar() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar() }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }

  private func scalar<T: JSONScalar>() throws -> T {
    guard let index else {
      throw error(.null, T.self, nil, "found nothing, expected a value")
    }
    trail?.note(.taken)
    do throws(Mismatch) {
      return try T.read(index, in: storage)
    } catch {
      throw self.error(error.kind, T.self, value, error.message)
    }
  }
}

/// A key or an index on the path to a value.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}
