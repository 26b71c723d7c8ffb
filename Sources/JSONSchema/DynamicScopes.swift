/// Which node each `$dynamicAnchor` names in each schema resource.
struct DynamicScopes: Sendable {
  /// By the number of the anchor's name, then by resource. A resource is a schema with an `$id`.
  let targets: [[Int: Int]]

  /// Whether any `$dynamicRef` depends on the way by which it was reached.
  var isEmpty: Bool { targets.isEmpty }
}

/// The resources entered on the way to a value, outermost first, each once: for a `$dynamicRef`
/// only the outermost counts.
struct DynamicScope {
  private var resources: [Int] = []

  var count: Int { resources.count }

  mutating func enter(_ resource: Int) {
    if !resources.contains(resource) { resources.append(resource) }
  }

  /// Leaves all resources but the outermost ones.
  mutating func leave(to count: Int) {
    resources.removeLast(resources.count - count)
  }

  func target(in targets: [Int: Int]) -> Int? {
    for resource in resources {
      if let target = targets[resource] { return target }
    }
    return nil
  }
}
