import UnderstudyCore

/// The members of an object, for keyed containers of any type. Members are found as tape indices of
/// their values.
extension ValueDecoder {
  var memberKeys: [String] {
    guard let members else { return [] }
    trail?.note(.listed)
    return members.keys(in: storage).map(storage.text(ofString:))
  }

  /// Records that the key was looked up, and for which use.
  func member(_ key: String, _ use: ReadPaths.Use) -> Int? {
    let member = members?.find(key, in: storage)
    if trail != nil { record(key, use, member) }
    return member
  }

  @inline(never)
  private func record(_ key: String, _ use: ReadPaths.Use, _ member: Int?) {
    trail?.note(use, at: .key(key), finding: member.map { JSONValue(storage, $0) })
  }

  func requiredMember(_ key: String, _ use: ReadPaths.Use) throws -> Int {
    guard let member = member(key, use) else { throw missing(key) }
    return member
  }

  func isNull(_ index: Int) -> Bool { storage.tape[index].tag == .null }

  func scalar<T: JSONScalar>(_ key: String) throws -> T {
    guard let member = member(key, .taken) else { throw missing(key) }
    return try scalar(at: member)
  }

  func optionalScalar<T: JSONScalar>(_ key: String) throws -> T? {
    guard let member = member(key, .taken), !isNull(member) else { return nil }
    return try scalar(at: member)
  }

  /// Arrays of the most common scalars need no decoder, unless something in them is wrong or must
  /// be recorded.
  func decode<T: Decodable>(_ type: T.Type, member: Int) throws -> T {
    // SAFETY: each cast is between types that were just found to be equal.
    if type == [String].self, let array = array(member) as [String]? {
      return unsafeBitCast(array, to: T.self)
    }
    if type == [Int].self, let array = array(member) as [Int]? {
      return unsafeBitCast(array, to: T.self)
    }
    if type == [Double].self, let array = array(member) as [Double]? {
      return unsafeBitCast(array, to: T.self)
    }
    return try decode(type, at: member, .member, trail: trail(toMember: member))
  }

  private func array<T: JSONScalar>(_ index: Int) -> [T]? {
    let word = storage.tape[index]
    guard trail == nil, word.tag == .array else { return nil }
    var array: [T] = []
    array.reserveCapacity(word.length)
    var element = index + 2
    for _ in 0..<word.length {
      guard let value = try? T.read(element, in: storage) else { return nil }
      array.append(value)
      element = storage.tape.index(after: element)
    }
    return array
  }

  func child(_ member: Int) -> ValueDecoder {
    ValueDecoder(member, .member, in: self, trail: trail(toMember: member))
  }

  private func trail(toMember member: Int) -> ReadPaths.Trail? {
    guard let trail else { return nil }
    return trail.stepping(
      to: .key(storage.text(ofString: member - 1)), finding: JSONValue(storage, member))
  }

  /// Decodes `null` if there is no such member.
  func superDecoder(_ key: String) -> ValueDecoder {
    if let member = member(key, []) { return child(member) }
    return ValueDecoder(
      absent: key, in: self, trail: trail.map { $0.stepping(to: .key(key), finding: nil) })
  }

  private func scalar<T: JSONScalar>(at member: Int) throws -> T {
    do throws(Mismatch) {
      return try T.read(member, in: storage)
    } catch {
      let key = PathKey(stringValue: storage.text(ofString: member - 1))
      throw self.error(
        error.kind, T.self, at: key, JSONValue(storage, member), error.message)
    }
  }

  private func missing(_ key: String) -> DecodingError {
    let keys = value?.members.map(\.key) ?? []
    let error = error(
      .missingKey, JSONValue.self, value,
      "found \(value?.summary ?? "nothing"), expected a member \"\(key)\"",
      fix: Spelling.suggestion(for: key, among: keys))
    guard case .typeMismatch(_, let context) = error else { return error }
    return .keyNotFound(PathKey(stringValue: key), context)
  }
}
