import UnderstudyCore
import UnderstudyJSON

/// What samples show about one place of a body. Everything is counted or collected, so the order of
/// the samples does not matter.
final class ShapeSamples {
  /// Deeper values are ignored: no client reads them by path.
  private static let depthMax = 32

  struct Member {
    let shape: ShapeSamples
    /// The number of objects that have it.
    var objectCount = 0
    /// Its first position among an object's members, to keep a familiar order.
    var position = Int.max
  }

  private(set) var kinds: Set<JSONValue.Kind> = []
  /// Whether a number was written with a point or an exponent.
  private(set) var hasDecimals = false
  private(set) var strings = StringSamples()
  /// The shape of the elements of all arrays.
  private(set) var elements: ShapeSamples?
  private(set) var objectCount = 0
  private(set) var members: [ExactText: Member] = [:]
  /// The shape of the values of all members, once these have so many names that they must be data:
  /// nobody reads a schema that names them.
  private var entries: ShapeSamples?

  /// Objects with more different names than this are maps.
  static let memberCountMax = 2_000

  private let steps: InferenceSteps

  init(_ steps: InferenceSteps) { self.steps = steps }

  /// Whether the objects have too many names to tell which are secret.
  var hasManyNames: Bool { entries != nil }

  func add(_ value: JSONValue, ofSample sample: Int, depth: Int = 0) {
    guard depth < Self.depthMax, steps.next() else { return }
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
      let elements = self.elements ?? ShapeSamples(steps)
      self.elements = elements
      for element in value.elements where !steps.isStopped {
        elements.add(element, ofSample: sample, depth: depth + 1)
      }
    case .object: add(membersOf: value, ofSample: sample, depth: depth)
    }
  }

  /// Duplicate members all count, since they are all checked against the schema.
  private func add(membersOf object: JSONValue, ofSample sample: Int, depth: Int) {
    objectCount += 1
    var seen: Set<ExactText> = []
    for (position, member) in object.members.enumerated() where !steps.isStopped {
      if let entries {
        entries.add(member.value, ofSample: sample, depth: depth + 1)
        continue
      }
      let key = ExactText(member.key)
      var known = members[key] ?? Member(shape: ShapeSamples(steps))
      known.shape.add(member.value, ofSample: sample, depth: depth + 1)
      if seen.insert(key).inserted { known.objectCount += 1 }
      known.position = min(known.position, position)
      members[key] = known
      recogniseMap()
    }
  }

  /// The order of the samples does not matter: what entries have absorbed is the same as if their
  /// values had been added to them.
  private func recogniseMap() {
    guard members.count > Self.memberCountMax else { return }
    let entries = self.entries ?? ShapeSamples(steps)
    self.entries = entries
    for member in members.values { entries.absorb(member.shape) }
    members = [:]
  }

  private func absorb(_ other: ShapeSamples) {
    guard steps.next() else { return }
    kinds.formUnion(other.kinds)
    hasDecimals = hasDecimals || other.hasDecimals
    strings.absorb(other.strings)
    if let others = other.elements {
      let elements = self.elements ?? ShapeSamples(steps)
      self.elements = elements
      elements.absorb(others)
    }
    objectCount += other.objectCount
    if let others = other.entries {
      let entries = self.entries ?? ShapeSamples(steps)
      self.entries = entries
      entries.absorb(others)
    }
    for (key, member) in other.members {
      if let entries {
        entries.absorb(member.shape)
        continue
      }
      var known = members[key] ?? Member(shape: ShapeSamples(steps))
      known.shape.absorb(member.shape)
      known.objectCount += member.objectCount
      known.position = min(known.position, member.position)
      members[key] = known
      recogniseMap()
    }
    if let entries {
      for member in members.values { entries.absorb(member.shape) }
      members = [:]
    }
  }

  /// The members in their most common order.
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
  var mapValues: ShapeSamples? {
    if let entries { return entries.isUniform ? entries : nil }
    guard members.count >= 3, hasOneKind(members.values.map(\.shape)) else { return nil }
    let keysAreData = members.keys.allSatisfy { Self.isData($0.text) }
    let alwaysCount = members.values.count { $0.objectCount == objectCount }
    let keysDiffer = members.count >= 8 && alwaysCount * 2 <= members.count
    guard keysAreData || keysDiffer || members.count >= 10 else { return nil }
    let values = ShapeSamples(steps)
    for member in members.values { values.absorb(member.shape) }
    let hasContainers = !values.kinds.isDisjoint(with: [.array, .object])
    guard values.isUniform, keysAreData || keysDiffer || hasContainers else { return nil }
    return values
  }

  private func hasOneKind(_ shapes: [ShapeSamples]) -> Bool {
    shapes.reduce(into: Set()) { $0.formUnion($1.kinds) }.subtracting([.null]).count == 1
  }

  /// Whether all values have one kind, and most members are in all objects.
  private var isUniform: Bool {
    guard kinds.subtracting([.null]).count <= 1 else { return false }
    if let elements, !elements.isUniform { return false }
    let alwaysCount = members.values.count { $0.objectCount == objectCount }
    let isMostlyAlways = entries == nil && alwaysCount * 2 >= members.count
    return isMostlyAlways || mapValues != nil
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
