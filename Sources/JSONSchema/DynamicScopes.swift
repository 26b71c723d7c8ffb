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
  private(set) var resources: [Int] = []

  /// Answers whether the resource was not there yet, and so must be left again.
  mutating func enter(_ resource: Int) -> Bool {
    guard !resources.contains(resource) else { return false }
    resources.append(resource)
    return true
  }

  mutating func leave() {
    resources.removeLast()
  }

  func target(in targets: [Int: Int]) -> Int? {
    for resource in resources {
      if let target = targets[resource] { return target }
    }
    return nil
  }
}
