/// A name and its value: `dog-ceo/random-images=malformed`.
struct Assignment: Sendable {
  let name: String
  let value: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let name = parts.first, let value = parts.last, !name.isEmpty,
      !value.isEmpty
    else { return nil }
    (self.name, self.value) = (String(name), String(value))
  }

  var argument: String { "\(name)=\(value)" }

  /// - Parameter form: how help and messages name it: `CONTRACT=CASE`.
  static func format(_ form: String) -> ValueFormat<Assignment> {
    ValueFormat(.other(form), parse: Assignment.init)
  }
}

extension Parameter<[Assignment]> {
  static func assignments(_ name: String, _ form: String, _ help: String) -> Self {
    options(name, form, Assignment.format(form), help)
  }
}
