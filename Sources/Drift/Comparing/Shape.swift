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
  /// `**` in the path of a value stands for any element, or any key where keys are data.
  let path: [String]
  /// By the place of the kind among all.
  private var seen = [Seen?](repeating: nil, count: JSONValue.Kind.allCases.count)
  private var members: [Member] = []
  private var membersByName: [ExactText: Member] = [:]
  /// Of arrays, or of objects whose keys are data.
  private(set) var element: Shape?
  private(set) var entry: Shape?
  /// Whether some text here is replaced when it is played, perhaps by another kind of value.
  private(set) var isTemplated = false

  init(_ view: SchemaView, at path: [String] = []) {
    self.view = view
    self.path = path
  }

  static let any = "*"

  var kinds: [JSONValue.Kind: Seen] {
    var kinds: [JSONValue.Kind: Seen] = [:]
    for kind in JSONValue.Kind.allCases { kinds[kind] = seen[kind.order] }
    return kinds
  }
  var names: [String] { members.map(\.name) }
  var count: Int { seen.reduce(0) { $0 + ($1?.count ?? 0) } }
  var isRepeated: Bool { path.contains(Self.any) }

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
      guard value.count > 0 else { return }
      let shape = element ?? Shape(view.elements, at: path + [Self.any])
      element = shape
      for element in value.elements { shape.absorb(element, templated: templated) }
    case .object:
      if isMap {
        let shape = entry ?? Shape(view.entries, at: path + [Self.any])
        entry = shape
        for member in value.members { shape.absorb(member.value, templated: templated) }
      } else {
        absorb(membersOf: value, templated: templated)
      }
    case .string where templated:
      if let text = value.string, !Template(text).expressions.isEmpty { isTemplated = true }
    default: break
    }
  }

  private lazy var isMap = view.isMap

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
    let shape = Shape(view.member(name), at: path + [name])
    let member = Member(name, shape, at: members.count)
    membersByName[ExactText(name)] = member
    members.append(member)
    return member
  }

  /// The shape at the end of a way through a value that this one was made of.
  func shape(at pointer: JSONPointer, in root: JSONValue) -> Shape? {
    var shape = self
    var value = root
    for token in pointer.tokens {
      guard let next = value.value(at: [token]) else { return nil }
      let following =
        value.kind == .array ? shape.element : shape.entry ?? shape.member(token)?.shape
      guard let following else { return nil }
      (shape, value) = (following, next)
    }
    return shape
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
