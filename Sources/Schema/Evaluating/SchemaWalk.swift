package import UnderstudyCore
package import UnderstudyJSON

/// A validation while a caller walks over the instance, which saves a second walk.
///
/// The caller goes through the containers whose contents a rule opens, and asks for each value that
/// its rule does not settle. A walk decides only that an instance is valid; in doubt, and for what
/// is wrong, ask the schema for its complaints.
package struct SchemaWalk {
  /// The rule for the instance itself.
  package let rule: SchemaRule
  /// Whether the values so far are valid beyond doubt.
  package private(set) var isValid = true
  private var evaluation: Evaluation
  /// The actions of all rules added, one after the other.
  private var actions: [SchemaRule.Action] = []

  /// How deep an instance may be nested for a walk to decide.
  package static let levelsMax = 64

  /// `nil` if the schema depends on the way to a value, or the steps of a validation may not be
  /// enough.
  package init?(over instance: JSONValue, by schema: Schema, now: Moment?) {
    guard schema.program.dynamicAnchors.isEmpty, schema.options.allowance?.isLifted ?? true else {
      return nil
    }
    rule = SchemaRule(schema.program.root, in: schema.program)
    evaluation = Evaluation(of: instance, by: schema, now: now, complaintsMax: 0)
    // More than a validation could have spent on what the rules settle.
    let hasRoom = evaluation.reserve(
      steps: SchemaRule.nodesMax * instance.valueCountMax,
      levels: SchemaRule.nodesMax * Self.levelsMax)
    guard hasRoom else { return nil }
  }

  /// Adds a rule; returns its number.
  package mutating func add(_ rule: SchemaRule) -> Int {
    actions += rule.actions
    return actions.count - rule.actions.count
  }

  /// Checks a value by the rule with this number, but not the contents of a container that the rule
  /// opens.
  package mutating func check(_ value: JSONCursor, by rule: Int) {
    guard isValid else { return }
    switch actions[rule + value.kinds.position] {
    case .accept: break
    case .refuse: doubt()
    case .open(_, let counts): if !counts.contains(value.count) { doubt() }
    case .format(let format): if !value.withText(format.accepts) { doubt() }
    case .checkOutside(let range, let node):
      let measure = JSONKinds.string.contains(value.kinds) ? value.sourceCount : value.int
      if let measure, range.contains(measure) { return }
      isValid = evaluation.accepts(value, node)
    case .check(let node): isValid = evaluation.accepts(value, node)
    }
  }

  /// Leaves the decision to the complaints.
  package mutating func doubt() { isValid = false }
}
