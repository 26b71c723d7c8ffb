/// Which nodes each schema resource names by `$dynamicAnchor`. A resource is a schema with an
/// `$id`, or the root of a document.
struct DynamicAnchors: Sendable {
  /// By resource; names that no `$dynamicRef` asks for are left out. Names are numbered.
  let targets: [[(name: Int, target: Int)]]
  let nameCount: Int

  /// Whether any `$dynamicRef` depends on the way by which it was reached.
  var isEmpty: Bool { nameCount == 0 }
}

/// Where each `$dynamicAnchor` leads on the way to a value: of the resources entered on that way,
/// the outermost that declares the name counts.
struct DynamicScope {
  private var entered: [Int] = []
  private var isEntered: [Bool]
  /// By name.
  private var bindings: [(resource: Int, target: Int)?]

  init(_ anchors: DynamicAnchors) {
    isEntered = Array(repeating: false, count: anchors.isEmpty ? 0 : anchors.targets.count)
    bindings = Array(repeating: nil, count: anchors.nameCount)
  }

  /// How many resources have been entered; `leave` wants it back.
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
  @inline(__always)
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
