import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// Compiles the JSON Schemas written in a contract.
struct SchemaReader {
  let complaints: Complaints

  private var options: Schema.Options {
    var options = Schema.Options(now: BodySchema.moment)
    options.allowance = complaints.run?.allowance
    options.patterns = complaints.run?.patterns
    return options
  }

  func read(_ value: JSONValue) -> Schema? {
    do {
      let schema = try Schema(
        compiling: value, options: options, from: complaints.run?.schemas)
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
