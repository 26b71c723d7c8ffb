package import UnderstudyJSON

/// What a schema demands of the values at one place, by their kind.
package struct SchemaRule: Sendable {
  enum Action: Sendable {
    case accept, refuse
    /// Only the contents and their number are left to check, by the schema with this index.
    case open(Int, counts: ClosedRange<Int>)
    case format(Format)
    /// The schema with this index, unless a text has so many bytes or a number is in this range.
    case checkOutside(ClosedRange<Int>, Int)
    /// Whatever the schema with this index demands.
    case check(Int)
  }

  /// How many schemas that apply to the same value are looked at; the rest is checked as a whole.
  static let nodesMax = 8

  /// The kinds of value that need no check themselves.
  package let settled: JSONKinds
  /// By the position of a kind's bit in `JSONKinds`.
  let actions: [Action]
  private let program: SchemaProgram

  init(_ node: Int, in program: SchemaProgram) {
    var settled: JSONKinds = []
    var actions: [Action] = []
    actions.reserveCapacity(JSONKinds.all.rawValue.nonzeroBitCount)
    var kind = JSONKinds.null
    while JSONKinds.all.contains(kind) {
      var nodesLeft = Self.nodesMax
      let action = program.action(node, for: kind, &nodesLeft)
      switch action {
      case .accept, .open(_, counts: 0...(.max)): settled.formUnion(kind)
      default: break
      }
      actions.append(action)
      kind = JSONKinds(rawValue: kind.rawValue << 1)
    }
    self.settled = settled
    self.actions = actions
    self.program = program
  }

  /// The format of strings, if nothing else of them is checked.
  package var format: Format? {
    if case .format(let format) = actions[JSONKinds.plainString.position] { format } else { nil }
  }

  /// The number of members that an opened object must have.
  package var requiredCount: Int {
    guard let node = opened(.object) else { return 0 }
    return (0..<node.keywords.objects.names.count).count {
      node.keywords.objects.required.contains($0)
    }
  }

  package func requires(_ name: String) -> Bool {
    guard let node = opened(.object),
      let number = node.keywords.objects.names.number(of: name)
    else { return false }
    return node.keywords.objects.required.contains(number)
  }

  /// The rule for a member of an opened object; `nil` if there is none.
  package func member(_ name: String) -> SchemaRule? {
    guard let node = opened(.object) else { return nil }
    let named = node.keywords.objects.names.number(of: name).flatMap {
      node.keywords.objects.properties[$0]
    }
    return (named ?? node.keywords.objects.additional).map { SchemaRule($0, in: program) }
  }

  /// Whether some members of an opened object have rules of their own.
  package var namesMembers: Bool {
    opened(.object).map { $0.keywords.objects.names.count > 0 } ?? false
  }

  /// The rule for all other members of an opened object; `nil` if there is none.
  package var entry: SchemaRule? {
    opened(.object)?.keywords.objects.additional.map { SchemaRule($0, in: program) }
  }

  /// The number of leading elements with a rule for each position.
  package var slotCount: Int { opened(.array)?.keywords.arrays.prefix.count ?? 0 }

  /// The rule for an element of an opened array; `nil` if there is none.
  package func element(_ index: Int) -> SchemaRule? {
    guard let arrays = opened(.array)?.keywords.arrays else { return nil }
    let node = index < arrays.prefix.count ? arrays.prefix[index] : arrays.rest
    return node.map { SchemaRule($0, in: program) }
  }

  private func opened(_ kind: JSONKinds) -> SchemaNode? {
    if case .open(let node, _) = actions[kind.position] { program.nodes[node] } else { nil }
  }
}

extension SchemaProgram {
  /// Follows references and chooses among alternatives as far as the kind of value decides.
  fileprivate func action(
    _ index: Int, for kind: JSONKinds, _ nodesLeft: inout Int
  ) -> SchemaRule.Action {
    nodesLeft -= 1
    guard nodesLeft >= 0 else { return .check(index) }
    let node = nodes[index]
    if let always = node.always { return always ? .accept : .refuse }
    guard node.keywords.types.kinds.contains(kind) else {
      // `1.0` is an integer.
      return kind == .decimal && node.keywords.types.kinds.contains(.integer)
        ? .check(index) : .refuse
    }
    var action = node.action(of: index, for: kind)
    for part in node.keywords.combination.parts {
      switch (action, self.action(part, of: index, for: kind, &nodesLeft)) {
      case (.refuse, _), (_, .refuse): return .refuse
      case (.accept, let other): action = other
      case (_, .accept): break
      default: action = .check(index)
      }
    }
    return action
  }

  private func action(
    _ part: CombiningKeywords.Part, of index: Int, for kind: JSONKinds, _ nodesLeft: inout Int
  ) -> SchemaRule.Action {
    let children: [Int]
    switch part {
    case .each(let reference, _): return action(reference.target, for: kind, &nodesLeft)
    case .any(let alternatives), .one(let alternatives): children = alternatives
    case .none, .condition: return .check(index)
    }
    var possible: [SchemaRule.Action] = []
    for child in children {
      let action = action(child, for: kind, &nodesLeft)
      if case .refuse = action { continue }
      possible.append(action)
    }
    return switch possible.count {
    case 0: .refuse
    case 1: possible[0]
    default: .check(index)
    }
  }
}

extension SchemaNode {
  /// What its own keywords demand of values of a kind that its `type` allows, apart from
  /// those that apply further schemas to the same value.
  fileprivate func action(of index: Int, for kind: JSONKinds) -> SchemaRule.Action {
    guard keywords.values.isEmpty else { return .check(index) }
    if kind == .object {
      if keywords.objects.isEmpty, keywords.unevaluatedProperties == nil { return .accept }
      let isPlain =
        keywords.objects.patterns.isEmpty && keywords.objects.propertyNames == nil
        && keywords.objects.dependentRequired.isEmpty && keywords.objects.dependentSchemas.isEmpty
      guard isPlain, keywords.unevaluatedProperties == nil else { return .check(index) }
      return opening(index, keywords.objects.countMin, keywords.objects.countMax)
    }
    if kind == .array {
      if keywords.arrays.isEmpty, keywords.unevaluatedItems == nil { return .accept }
      guard keywords.arrays.contained == nil, !keywords.arrays.areUnique,
        keywords.unevaluatedItems == nil
      else {
        return .check(index)
      }
      return opening(index, keywords.arrays.countMin, keywords.arrays.countMax)
    }
    if JSONKinds.number.contains(kind), !keywords.numbers.isEmpty {
      return keywords.numbers.surelyValid.map { .checkOutside($0, index) } ?? .check(index)
    }
    if JSONKinds.string.contains(kind), !keywords.strings.isEmpty {
      if let format = keywords.strings.soleFormat { return .format(format) }
      guard !keywords.strings.readsText, let bytes = keywords.strings.surelyFittingBytes else {
        return .check(index)
      }
      return .checkOutside(bytes, index)
    }
    return .accept
  }

  private func opening(_ index: Int, _ min: Int?, _ max: Int?) -> SchemaRule.Action {
    let (min, max) = (min ?? 0, max ?? .max)
    return min <= max ? .open(index, counts: min...max) : .refuse
  }
}

extension JSONKinds {
  /// The position of the bit of a single kind.
  var position: Int { rawValue.trailingZeroBitCount }
}
