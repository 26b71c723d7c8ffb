package import UnderstudyJSON

/// The result of a consumer.
package enum ConsumerOutcome: Sendable {
  case value(JSONValue)
  case error(ConsumerError)
  /// The description of an error that is not in `consumers.json`.
  case undeclared(String)
  /// Its value is not valid JSON, with the reason.
  case unreadable(String)
  /// A command has ended.
  case ended(CommandEnding)
  /// It could not be started, with the reason.
  case notStarted(String)

  init(json: [UInt8]) {
    do throws(JSONError) {
      self = .value(try JSONDocument(parsing: json).root)
    } catch {
      self = .unreadable("\(error.position): \(error.message)")
    }
  }
}
