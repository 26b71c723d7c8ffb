/// When what is printed has colours.
enum ColorChoice: String, CaseIterable {
  case auto, always, never

  static let option = Parameter<ColorChoice>.option(
    "color", "WHEN", .choice, default: .auto, "When to print in colour.")

  /// What the environment says of a stream: `NO_COLOR` first, then what forces colours.
  static func isWanted(onTerminal isTerminal: Bool, _ variable: (String) -> String?) -> Bool {
    func isSet(_ name: String) -> Bool { variable(name).map { !["", "0"].contains($0) } ?? false }
    if variable("NO_COLOR").map({ !$0.isEmpty }) ?? false { return false }
    if isSet("FORCE_COLOR") || isSet("CLICOLOR_FORCE") { return true }
    let isClever = variable("TERM").map { $0 != "dumb" } ?? false
    return isTerminal && isClever && variable("CLICOLOR") != "0"
  }
}
