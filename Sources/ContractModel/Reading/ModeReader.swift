import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

/// Reads the modes that a scenario sets.
struct ModeReader {
  let upstreamName: String
  let hasLiveAPI: Bool
  let contractNames: [String]
  let complaints: Complaints

  func mode(_ value: JSONValue) -> Mode? {
    guard let text = value.string else {
      complaints.add(
        .wrongType, at: value, "found \(value.summary), expected \(Mode.list)")
      return nil
    }
    guard let mode = Mode(rawValue: text) else {
      complaints.add(
        .badValue, at: value, "found mode \"\(text)\", expected \(Mode.list)",
        fix: Spelling.suggestion(for: text, among: Mode.allCases.map(\.rawValue)))
      return nil
    }
    if mode == .live, !hasLiveAPI {
      complaints.add(
        .badValue, at: value,
        "mode \"live\" needs a live API: \(upstreamName) has no \"baseURL\"",
        fix: "add \"baseURL\", or choose \"fake\" or \"off\"")
    }
    return mode
  }

  /// By contract name.
  func modes(_ value: JSONValue) -> [String: Mode] {
    var modes: [String: Mode] = [:]
    for member in Fields.named(value, of: "modes by contract", complaints) {
      guard contractNames.contains(member.key) else {
        complaints.add(
          .unknownEndpoint, atKeyOf: member,
          "\"\(member.key)\" is not a contract of \(upstreamName)",
          fix: spellingSuggestion(
            for: member.key, among: contractNames, noun: "the contracts"))
        continue
      }
      modes[member.key] = mode(member.value)
    }
    return modes
  }
}
