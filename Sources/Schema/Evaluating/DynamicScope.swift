/// The target of each `$dynamicAnchor` on the path to a value: of the resources entered on that
/// path, the outermost that declares the name counts.
struct DynamicScope {
  private var entered: [Int] = []
  private var isEntered: [Bool]
  /// By name.
  private var bindings: [(resource: Int, target: Int)?]

  init(_ anchors: DynamicAnchors) {
    isEntered = Array(repeating: false, count: anchors.isEmpty ? 0 : anchors.targets.count)
    bindings = Array(repeating: nil, count: anchors.nameCount)
  }

  /// The number of entered resources, to pass to `leave`.
  var count: Int { entered.count }

  mutating func enter(_ resource: Int, _ anchors: DynamicAnchors) {
    guard !isEntered[resource] else { return }
    isEntered[resource] = true
    entered.append(resource)
    for (name, target) in anchors.targets[resource] where bindings[name] == nil {
      bindings[name] = (resource, target)
    }
  }

  /// Leaves all resources but the outermost ones.
  mutating func leave(to count: Int, _ anchors: DynamicAnchors) {
    if entered.count > count { leaveSome(to: count, anchors) }
  }

  private mutating func leaveSome(to count: Int, _ anchors: DynamicAnchors) {
    while entered.count > count {
      let resource = entered.removeLast()
      isEntered[resource] = false
      for (name, _) in anchors.targets[resource] where bindings[name]?.resource == resource {
        bindings[name] = nil
      }
    }
  }

  func target(ofName name: Int) -> Int? {
    bindings[name]?.target
  }
}
/// The elements or members of one value that a schema has evaluated, as far as an outer
/// `unevaluatedItems` or `unevaluatedProperties` needs to know.
struct Evaluated {
  private var isAll = false
  private var firstCount = 0
  private var marks: [Bool] = []

  func contains(_ position: Int) -> Bool {
    isAll || position < firstCount || position < marks.count && marks[position]
  }

  mutating func mark(_ position: Int) {
    guard !contains(position) else { return }
    if marks.count <= position {
      marks.append(contentsOf: repeatElement(false, count: position - marks.count + 1))
    }
    marks[position] = true
  }

  mutating func markFirst(_ count: Int) {
    firstCount = max(firstCount, count)
  }

  mutating func markAll() {
    isAll = true
  }

  mutating func formUnion(_ other: Evaluated) {
    isAll = isAll || other.isAll
    firstCount = max(firstCount, other.firstCount)
    for position in other.marks.indices where other.marks[position] { mark(position) }
  }
}
