package import UnderstudyJSON

/// A service or a command that uses upstreams, as `consumers.json` declares it.
package struct Consumer: Sendable {
  /// The JSON type of an argument or of an error's payload.
  package enum PayloadType: String, Sendable, CaseIterable {
    case string, integer, number, boolean, array, object, any
  }

  /// What a call of the consumer needs; contracts give the values.
  package struct Argument: Sendable {
    package let name: String
    package let type: PayloadType
  }

  /// An error that contracts may expect of the consumer. Any other error is a failure.
  package struct DeclaredError: Sendable {
    package let name: String
    /// `nil` for an error without a payload.
    package let payload: PayloadType?
  }

  package let name: String
  package let summary: String?
  package let upstreamNames: [String]
  /// The words of a command in any language, which declares no arguments or errors; `nil` for a
  /// service.
  package let command: [String]?
  /// Where a command runs: the folder that the contracts folder is in.
  package let folder: String
  /// The files and folders, from there, on which a command's behaviour depends besides those that
  /// its words name.
  package let sources: [String]
  /// The environment variables it gets besides those that everybody gets.
  package let variableNames: [String]
  /// The name of the executable that registers it; `nil` when none is declared.
  package let toolName: String?
  package let arguments: [Argument]
  package let errors: [DeclaredError]
  package let source: JSONValue

  package var isCommand: Bool { command != nil }
}
