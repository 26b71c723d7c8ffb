/// The readers a result is printed for.
enum OutputFormat: String, CaseIterable {
  /// People.
  case text
  /// Programs: keys keep their names and meaning; new keys may be added.
  case json

  static let option = Parameter<OutputFormat>.option(
    "format", "FORMAT", .choice, default: .text, "How to print the result.")
}
