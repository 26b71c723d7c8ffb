import UnderstudyFindings
import UnderstudyJSON

/// Reads the scripts of one contract.
struct ScriptReader {
  let complaints: Complaints
  private let caseNames: [String]
  /// Empty where there are few, which are searched.
  private let manyNames: Set<String>

  init(caseNames: [String], _ complaints: Complaints) {
    self.complaints = complaints
    self.caseNames = caseNames
    manyNames = caseNames.count > 16 ? Set(caseNames) : []
  }

  private func isKnown(_ name: String) -> Bool {
    manyNames.isEmpty ? caseNames.contains(name) : manyNames.contains(name)
  }

  /// Scripts by name.
  func read(_ value: JSONValue) -> [Script] {
    Fields.named(value, of: "scripts by name", complaints).map { member in
      checkName(member.key, at: member.keyPosition, noun: "script", complaints)
      return Script(name: member.key, caseNames: steps(member.value))
    }
  }

  /// The cases of one script.
  func steps(_ value: JSONValue) -> [String] {
    guard value.kind == .array, value.count > 0 else {
      complaints.add(
        .wrongType, at: value,
        "found \(value.summary), expected an array of at least one case name")
      return []
    }
    return value.elements.compactMap { element in
      guard let name = element.string else {
        complaints.add(
          .wrongType, at: element, "found \(element.summary), expected a case's name")
        return nil
      }
      guard isKnown(name) else {
        complaints.add(
          .unknownCase, at: element, "\"\(name)\" is not a case of this contract",
          fix: spellingSuggestion(for: name, among: caseNames, noun: "the cases"))
        return nil
      }
      return name
    }
  }
}
