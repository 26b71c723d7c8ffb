extension Int {
  /// `1 file`, `2 files`.
  package func of(_ noun: String) -> String {
    "\(self) \(noun)\(self == 1 ? "" : "s")"
  }
}
