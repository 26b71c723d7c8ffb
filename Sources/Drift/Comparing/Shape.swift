import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

/// The values at one place of a body, across all elements of the arrays on the path.
///
/// Used by one caller at a time.
final class Shape {
  struct Seen {
    let count: Int
    let first: JSONValue
  }

  let view: SchemaView
  let path: [BodyStep]
  /// Indexed by kind: how many there were, and where in the body the first is.
  private var counts = InlineArray<6, Int>(repeating: 0)
  private var firsts = InlineArray<6, JSONValue?>(repeating: nil)
  /// Of objects: in the order in which they were first seen.
  private var members = Members()
  /// Of arrays: of positions with their own schema, then of all others.
  private(set) var slots: [Int: Shape] = [:]
  private(set) var element: Shape?
  /// Of objects whose keys are data.
  private(set) var entry: Shape?
  /// Whether a text here is a template that plays a value of another kind.
  private(set) var isOpen = false
  /// The schema for containers here, once there is one.
  private var rule: Rule?

  init(_ view: SchemaView, at path: [BodyStep] = []) {
    self.view = view
    self.path = path
  }

  var kinds: [JSONValue.Kind: Seen] {
    var kinds: [JSONValue.Kind: Seen] = [:]
    for kind in JSONValue.Kind.allCases {
      kinds[kind] = firsts[kind.order].map { Seen(count: counts[kind.order], first: $0) }
    }
    return kinds
  }
  var names: [String] { members.names.texts }
  var count: Int { counts.indices.reduce(0) { $0 + counts[$1] } }
  var isRepeated: Bool { path.contains(.each) }

  func count(_ kind: JSONValue.Kind) -> Int { counts[kind.order] }
  /// The values of a member; their number is its count.
  func member(_ name: String) -> Shape? {
    members.names.number(of: name).map { members.shapes[$0] }
  }

  func absorb(_ value: JSONValue, templated: Bool = false) {
    value.walk { absorb($0, Walk(document: value.document, isTemplated: templated)) }
  }

  private struct Walk {
    let document: JSONDocument
    let isTemplated: Bool
  }

  private struct Members {
    var names = NameTable()
    var shapes: [Shape] = []
    /// An unowned reference: calls on it do no reference counting.
    // SAFETY: `shapes` keeps the referenced objects alive.
    var uncounted: [Unmanaged<Shape>] = []

    mutating func insert(_ name: String, _ shape: Shape) {
      names.insert(name)
      shapes.append(shape)
      uncounted.append(.passUnretained(shape))
    }
  }

  @inline(__always)
  private func absorb(_ value: JSONCursor, _ walk: borrowing Walk) {
    let kind = value.kindOrder
    if counts[kind] == 0 { firsts[kind] = walk.document.value(at: value) }
    counts[kind] += 1
    if value.isContainer {
      absorb(contentsOf: value, walk)
    } else if walk.isTemplated {
      noteTemplate(walk.document.value(at: value))
    }
  }

  private struct Rule {
    let isMap: Bool
    let slotCount: Int

    init(_ view: SchemaView) {
      isMap = view.isMap
      slotCount = view.slotCount
    }
  }

  /// The nesting limit of documents bounds the recursion.
  private func absorb(contentsOf value: JSONCursor, _ walk: borrowing Walk) {
    let rule = rule ?? Rule(view)
    self.rule = rule
    if value.kinds == .array {
      absorb(elementsOf: value, slotCount: rule.slotCount, walk)
    } else if rule.isMap {
      let shape = entry ?? Shape(view.entries, at: path + [.each])
      entry = shape
      for (_, value) in value.members { shape.absorb(value, walk) }
    } else {
      absorb(membersOf: value, walk)
    }
  }

  private func noteTemplate(_ value: JSONValue) {
    guard let text = value.string, text.hasSuffix(" as json}") else { return }
    let pieces = Template(text).pieces
    if pieces.count == 1, case .expression(.json)? = pieces.first { isOpen = true }
  }

  private func absorb(
    elementsOf array: JSONCursor, slotCount: Int, _ walk: borrowing Walk
  ) {
    var index = 0
    for value in array.elements {
      if index < slotCount {
        let slot = slots[index] ?? Shape(view.slot(index), at: path + [.slot(index)])
        slots[index] = slot
        slot.absorb(value, walk)
      } else {
        let shape = element ?? Shape(view.elements, at: path + [.each])
        element = shape
        shape.absorb(value, walk)
      }
      index += 1
    }
  }

  private func absorb(membersOf object: JSONCursor, _ walk: borrowing Walk) {
    // Read once, since the members of an object may differ each time.
    var members = members
    // Members usually have the same order as in the element before.
    var next = 0
    for (key, value) in object.members {
      let known = members.names.number(of: key, next: &next)
      if known == nil {
        next = members.shapes.count + 1
        // Unique storage grows without a copy.
        members = Members()
        add(key.string)
        members = self.members
      }
      members.uncounted[known ?? next - 1]._withUnsafeGuaranteedRef { $0.absorb(value, walk) }
    }
  }

  private func add(_ name: String) {
    members.insert(name, Shape(view.member(name), at: path + [.member(name)]))
  }

  /// The shape at a token of a value of this kind.
  func shape(at token: String, of kind: JSONValue.Kind) -> Shape? {
    guard kind == .array else { return entry ?? member(token) }
    return JSONPointer.index(of: token).flatMap { slots[$0] } ?? element
  }

  func shape(at step: BodyStep) -> Shape? {
    switch step {
    case .member(let name): member(name)
    case .each: element ?? entry
    case .slot(let index): slots[index]
    }
  }

  func shape(atPath path: [BodyStep]) -> Shape? {
    path.reduce(Optional(self)) { shape, step in shape?.shape(at: step) }
  }

  /// Whichever value came first.
  var first: JSONValue? {
    kinds.values.map(\.first).min { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
  }
}

extension JSONValue.Kind {
  /// Its index among all kinds; messages name kinds in this order.
  var order: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .number: 2
    case .string: 3
    case .array: 4
    case .object: 5
    }
  }
}
