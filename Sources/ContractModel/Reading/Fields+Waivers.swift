import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

extension Fields {
  /// The rules that "waive" names, each with its reason.
  func waivers() -> [Waiver] {
    guard let value = self["waive"] else { return [] }
    let waivable = FindingType.rules.filter(\.isWaivable).map(\.rawValue)
    return Fields.named(value, of: "reasons by rule", complaints).compactMap { member in
      guard waivable.contains(member.key) else {
        complaints.add(
          .unknownRule, atKeyOf: member,
          "rule \"\(member.key)\" "
            + (FindingType(rawValue: member.key).map {
              $0.lintSeverity == .error ? "is an error and cannot be waived" : "cannot be waived"
            } ?? "does not exist"),
          fix: spellingSuggestion(
            for: member.key, among: waivable, noun: "the rules that can be waived"))
        return nil
      }
      guard let reason = member.value.string, reason.contains(where: { !$0.isWhitespace }) else {
        complaints.add(
          .badValue, at: member.value, "found \(member.value.summary), expected the reason in words"
        )
        return nil
      }
      return Waiver(rule: member.key, reason: reason, source: member.value)
    }
  }
}
