import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Compares the shape of a response with that of an example, where the schema leaves it open.
struct ShapeComparison {
  private(set) var differences: [Difference] = []
  /// Paths that the schema already reported.
  private let reported: Set<[BodyStep]>
  /// How many added fields of one object are reported one by one; more are reported together.
  private let addedMax: Int
  /// The place of findings where the example is not in the contract itself, but in a file.
  private let place: SourcePosition?

  init(reported: Set<[BodyStep]>, addedMax: Int, place: SourcePosition?) {
    self.reported = reported
    self.addedMax = addedMax
    self.place = place
  }

  /// The nesting limit of documents bounds the recursion.
  mutating func compare(_ example: Shape, _ found: Shape) {
    compareKinds(example, found)
    if example.count(.object) > 0, found.count(.object) > 0 {
      if let exampleEntry = example.entry, let foundEntry = found.entry {
        compare(exampleEntry, foundEntry)
        if exampleEntry.count > 0, foundEntry.count == 0, let map = found.first(.object) {
          add(
            .arrayEmptied, "kind", at: example.path,
            "found \(found.isRepeated ? "only empty objects" : "an empty object"), "
              + "expected entries as in the example",
            example.first(.object), [map.pointer])
        }
      } else if !example.view.isMap {
        compareMembers(example, found)
      }
    }
    for (index, slot) in example.slots.sorted(by: { $0.key < $1.key }) {
      if let foundSlot = found.slots[index] { compare(slot, foundSlot) }
    }
    guard !example.slots.isEmpty || example.element != nil, found.count(.array) > 0 else { return }
    if let exampleElement = example.element, let foundElement = found.element {
      compare(exampleElement, foundElement)
    } else if found.slots.isEmpty, found.element == nil, let array = found.first(.array),
      let expected = example.first(.array)
    {
      add(
        .arrayEmptied, "kind", at: example.path,
        "found \(found.isRepeated ? "only empty arrays" : "an empty array"), "
          + "expected elements as in the example",
        expected, [array.pointer])
    }
  }

  private mutating func compareKinds(_ example: Shape, _ found: Shape) {
    guard !found.isAlike(example), !example.view.isTyped, !example.isOpen else { return }
    let kinds = example.kinds.map(\.kind)
    guard kinds.contains(where: { $0 != .null }) else { return }
    let expected = kinds.map(\.rawValue)
    for seen in found.kinds where !kinds.contains(seen.kind) {
      let kind = seen.kind
      add(
        kind == .null ? .schemaNullabilityChanged : .schemaTypeChanged, "kind \(kind)",
        at: example.path,
        "found \(kind.rawValue), expected \(expected.joined(separator: " or "))"
          + note(seen.count, of: found.count, found.isRepeated),
        example.first, [seen.first.pointer],
        diff: Difference.diff(example.first, seen.first, key: example.path.last?.name))
    }
  }

  private mutating func compareMembers(_ example: Shape, _ found: Shape) {
    let objectCount = found.count(.object)
    let added = found.names.filter { example.member($0) == nil && !example.view.knows($0) }
    for name in added.prefix(addedMax) {
      guard let member = found.member(name), let value = member.first else { continue }
      let others = name == added.prefix(addedMax).last ? added.dropFirst(addedMax) : []
      add(
        .schemaFieldAdded, "added", at: example.path + [.member(name)],
        "the contract does not know \(name.shown)"
          + note(member.count, of: objectCount, found.isRepeated)
          + (others.isEmpty ? "" : ", and \(others.count) more"),
        example.first(.object), [value.pointer],
        diff: Difference.diff(nil, value, key: name),
        others: others.map { example.path + [.member($0)] })
    }
    for name in example.names {
      guard let member = example.member(name), let value = member.first else { continue }
      if let foundMember = found.member(name) {
        compare(member, foundMember)
      } else if member.count >= example.count(.object), let object = found.first(.object) {
        add(
          .schemaFieldRemoved, "removed", at: example.path + [.member(name)],
          "missing \(name.shown), which the example has"
            + note(objectCount, of: objectCount, found.isRepeated),
          value, [object.pointer.appending(name)],
          diff: Difference.diff(value, nil, key: name),
          isOptional: example.view.allows(missing: name))
      }
    }
  }

  private func note(_ count: Int, of total: Int, _ isRepeated: Bool) -> String {
    isRepeated ? ", in \(min(count, total)) of \(total.of("element"))" : ""
  }

  private mutating func add(
    _ type: FindingType, _ subject: String, at path: [BodyStep], _ message: String,
    _ expected: JSONValue?, _ pointers: [JSONPointer], diff: [String] = [],
    others: [[BodyStep]] = [], isOptional: Bool = false
  ) {
    guard !reported.contains(path), let expected else { return }
    differences.append(
      Difference(
        type: type, subject: subject, message: message, position: place ?? expected.position,
        path: path, others: others, isOptional: isOptional, pointers: pointers, diff: diff))
  }
}
