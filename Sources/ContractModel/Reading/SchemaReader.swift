import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Compiles the JSON Schemas written in a contract.
struct SchemaReader {
  let complaints: Complaints

  func read(_ value: JSONValue) -> Schema? {
    var options = Schema.Options()
    options.now = BodySchema.moment
    options.allowance = complaints.allowance
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
