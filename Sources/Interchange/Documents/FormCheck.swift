package import UnderstudyCore
package import UnderstudyJSON

/// Something in a document that an import passes over.
package struct FormProblem: Sendable {
  private static let repeatedMax = 100

  /// The place beneath the value that was checked.
  package let pointer: String
  package let position: SourcePosition
  /// Why, without a full stop.
  package let reason: String
  /// Whether the whole would mean something else without it.
  package let isGrave: Bool

  /// Duplicate keys, of which the last counts.
  ///
  /// - Parameter members: those that do not count.
  package static func repeated(_ members: [JSONMember]) -> [FormProblem] {
    // Finding a place takes as long as the document is.
    members.prefix(repeatedMax).map { member in
      FormProblem(
        pointer: member.value.pointer.description, position: member.keyPosition,
        reason: members.count > repeatedMax
          ? "\(members.count) keys are given twice, and the last of each counts"
          : "\(member.key.quotedAndCut) is given twice, and the last one counts",
        isGrave: false)
    }
  }
}

/// Finds what a document says and an import would pass over: keys that nobody reads, and values of
/// another type than what reads them expects.
package struct FormCheck {
  /// How many problems are listed; beyond that, only the first grave one, since finding a place
  /// takes time.
  private static let listedMax = 100

  private enum Step {
    case key(JSONMember)
    case index(Int)
  }

  package private(set) var problems: [FormProblem] = []
  private(set) var parts: [(value: JSONValue, pointer: String, name: String)] = []
  private var path: [Step] = []
  private var hasGrave = false

  /// All problems of a value.
  package static func problems(in value: JSONValue, _ form: DocumentForm) -> [FormProblem] {
    var check = FormCheck()
    check.check(value, form)
    return check.problems
  }

  // The nesting of a text bounds this recursion.
  mutating func check(_ value: JSONValue, _ form: DocumentForm) {
    switch form {
    case .unread: return
    case .by(let choose): check(value, choose(value))
    case .part(let name): parts.append((value, pointer, name))
    case .flag: if value.bool == nil { addWrong(value, "true or false") }
    case .text: if value.string == nil { addWrong(value, "a string") }
    case .scalar:
      if [.null, .array, .object].contains(value.kind) { addWrong(value, "a string") }
    case .number: if value.number == nil { addWrong(value, "a number") }
    case .whole(let range):
      guard let number = value.wholeNumber, range.contains(number) else {
        addWrong(value, range.lowerBound == 0 ? "a whole number from 0" : "a whole number")
        return
      }
    case .list(let element):
      guard value.kind == .array else { return addWrongHolder(value, "an array") }
      for (index, value) in value.elements.enumerated() {
        path.append(.index(index))
        check(value, element)
        path.removeLast()
      }
    case .object(let members):
      guard value.kind == .object else { return addWrongHolder(value, "an object") }
      check(value, members)
    }
  }

  private mutating func check(_ value: JSONValue, _ members: DocumentForm.Members) {
    var first: String?
    for member in value.members {
      path.append(.key(member))
      defer { path.removeLast() }
      let key = member.key
      if let form = members.forms[key] {
        if members.equals.contains(key) {
          if let first {
            add("\"\(key)\" is beside \"\(first)\", which counts", at: member)
            continue
          }
          first = key
        }
        // A member that is null is as good as none.
        if !member.value.isNull { check(member.value, form) }
      } else if !(members.prefix.map(key.hasPrefix) ?? false) {
        checkOther(member, members)
      }
    }
    for rivals in members.rivals { checkRivals(rivals, in: value) }
    for key in members.required where value[key].map(\.isNull) ?? true {
      add("it has no \"\(key)\"", at: value.position, isGrave: false)
    }
  }

  private mutating func checkOther(_ member: JSONMember, _ members: DocumentForm.Members) {
    if case .names(let form) = members.others { return check(member.value, form) }
    let known = Spelling.nearest(to: member.key, among: members.keys)
    if case .misspelt = members.others, known == nil { return }
    var isGrave = false
    if case .grave = members.others { isGrave = true }
    let key = member.key.quotedAndCut
    let suggestion = known.map { "; \"\($0)\" is" } ?? ""
    add("\(key) is not a key here\(suggestion)", at: member, isGrave: isGrave)
  }

  private mutating func checkRivals(_ rivals: [String], in value: JSONValue) {
    let found = rivals.filter { value[$0].map { !$0.isNull } ?? false }
    guard let winner = found.first, found.count > 1 else { return }
    for member in value.members where found.dropFirst().contains(member.key) {
      path.append(.key(member))
      add("\"\(member.key)\" is beside \"\(winner)\", which counts", at: member)
      path.removeLast()
    }
  }

  // MARK: - Problems

  /// An empty array in place of an object says nothing that could be lost, nor does the reverse.
  private mutating func addWrongHolder(_ value: JSONValue, _ expected: String) {
    addWrong(value, expected, isGrave: value.count > 0 || ![.array, .object].contains(value.kind))
  }

  private mutating func addWrong(
    _ value: JSONValue, _ expected: String, isGrave: Bool = true
  ) {
    let words =
      switch path.last {
      case .key(let member): member.key.quotedAndCut
      case .index: "an element"
      case nil: "it"
      }
    add("\(words) is \(value.summary), not \(expected)", at: value.position, isGrave: isGrave)
  }

  private mutating func add(_ reason: String, at member: JSONMember, isGrave: Bool = false) {
    add(reason, at: member.keyPosition, isGrave: isGrave)
  }

  private mutating func add(_ reason: String, at position: SourcePosition, isGrave: Bool) {
    guard problems.count < Self.listedMax || isGrave && !hasGrave else { return }
    hasGrave = hasGrave || isGrave
    problems.append(
      FormProblem(pointer: pointer, position: position, reason: reason, isGrave: isGrave))
  }

  private var pointer: String {
    JSONPointer(
      path.map { step in
        switch step {
        case .key(let member): member.key
        case .index(let index): String(index)
        }
      }
    ).description
  }
}

extension JSONValue {
  /// A whole number, also as a string, as other tools read it.
  package var wholeNumber: Int? { int ?? string.flatMap { Int($0) } }
}
