/// Where the responses to requests come from.
package enum Mode: String, Sendable, CaseIterable {
  /// From contracts.
  case fake
  /// From the live API.
  case live
  /// From nowhere: connections are refused or reset.
  case off

  /// The names of all, as in a sentence.
  package static let list = "\"fake\", \"live\" or \"off\""
}
