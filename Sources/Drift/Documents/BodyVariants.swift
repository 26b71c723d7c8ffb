import UnderstudyJSON
import UnderstudySchema

/// Variants of a body that a schema allows, each with a change at one level of its nesting: at all
/// levels at once, what is left out would hide what changes within it.
struct BodyVariants {
  enum Change: CaseIterable {
    /// Without members that are not required.
    case required
    /// With null for members that may be null.
    case null
  }

  static let levels = 0..<8
  private static let attemptsMax = 10
  private static let complaintsMax = 50

  private let schema: Schema
  private let view: SchemaView

  /// - Parameter root: the schema, and the same compiled.
  init(_ root: JSONValue, _ schema: Schema) {
    self.schema = schema
    view = SchemaView(root)
  }

  /// `nil` where nothing changes.
  ///
  /// - Parameter path: the only members to change, if given.
  func variant(
    of body: JSONText, _ change: Change, at level: Int, only path: [BodyStep]? = nil
  ) -> JSONText? {
    guard let root = body.root else { return nil }
    var attempt = Attempt(change: change, level: level, only: path)
    for _ in 0..<Self.attemptsMax {
      let text = attempt.changed(root, view, at: [], [], depth: 0)
      guard text != body, let value = text.root else { return nil }
      let complaints = schema.complaints(about: value, max: Self.complaintsMax)
      if complaints.isEmpty { return text }
      for complaint in complaints { attempt.keep(complaint.instancePointer.tokens) }
    }
    return nil
  }

  private struct Attempt {
    let change: Change
    let level: Int
    let only: [BodyStep]?
    /// Objects and members that stay as they are.
    private var kept: Set<[String]> = []

    init(change: Change, level: Int, only: [BodyStep]?) {
      (self.change, self.level, self.only) = (change, level, only)
    }

    mutating func keep(_ tokens: [String]) {
      var tokens = tokens
      while !kept.insert(tokens).inserted, !tokens.isEmpty { tokens.removeLast() }
    }

    /// The nesting of the body bounds the recursion.
    func changed(
      _ value: JSONValue, _ view: SchemaView, at path: [String], _ steps: [BodyStep], depth: Int
    ) -> JSONText {
      guard depth <= level, !kept.contains(path) else { return .value(value) }
      switch value.kind {
      case .object:
        let isMap = view.isMap
        return .object(
          value.members.map { member in
            let steps = steps + [isMap ? .each : .member(member.key)]
            let inner = isMap ? view.entries : view.member(member.key)
            let path = path + [member.key]
            guard depth == level else {
              return (
                member.key, changed(member.value, inner, at: path, steps, depth: depth + 1)
              )
            }
            let isMeant = !kept.contains(path) && only.map { $0 == steps } ?? true
            guard isMeant else { return (member.key, .value(member.value)) }
            switch change {
            case .required:
              return (member.key, isMap || view.requires(member.key) ? .value(member.value) : nil)
            case .null:
              return (member.key, inner.namesNull ? .null : .value(member.value))
            }
          })
      case .array:
        return .array(
          value.elements.enumerated().map { index, element in
            let isSlot = index < view.slotCount
            return changed(
              element, isSlot ? view.slot(index) : view.elements, at: path + [String(index)],
              steps + [isSlot ? .slot(index) : .each], depth: depth)
          })
      default: return .value(value)
      }
    }
  }
}

extension SchemaView {
  /// Whether it says that null is allowed.
  fileprivate var namesNull: Bool {
    parts.contains { part in
      part["type"]?.string == "null" || part["const"]?.isNull ?? false
        || part["type"]?.elements.contains { $0.string == "null" } ?? false
        || part["enum"]?.elements.contains(where: \.isNull) ?? false
    }
  }
}
