extension JSONValue {
  /// Whether both values are equal: numbers are compared by value, members in any order, and the
  /// last of duplicate keys counts.
  package func isEqual(to other: JSONValue) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .null: return true
    case .boolean: return word.tag == other.word.tag
    case .number: return hasSameNumber(as: other)
    case .string: return hasSameText(as: other)
    case .array:
      // The nesting limit bounds the recursion.
      return count == other.count && zip(elements, other.elements).allSatisfy { $0.isEqual(to: $1) }
    case .object: return hasSameMembers(as: other)
    }
  }

  func hasSameText(as other: JSONValue) -> Bool {
    storage.withBytes(ofString: index) { other.storage.isString(other.index, equalTo: $0) }
  }

  func hasSameNumber(as other: JSONValue) -> Bool {
    let (range, otherRange) = (byteRange, other.byteRange)
    return storage.source[range] == other.storage.source[otherRange]
      || DecimalForm(of: storage.source, range)
        == DecimalForm(of: other.storage.source, otherRange)
  }

  private func hasSameMembers(as other: JSONValue) -> Bool {
    let keys = MemberIndex(of: self).keys(in: storage)
    var others = MemberIndex(of: other)
    guard keys.count == others.keys(in: other.storage).count else { return false }
    return keys.allSatisfy { key in
      let member = JSONMember(storage, key)
      guard let found = others.find(keyOf: member, in: other.storage) else { return false }
      return member.value.isEqual(to: JSONValue(other.storage, found))
    }
  }
}
