package import UnderstudyJSON

extension JSONValue {
  /// Whether both are equal but for the order of array elements.
  ///
  /// The parser limits the depth of values, and so of this recursion.
  func isEqualInAnyOrder(to other: JSONValue) -> Bool {
    switch (kind, other.kind) {
    case (.object, .object):
      return count == other.count
        && members.allSatisfy { member in
          other[member.key].map { member.value.isEqualInAnyOrder(to: $0) } ?? false
        }
    case (.array, .array):
      guard count == other.count else { return false }
      // Equal values are interchangeable: whichever is taken first, no other is left without one.
      var left = Array(other.elements)
      for element in elements {
        guard let place = left.firstIndex(where: { element.isEqualInAnyOrder(to: $0) }) else {
          return false
        }
        left.remove(at: place)
      }
      return true
    default: return isEqual(to: other)
    }
  }

  /// Whether it contains everything in `part`: members by name, and for each element of an array
  /// one of its own.
  func containsInAnyOrder(_ part: JSONValue) -> Bool {
    switch (kind, part.kind) {
    case (.object, .object):
      part.members.allSatisfy { member in
        self[member.key].map { $0.containsInAnyOrder(member.value) } ?? false
      }
    case (.array, .array): Pairing(of: part.elements, to: elements).isComplete
    default: isEqual(to: part)
    }
  }

  /// Whether it contains everything in `part`: members by name, array elements by index.
  package func contains(_ part: JSONValue) -> Bool {
    missing(from: part) == nil
  }

  /// The first place in `part` that is missing here.
  func missing(from part: JSONValue) -> JSONPointer? {
    switch (kind, part.kind) {
    case (.object, .object):
      for member in part.members {
        guard let value = self[member.key] else { return JSONPointer([member.key]) }
        if let inner = value.missing(from: member.value) {
          return JSONPointer([member.key] + inner.tokens)
        }
      }
      return nil
    case (.array, .array):
      var own = elements.makeIterator()
      for (index, element) in part.elements.enumerated() {
        guard let value = own.next() else { return JSONPointer(["\(index)"]) }
        if let inner = value.missing(from: element) {
          return JSONPointer(["\(index)"] + inner.tokens)
        }
      }
      return nil
    default:
      return isEqual(to: part) ? nil : JSONPointer()
    }
  }
}

/// Finds an element of its own for each part: one that suits several may have to be left to the
/// part that nothing else suits.
private struct Pairing {
  let isComplete: Bool

  init(of parts: some Sequence<JSONValue>, to elements: some Sequence<JSONValue>) {
    let elements = Array(elements)
    // By element, the number of the part that has it.
    var owners = [Int?](repeating: nil, count: elements.count)
    var candidates: [[Int]] = []
    for part in parts {
      let own = elements.indices.filter { elements[$0].containsInAnyOrder(part) }
      candidates.append(own)
      guard Self.place(candidates.count - 1, candidates, &owners) else {
        isComplete = false
        return
      }
    }
    isComplete = true
  }

  /// Finds a chain of parts that each give their element to the one before; the last takes a free
  /// one.
  private static func place(_ part: Int, _ candidates: [[Int]], _ owners: inout [Int?]) -> Bool {
    var previous: [Int: Int] = [:]
    var pending = [part]
    var next = 0
    var seen = Set<Int>()
    while next < pending.count {
      let asking = pending[next]
      next += 1
      for element in candidates[asking] where seen.insert(element).inserted {
        previous[element] = asking
        guard let owner = owners[element] else {
          pass(element, to: part, previous, &owners)
          return true
        }
        pending.append(owner)
      }
    }
    return false
  }

  private static func pass(
    _ free: Int, to part: Int, _ previous: [Int: Int], _ owners: inout [Int?]
  ) {
    var element = free
    while let asking = previous[element] {
      let given = owners.firstIndex(of: asking)
      owners[element] = asking
      guard asking != part, let given else { return }
      element = given
    }
  }
}
