import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

/// The values at one place of a body, across all elements of the arrays on the path.
///
/// Used by one caller at a time.
final class Shape {
  struct Seen {
    let kind: JSONValue.Kind
    let count: Int
    let first: JSONValue
  }

  /// What the schema says here. For a member it is looked up on first use, which is rare.
  var view: SchemaView {
    if !isOwnView {
      givenView = givenView.member(path.last?.name ?? "")
      isOwnView = true
    }
    return givenView
  }
  /// The view of this place, or else of the object that this is a member of.
  private var givenView: SchemaView
  private var isOwnView: Bool
  let path: [BodyStep]
  /// What the schema of found values demands here, if it is checked on the way, and its number.
  private let rule: SchemaRule?
  private let ruleNumber: Int
  private let settled: JSONKinds
  /// The kinds of value that are only counted.
  private let quiet: JSONKinds
  private let format: Format?
  // SAFETY: made with the shape and freed with it; of the sixteen places that four bits of a notation
  // can name, all are there.
  /// How many values there were, by notation.
  private let counts: UnsafeMutablePointer<Int>
  /// The first of each notation, in the order in which they came.
  fileprivate var firsts: [(notation: Int, value: JSONValue)] = []
  private static let notations = 0..<9
  /// The names of the objects' members, in the order in which they were first seen.
  private var memberNames = NameTable()
  fileprivate var members: [Shape] = []
  /// The elements of arrays: `slots` at positions with a schema of their own, `element` at all
  /// others.
  private(set) var slots: [Int: Shape] = [:]
  private(set) var element: Shape?
  /// The values of objects whose keys are data.
  private(set) var entry: Shape?
  /// Whether a text here is a template that serves a value of another kind.
  private(set) var isOpen = false
  /// The schema for containers here, once there is one.
  private var layout: Layout?

  // SAFETY: `members` of the object keeps the referenced shapes alive, and a shape its name.
  // References that are not counted save more time than comparing a key takes.
  /// The member that came first in the last object.
  private var firstMember: Unmanaged<Shape>?
  /// The key of a member, and the member that came after it in the last object.
  private let name: JSONName
  private var nextMember: Unmanaged<Shape>?
  private let isRequired: Bool
  /// The number of the last object that had this member.
  private var lastObject = 0
  /// How many members an object must have.
  private let requiredCount: Int

  /// The shape of an example.
  convenience init(_ view: SchemaView, of example: JSONValue, isTemplated: Bool) {
    self.init(view, nil, nil, at: [], isTemplated: isTemplated)
    absorb(example, templated: isTemplated)
  }

  /// An empty shape, for values that are checked by the schema while they are added, if there is
  /// one.
  convenience init(_ view: SchemaView, checking schema: inout SchemaWalk?) {
    let rule = schema?.rule
    self.init(view, rule, rule.flatMap { schema?.add($0) }, at: [], isTemplated: false)
  }

  /// - Parameter view: for a member, the view of its object.
  private init(
    _ view: SchemaView, _ rule: SchemaRule?, _ ruleNumber: Int?, at path: [BodyStep],
    isTemplated: Bool, isRequired: Bool = false
  ) {
    givenView = view
    isOwnView = path.last?.name == nil
    self.rule = rule
    self.ruleNumber = ruleNumber ?? 0
    settled = ruleNumber == nil ? .all : rule?.settled ?? .all
    quiet = isTemplated ? [] : settled.subtracting([.array, .object])
    self.path = path
    format = rule?.format
    name = JSONName(copying: path.last?.name ?? "")
    self.isRequired = isRequired
    requiredCount = rule?.requiredCount ?? 0
    counts = .allocate(capacity: 16)
    counts.initialize(repeating: 0, count: 16)
  }

  deinit {
    name.deallocate()
    counts.deallocate()
  }

  private func shape(
    at step: BodyStep, _ view: SchemaView, _ rule: SchemaRule?, _ walk: inout Walk
  ) -> Shape {
    Shape(
      view, rule, rule.flatMap { walk.schema?.add($0) }, at: path + [step],
      isTemplated: walk.isTemplated,
      isRequired: step.name.map { self.rule?.requires($0) ?? false } ?? false)
  }

  /// The kinds of value, in the order in which messages name them.
  var kinds: [Seen] {
    JSONValue.Kind.allCases.compactMap { kind in
      first(kind).map { Seen(kind: kind, count: count(kind), first: $0) }
    }
  }
  var names: [String] { memberNames.texts }
  var count: Int { Self.notations.reduce(0) { $0 + counts[$1] } }
  var isRepeated: Bool { path.contains(.each) }

  /// Whether each kind of value here is also among those of another shape.
  func isAlike(_ other: Shape) -> Bool {
    JSONValue.Kind.allCases.allSatisfy { count($0) == 0 || other.count($0) > 0 }
  }

  func count(_ kind: JSONValue.Kind) -> Int { kind.notations.reduce(0) { $0 + counts[$1] } }
  /// The first value of a kind.
  func first(_ kind: JSONValue.Kind) -> JSONValue? { first(of: kind.notations) }
  /// The values of a member; their number is its count.
  func member(_ name: String) -> Shape? {
    memberNames.number(of: name).map { members[$0] }
  }

  /// Adds a value and all its contents.
  private func absorb(_ value: JSONValue, templated: Bool) {
    var walk = Walk(document: value.document, isTemplated: templated, schema: nil)
    value.walk { absorb($0, &walk) }
  }

  /// Adds a value and all its contents, and checks them by the schema on the way.
  func absorb(_ value: JSONValue, checking schema: inout SchemaWalk?) {
    var walk = Walk(document: value.document, isTemplated: false, schema: schema)
    value.walk { absorb($0, &walk) }
    schema = walk.schema
  }

  private struct Walk {
    let document: JSONDocument
    let isTemplated: Bool
    var schema: SchemaWalk?
  }

  private func absorb(_ value: JSONCursor, _ walk: inout Walk) {
    let notation = value.notation
    if counts[notation] == 0 { firsts.append((notation, walk.document.value(at: value))) }
    counts[notation] &+= 1
    if !quiet.contains(value.kinds) { absorb(unusual: value, &walk) }
  }

  private func absorb(unusual value: JSONCursor, _ walk: inout Walk) {
    if !settled.contains(value.kinds) {
      if let format, JSONKinds.string.contains(value.kinds) {
        if !value.withText(format.accepts) { walk.schema?.doubt() }
        return
      } else {
        walk.schema?.check(value, by: ruleNumber)
      }
    }
    if value.isContainer {
      absorb(contentsOf: value, &walk)
    } else if walk.isTemplated {
      noteTemplate(walk.document.value(at: value))
    }
  }

  private struct Layout {
    let isMap: Bool
    let slotCount: Int

    init(_ view: SchemaView) {
      isMap = view.isMap
      slotCount = view.slotCount
    }
  }

  /// The nesting limit of documents bounds the recursion.
  private func absorb(contentsOf value: JSONCursor, _ walk: inout Walk) {
    let layout = layout ?? open(&walk)
    if value.kinds == .array {
      absorb(elementsOf: value, slotCount: layout.slotCount, &walk)
    } else if layout.isMap {
      absorb(entriesOf: value, &walk)
    } else {
      absorb(membersOf: value, &walk)
    }
  }

  private func open(_ walk: inout Walk) -> Layout {
    let layout = Layout(view)
    self.layout = layout
    // A rule for a place that has no shape of its own would be missed.
    let isMissed =
      rule.map { $0.slotCount > layout.slotCount || layout.isMap && $0.namesMembers } ?? false
    if isMissed || path.count >= SchemaWalk.levelsMax { walk.schema?.doubt() }
    return layout
  }

  private func noteTemplate(_ value: JSONValue) {
    guard let text = value.string, text.hasSuffix(" as json}") else { return }
    let pieces = Template(text).pieces
    if pieces.count == 1, case .expression(.json)? = pieces.first { isOpen = true }
  }

  private func absorb(elementsOf array: JSONCursor, slotCount: Int, _ walk: inout Walk) {
    var elements = array.elements
    for index in 0..<min(slotCount, array.count) {
      let slot =
        slots[index] ?? shape(at: .slot(index), view.slot(index), rule?.element(index), &walk)
      slots[index] = slot
      if let value = elements.next() { slot.absorb(value, &walk) }
    }
    guard array.count > slotCount else { return }
    let shape = element ?? shape(at: .each, view.elements, rule?.element(slotCount), &walk)
    element = shape
    while let value = elements.next() { shape.absorb(value, &walk) }
  }

  private func absorb(entriesOf object: JSONCursor, _ walk: inout Walk) {
    let shape = entry ?? shape(at: .each, view.entries, rule?.entry, &walk)
    entry = shape
    for (_, value) in object.members { shape.absorb(value, &walk) }
  }

  private func absorb(membersOf object: JSONCursor, _ walk: inout Walk) {
    let number = counts[object.notation]
    var missingCount = requiredCount
    var last: Unmanaged<Shape>?
    var next = firstMember
    for (key, value) in object.members {
      let member: Unmanaged<Shape>
      if let next, key.isPlain(next._withUnsafeGuaranteedRef(\.name)) {
        member = next
      } else {
        member = self.member(key, after: last, &walk)
      }
      last = member
      next = member._withUnsafeGuaranteedRef { member in
        if member.isRequired, member.lastObject != number {
          member.lastObject = number
          missingCount &-= 1
        }
        member.absorb(value, &walk)
        return member.nextMember
      }
    }
    if missingCount > 0 { walk.schema?.doubt() }
  }

  /// The member with this key, which from now on is expected after the last one.
  private func member(
    _ key: JSONCursor, after last: Unmanaged<Shape>?, _ walk: inout Walk
  ) -> Unmanaged<Shape> {
    var next = 0
    let number = memberNames.number(of: key, next: &next) ?? addMember(named: key.string, &walk)
    let member = Unmanaged.passUnretained(members[number])
    if let last {
      last._withUnsafeGuaranteedRef { $0.nextMember = member }
    } else {
      firstMember = member
    }
    return member
  }

  private func addMember(named name: String, _ walk: inout Walk) -> Int {
    members.append(shape(at: .member(name), view, rule?.member(name), &walk))
    return memberNames.insert(name)
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

  /// The value that was added first.
  var first: JSONValue? { firsts.first?.value }

  private func first(of notations: Range<Int>) -> JSONValue? {
    firsts.first { notations.contains($0.notation) }?.value
  }
}

extension Shape {
  /// Replaces the values by copies that read the same in a report, so that their document can be
  /// released. They have neither its pointers nor its positions.
  func detach() {
    for place in firsts.indices { firsts[place].value = firsts[place].value.detached }
    for shape in members + slots.values { shape.detach() }
    element?.detach()
    entry?.detach()
  }
}
