import UnderstudyCore
import UnderstudyJSON

/// What samples show about one place of a body. Everything is counted or collected, so the order of
/// the samples does not matter.
final class ShapeEvidence {
  /// Deeper values are ignored: no client reads them by path.
  private static let depthMax = 32

  struct Member {
    let shape = ShapeEvidence()
    /// The number of objects that have it.
    var objectCount = 0
    /// Its first position among an object's members, to keep a familiar order.
    var position = Int.max
  }

  private(set) var kinds: Set<JSONValue.Kind> = []
  /// Whether a number was written with a point or an exponent.
  private(set) var hasDecimals = false
  private(set) var strings = StringEvidence()
  /// For the elements of all arrays.
  private(set) var elements: ShapeEvidence?
  private(set) var objectCount = 0
  private(set) var members: [ExactText: Member] = [:]

  func add(_ value: JSONValue, ofSample sample: Int, depth: Int = 0) {
    guard depth < Self.depthMax else { return }
    kinds.insert(value.kind)
    switch value.kind {
    case .null, .boolean: break
    case .number:
      if let number = value.number, number.text.contains(where: { ".eE".contains($0) }) {
        hasDecimals = true
      }
    case .string: strings.add(value.string ?? "", ofSample: sample)
    case .array:
      guard value.count > 0 else { return }
      let elements = self.elements ?? ShapeEvidence()
      self.elements = elements
      for element in value.elements { elements.add(element, ofSample: sample, depth: depth + 1) }
    case .object: add(membersOf: value, ofSample: sample, depth: depth)
    }
  }

  /// Duplicate members all count, since they are all checked against the schema.
  private func add(membersOf object: JSONValue, ofSample sample: Int, depth: Int) {
    objectCount += 1
    var seen: Set<ExactText> = []
    for (position, member) in object.members.enumerated() {
      let key = ExactText(member.key)
      var known = members[key] ?? Member()
      known.shape.add(member.value, ofSample: sample, depth: depth + 1)
      if seen.insert(key).inserted { known.objectCount += 1 }
      known.position = min(known.position, position)
      members[key] = known
    }
  }

  private func absorb(_ other: ShapeEvidence) {
    kinds.formUnion(other.kinds)
    hasDecimals = hasDecimals || other.hasDecimals
    strings.absorb(other.strings)
    if let others = other.elements {
      let elements = self.elements ?? ShapeEvidence()
      self.elements = elements
      elements.absorb(others)
    }
    objectCount += other.objectCount
    for (key, member) in other.members {
      var known = members[key] ?? Member()
      known.shape.absorb(member.shape)
      known.objectCount += member.objectCount
      known.position = min(known.position, member.position)
      members[key] = known
    }
  }

  /// In their most common order.
  var sortedMembers: [(key: String, value: Member)] {
    members.map { (key: $0.key.text, value: $0.value) }.sorted { left, right in
      left.value.position != right.value.position
        ? left.value.position < right.value.position
        : left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }
  }

  // MARK: - Maps

  /// The shape of every value, if the objects are maps, whose keys are data rather than names.
  ///
  /// That is when all values have one shape, and the keys are numbers, dates or identifiers, or
  /// many keys differ between objects, or many have arrays or objects as values.
  var mapValues: ShapeEvidence? {
    guard members.count >= 3, hasOneKind(members.values.map(\.shape)) else { return nil }
    let keysAreData = members.keys.allSatisfy { Self.isData($0.text) }
    let alwaysCount = members.values.count { $0.objectCount == objectCount }
    let keysDiffer = members.count >= 8 && alwaysCount * 2 <= members.count
    guard keysAreData || keysDiffer || members.count >= 10 else { return nil }
    let values = ShapeEvidence()
    for member in members.values { values.absorb(member.shape) }
    let hasContainers = !values.kinds.isDisjoint(with: [.array, .object])
    guard values.isUniform, keysAreData || keysDiffer || hasContainers else { return nil }
    return values
  }

  private func hasOneKind(_ shapes: [ShapeEvidence]) -> Bool {
    shapes.reduce(into: Set()) { $0.formUnion($1.kinds) }.subtracting([.null]).count == 1
  }

  /// Whether all values have one kind, and most members are in all objects.
  private var isUniform: Bool {
    guard kinds.subtracting([.null]).count <= 1 else { return false }
    if let elements, !elements.isUniform { return false }
    let alwaysCount = members.values.count { $0.objectCount == objectCount }
    return alwaysCount * 2 >= members.count || mapValues != nil
  }

  private static func isData(_ key: String) -> Bool {
    guard let first = key.utf8.first else { return false }
    let isHexadecimal = key.utf8.allSatisfy { byte in
      "0123456789abcdefABCDEF-".utf8.contains(byte)
    }
    return UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
      || isHexadecimal && key.utf8.count >= 8 && key.contains(where: \.isNumber)
  }
}
