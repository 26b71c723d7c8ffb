import JSON
import JSONSchema

/// Compiles the JSON Schemas written in a contract.
struct SchemaReader {
  /// 2030-01-01 00:00 UTC, from which `x-time` in a contract counts: what is in a file does not
  /// change with the day and the machine it is looked at on.
  private static let moment = 1_893_456_000

  let complaints: Complaints

  func read(_ value: JSONValue) -> Schema? {
    var options = Schema.Options()
    options.now = Self.moment
    do {
      let schema = try Schema(compiling: value, options: options)
      for warning in schema.warnings {
        complaints.add(.badSchema, at: warning.place.position, warning.message, fix: warning.fix)
      }
      return schema
    } catch {
      for problem in error.problems {
        complaints.add(.badSchema, at: problem.place.position, problem.message, fix: problem.fix)
      }
      return nil
    }
  }
}
