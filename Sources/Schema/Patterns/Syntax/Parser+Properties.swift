import UnderstudyCore

extension Parser {
  /// The part after `\p` or `\P`: a property in braces.
  mutating func property(from start: Int) throws(PatternError) -> ScalarSet {
    guard take("{"), let content = takeText(before: "}"), !content.isEmpty else {
      throw PatternError(
        at: start,
        "found escape \(quoted(from: start)), expected a property in braces, as in \\p{Letter}")
    }
    let parts = content.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard parts.count == 2 else { return try loneProperty(parts[0], from: start) }
    let (name, value) = (parts[0], parts[1])
    switch name {
    case "General_Category", "gc":
      guard let set = GeneralCategory.set(named: value) else {
        throw PatternError(
          at: start, "unknown general category \"\(value)\"",
          fix: Spelling.suggestion(for: value, among: GeneralCategory.names))
      }
      return set
    case "Script", "sc": return try script(value, from: start)
    case "Script_Extensions", "scx":
      refuse(
        PatternError(
          at: start, "no data is available for property \"\(name)\"",
          fix: "write \\p{Script=\(value)} and add what else is needed"))
      return .any
    default:
      throw PatternError(
        at: start,
        "unknown property \"\(name)\", expected General_Category, Script or "
          + "Script_Extensions before \"=\"")
    }
  }

  private mutating func loneProperty(
    _ name: String, from start: Int
  ) throws(PatternError) -> ScalarSet {
    if let set = GeneralCategory.set(named: name) ?? BinaryProperty.set(named: name) { return set }
    if name == "Extended_Pictographic" || name == "ExtPict" {
      refuse(
        PatternError(
          at: start, "no data is available for property \"\(name)\"",
          fix: "write \\p{Emoji}"))
      return .any
    }
    let isScript = UnicodeScript.set(named: name) != nil
    throw PatternError(
      at: start, "unknown property \"\(name)\"",
      fix: isScript
        ? "write \\p{Script=\(name)}"
        : Spelling.suggestion(for: name, among: GeneralCategory.names + BinaryProperty.names))
  }

  /// A script that is unknown here may be one of the many others, so it is only refused, not an
  /// error.
  private mutating func script(_ name: String, from start: Int) throws(PatternError) -> ScalarSet {
    if let set = UnicodeScript.set(named: name) { return set }
    refuse(
      PatternError(
        at: start,
        "found script \"\(name)\", expected one of \(UnicodeScript.names.joined(separator: ", "))",
        fix: Spelling.suggestion(for: name, among: UnicodeScript.names)
          ?? "write its characters as ranges, as in [\\u0F00-\\u0FFF]"))
    return .any
  }
}
