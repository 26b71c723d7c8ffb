import ContractModel
import Diagnostics
import JSON

/// What stands at one place of a body, over all elements of the arrays on the way there.
///
/// Made and read by one caller.
final class Shape {
  struct Seen {
    var count: Int
    let first: JSONValue
  }

  final class Member {
    let name: String
    let shape: Shape
    /// Among the members in the order in which they were first seen.
    fileprivate let index: Int
    fileprivate(set) var count = 0

    fileprivate init(_ name: String, _ shape: Shape, at index: Int) {
      self.name = name
      self.shape = shape
      self.index = index
    }
  }

  let view: SchemaView
  let path: [BodyStep]
  /// By the place of the kind among all.
  private var seen = [Seen?](repeating: nil, count: JSONValue.Kind.allCases.count)
  private var members: [Member] = []
  private var membersByName: [ExactText: Member] = [:]
  /// Of arrays: of places that the schema tells apart, then of all others.
  private(set) var slots: [Int: Shape] = [:]
  private(set) var element: Shape?
  /// Of objects whose keys are data.
  private(set) var entry: Shape?
  /// Whether some text here is replaced by a value of any kind when it is played.
  private(set) var isOpen = false

  init(_ view: SchemaView, at path: [BodyStep] = []) {
    self.view = view
    self.path = path
  }

  var kinds: [JSONValue.Kind: Seen] {
    var kinds: [JSONValue.Kind: Seen] = [:]
    for kind in JSONValue.Kind.allCases { kinds[kind] = seen[kind.order] }
    return kinds
  }
  var names: [String] { members.map(\.name) }
  var count: Int { seen.reduce(0) { $0 + ($1?.count ?? 0) } }
  var isRepeated: Bool { path.contains(.each) }

  func count(_ kind: JSONValue.Kind) -> Int { seen[kind.order]?.count ?? 0 }
  func member(_ name: String) -> Member? { membersByName[ExactText(name)] }

  /// The nesting limit of documents bounds the recursion.
  func absorb(_ value: JSONValue, templated: Bool = false) {
    let kind = value.kind
    if seen[kind.order] == nil {
      seen[kind.order] = Seen(count: 1, first: value)
    } else {
      seen[kind.order]?.count += 1
    }
    switch kind {
    case .array:
      absorb(elementsOf: value, templated: templated)
    case .object:
      if isMap {
        let shape = entry ?? Shape(view.entries, at: path + [.each])
        entry = shape
        for member in value.members { shape.absorb(member.value, templated: templated) }
      } else {
        absorb(membersOf: value, templated: templated)
      }
    case .string where templated:
      if let text = value.string, text.hasSuffix(" as json}") {
        let pieces = Template(text).pieces
        if pieces.count == 1, case .expression(.json)? = pieces.first { isOpen = true }
      }
    default: break
    }
  }

  private lazy var isMap = view.isMap
  private lazy var slotCount = view.slotCount

  private func absorb(elementsOf array: JSONValue, templated: Bool) {
    for (index, value) in array.elements.enumerated() {
      let shape: Shape
      if index < slotCount {
        shape = slots[index] ?? Shape(view.slot(index), at: path + [.slot(index)])
        slots[index] = shape
      } else {
        shape = element ?? Shape(view.elements, at: path + [.each])
        element = shape
      }
      shape.absorb(value, templated: templated)
    }
  }

  private func absorb(membersOf value: JSONValue, templated: Bool) {
    // Mostly the members of one element come in the order of the one before.
    var next = 0
    for entry in value.members {
      let member =
        next < members.count && entry.hasKey(members[next].name)
        ? members[next] : named(entry.key)
      next = member.index + 1
      member.count += 1
      member.shape.absorb(entry.value, templated: templated)
    }
  }

  private func named(_ name: String) -> Member {
    if let known = membersByName[ExactText(name)] { return known }
    let shape = Shape(view.member(name), at: path + [.member(name)])
    let member = Member(name, shape, at: members.count)
    membersByName[ExactText(name)] = member
    members.append(member)
    return member
  }

  /// What stands at a token of a value of this kind.
  func shape(at token: String, of kind: JSONValue.Kind) -> Shape? {
    guard kind == .array else { return entry ?? member(token)?.shape }
    return JSONPointer.index(of: token).flatMap { slots[$0] } ?? element
  }

  func shape(at step: BodyStep) -> Shape? {
    switch step {
    case .member(let name): member(name)?.shape
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
  /// Its place among all, in which kinds are also named.
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
