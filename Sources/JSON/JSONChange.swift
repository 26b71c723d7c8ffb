/// One place where two values differ.
package struct JSONChange: Sendable {
  /// How the two values differ.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case added, removed, kindChanged, valueChanged
  }

  package let kind: Kind
  /// The path from the compared values.
  package let pointer: JSONPointer
  package let old: JSONValue?
  package let new: JSONValue?
}

extension JSONValue {
  /// The changes that make this value equal to `new`, in the order of the old source; added members
  /// follow the changes in their object.
  ///
  /// Elements of arrays are compared by index. Numbers are compared by value, members in any order,
  /// and the last of duplicate keys counts.
  package func changes(to new: JSONValue) -> [JSONChange] {
    var collector = JSONChangeCollector()
    collector.compare(self, new)
    return collector.changes
  }
}

/// Walks two values in parallel; the nesting limit bounds its recursion.
private struct JSONChangeCollector {
  private enum Step {
    case member(JSONMember)
    case element(Int)
  }

  private(set) var changes: [JSONChange] = []
  /// Turned into a pointer only for a change.
  private var path: [Step] = []

  mutating func compare(_ old: JSONValue, _ new: JSONValue) {
    switch (old.kind, new.kind) {
    case (.object, .object): compareMembers(old, new)
    case (.array, .array): compareElements(old, new)
    case (let kind, let newKind):
      if kind != newKind {
        add(.kindChanged, old, new)
      } else if !old.isEqual(to: new) {
        add(.valueChanged, old, new)
      }
    }
  }

  private mutating func compareElements(_ old: JSONValue, _ new: JSONValue) {
    var (olds, news) = (old.elements.makeIterator(), new.elements.makeIterator())
    for position in 0..<max(old.count, new.count) {
      path.append(.element(position))
      switch (olds.next(), news.next()) {
      case (let old?, let new?): compare(old, new)
      case (let old, nil): add(.removed, old, nil)
      case (nil, let new): add(.added, nil, new)
      }
      path.removeLast()
    }
  }

  private mutating func compareMembers(_ old: JSONValue, _ new: JSONValue) {
    var (oldIndex, newIndex) = (MemberIndex(of: old), MemberIndex(of: new))
    for key in oldIndex.keys(in: old.storage) {
      let member = JSONMember(old.storage, key)
      path.append(.member(member))
      if let index = newIndex.find(keyOf: member, in: new.storage) {
        compare(member.value, JSONValue(new.storage, index))
      } else {
        add(.removed, member.value, nil)
      }
      path.removeLast()
    }
    for key in newIndex.keys(in: new.storage) {
      let member = JSONMember(new.storage, key)
      guard oldIndex.find(keyOf: member, in: old.storage) == nil else { continue }
      path.append(.member(member))
      add(.added, nil, member.value)
      path.removeLast()
    }
  }

  private mutating func add(_ kind: JSONChange.Kind, _ old: JSONValue?, _ new: JSONValue?) {
    let tokens = path.map { step in
      switch step {
      case .member(let member): member.key
      case .element(let position): String(position)
      }
    }
    changes.append(
      JSONChange(kind: kind, pointer: JSONPointer(tokens), old: old, new: new))
  }
}
