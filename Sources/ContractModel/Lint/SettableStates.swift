import UnderstudyCore

/// The state that the cases and scenarios of an upstream can set, and that it begins with.
struct SettableStates: Sendable {
  /// By name; of those whose name has no expression.
  private var values: [ExactText: [Template]] = [:]
  private var templated: [(name: Template, value: Template)] = []

  init(of upstream: Upstream) {
    for state in upstream.state + upstream.scenarios.flatMap(\.state) {
      values[ExactText(state.name), default: []].append(Template(plain: state.value))
    }
    for change in upstream.contracts.flatMap(\.cases).flatMap(\.then) {
      guard let value = change.value else { continue }
      if let name = change.name.plainText {
        values[ExactText(name), default: []].append(value)
      } else {
        templated.append((change.name, value))
      }
    }
  }

  /// Whether a state can meet the condition, as far as names and values show. One that holds where
  /// nothing is set needs no other.
  func canMeet(_ condition: StateCondition) -> Bool {
    if condition.value.acceptsAbsence { return true }
    func meets(_ value: Template) -> Bool {
      value.plainText.map { condition.value.accepts($0, at: .now) } ?? true
    }
    if let name = condition.name.plainText {
      return values[ExactText(name)]?.contains(where: meets) ?? false
        || templated.contains { name.hasPrefix($0.name.start) && meets($0.value) }
    }
    let start = condition.name.start
    return values.contains { $0.key.text.hasPrefix(start) && $0.value.contains(where: meets) }
      || templated.contains {
        ($0.name.start.hasPrefix(start) || start.hasPrefix($0.name.start))
          && meets($0.value)
      }
  }
}
