package import UnderstudyJSON

/// What a consumer made of the answers it got.
package enum ConsumerOutcome: Sendable {
  case value(JSONValue)
  case error(ConsumerError)
  /// An error that has no name in `consumers.json`; in words.
  case undeclared(String)
  /// What it gave is no JSON; says why not.
  case unreadable(String)
  /// A command is over.
  case ended(CommandEnding)

  init(json: [UInt8]) {
    do throws(JSONError) {
      self = .value(try JSONDocument(parsing: json).root)
    } catch {
      self = .unreadable("\(error.position): \(error.message)")
    }
  }
}
