package import UnderstudyCore

/// The elements of an array, in order.
package struct JSONElements: Sequence, Sendable {
  let storage: JSONStorage
  let start: Int
  let end: Int

  package struct Iterator: IteratorProtocol {
    let storage: JSONStorage
    var index: Int
    let end: Int

    package mutating func next() -> JSONValue? {
      guard index < end else { return nil }
      defer { index = storage.tape.index(after: index) }
      return JSONValue(storage, index)
    }
  }

  package func makeIterator() -> Iterator { Iterator(storage: storage, index: start, end: end) }
}

/// The members of an object in source order, duplicates included.
package struct JSONMembers: Sequence, Sendable {
  let storage: JSONStorage
  let start: Int
  let end: Int

  package struct Iterator: IteratorProtocol {
    let storage: JSONStorage
    var index: Int
    let end: Int

    package mutating func next() -> JSONMember? {
      guard index < end else { return nil }
      defer { index = storage.tape.index(after: index + 1) }
      return JSONMember(storage, index)
    }
  }

  package func makeIterator() -> Iterator { Iterator(storage: storage, index: start, end: end) }
}

/// One key of an object with its value.
package struct JSONMember: Sendable {
  let storage: JSONStorage
  /// The tape index of the key; its value follows.
  let keyIndex: Int

  init(_ storage: JSONStorage, _ keyIndex: Int) {
    self.storage = storage
    self.keyIndex = keyIndex
  }

  package var key: String { storage.text(ofString: keyIndex) }
  package var keyPosition: SourcePosition {
    storage.position(ofByte: storage.tape[keyIndex].offset)
  }
  package var value: JSONValue { JSONValue(storage, keyIndex + 1) }

  /// The range of the key in the source, with its quotes.
  var keyRange: Range<Int> {
    let word = storage.tape[keyIndex]
    return word.offset..<word.offset + word.length + 2
  }

  /// Whether its key is this one, byte for byte and without creating a string.
  package func hasKey(_ key: String) -> Bool {
    key.withUTF8Bytes { storage.isString(keyIndex, equalTo: $0) }
  }
}

extension JSONValue {
  /// Empty unless the value is an array.
  package var elements: JSONElements {
    let range = contents(of: .array)
    return JSONElements(storage: storage, start: range.lowerBound, end: range.upperBound)
  }

  /// Empty unless the value is an object.
  package var members: JSONMembers {
    let range = contents(of: .object)
    return JSONMembers(storage: storage, start: range.lowerBound, end: range.upperBound)
  }

  /// The tape indices of the container's contents; empty for values of other kinds.
  func contents(of tag: TapeWord.Tag) -> Range<Int> {
    word.tag == tag ? index + 2..<storage.tape.index(after: index) : 0..<0
  }

  /// The last of duplicate keys counts, as in most parsers.
  package subscript(_ key: String) -> JSONValue? {
    var found: Int?
    let range = contents(of: .object)
    key.withUTF8Bytes { bytes in
      var next = range.lowerBound
      while next < range.upperBound {
        if storage.isString(next, equalTo: bytes) { found = next + 1 }
        next = storage.tape.index(after: next + 1)
      }
    }
    return found.map { JSONValue(storage, $0) }
  }

  /// Walks there from the first element.
  package subscript(_ position: Int) -> JSONValue? {
    guard word.tag == .array, 0..<word.length ~= position else { return nil }
    var next = index + 2
    for _ in 0..<position { next = storage.tape.index(after: next) }
    return JSONValue(storage, next)
  }

  /// Members of this object whose key has occurred before in it.
  package var duplicateKeys: [JSONMember] {
    guard word.tag == .object, MemberIndex(of: self).hasDuplicates else { return [] }
    var seen: Set<[UInt8]> = []
    return members.filter { member in
      !seen.insert(storage.withBytes(ofString: member.keyIndex) { Array($0) }).inserted
    }
  }
}
