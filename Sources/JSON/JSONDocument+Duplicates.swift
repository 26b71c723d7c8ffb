import UnderstudyCore

extension JSONDocument {
  /// The document as most parsers read it, with only the last of duplicate keys, and the members
  /// that it lacks, in their order.
  ///
  /// The dropped members are overwritten with spaces, so that places of other values stay; only
  /// columns to the right of non-ASCII text that is gone count bytes.
  package func withoutDuplicateKeys() -> (document: JSONDocument, dropped: [JSONMember]) {
    var dropped: [JSONMember] = []
    var pending = [root]
    while let value = pending.popLast() {
      pending += value.elements.filter { $0.count > 0 }
      guard value.kind == .object else { continue }
      let index = MemberIndex(of: value)
      guard index.hasDuplicates else {
        pending += value.members.lazy.map(\.value).filter { $0.count > 0 }
        continue
      }
      let kept = Set(index.keys(in: storage))
      for member in value.members {
        if kept.contains(member.keyIndex) {
          pending.append(member.value)
        } else {
          dropped.append(member)
        }
      }
    }
    guard !dropped.isEmpty else { return (self, []) }
    dropped.sort { $0.keyIndex < $1.keyIndex }
    var bytes = storage.source
    for member in dropped {
      var end = member.value.byteRange.upperBound
      // Another member of the same key follows, so a comma does, too.
      while end < bytes.count, bytes[end] != .comma { end += 1 }
      for place in member.keyRange.lowerBound...min(end, bytes.count - 1)
      where bytes[place] != .newline {
        bytes[place] = .space
      }
    }
    // Without a member, an object is still JSON.
    return (JSONDocument(valid: bytes, limits: storage.limits) ?? self, dropped)
  }
}
