import UnderstudyInterchange
import UnderstudyJSON

/// Refuses what WireMock would not read either, and what this server would ignore.
struct FieldCheck {
  private let value: JSONValue
  private let pointer: String

  init(_ value: JSONValue, at pointer: String = "") {
    self.value = value
    self.pointer = pointer
  }

  private func refusal(_ expected: String) -> AdminRefusal {
    .wrong(pointer, "found \(value.summary), expected \(expected)")
  }

  func object() throws(AdminRefusal) {
    guard value.kind == .object else { throw refusal("an object") }
  }

  /// - Parameter others: keys that are known, too, but not proposed.
  func keys(_ known: [String], silently others: [String] = []) throws(AdminRefusal) {
    try object()
    for member in value.members where !(known + others).contains(member.key) {
      throw .wrong(
        "\(pointer)/\(member.key)",
        "unknown key \(member.key.quotedAndCut), expected one of "
          + known.joined(separator: ", "))
    }
  }

  func int() throws(AdminRefusal) -> Int {
    guard let number = value.wholeNumber else { throw refusal("a whole number") }
    return number
  }

  func distribution() throws(AdminRefusal) {
    guard ["uniform", "lognormal", "fixed"].contains(value["type"]?.string ?? "") else {
      throw refusal("a distribution of type uniform, lognormal or fixed")
    }
    if let problem = FormCheck.problems(in: value, StubForm.delay).first {
      throw .wrong(pointer + problem.pointer, problem.reason)
    }
  }
}
