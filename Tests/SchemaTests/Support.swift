import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

func value(_ text: String) throws -> JSONValue {
  try JSONDocument(parsing: text).root
}

func compiled(
  _ text: String, now: Int = 1_700_000_000, stepsMax: Int? = nil
) throws -> Schema {
  var options = Schema.Options()
  options.now = Moment(unixSeconds: now)
  if let stepsMax { options.stepsMax = stepsMax }
  return try Schema(compiling: value(text), options: options)
}

/// `pointer: message` of each complaint.
func complaints(_ schema: String, _ instance: String) throws -> [String] {
  try compiled(schema).complaints(about: value(instance)).map {
    "\($0.instancePointer): \($0.message)"
  }
}

/// The problems of a schema that does not compile, one a line.
func problems(_ schema: String) throws -> String {
  let value = try value(schema)
  do throws(SchemaError) {
    _ = try Schema(compiling: value)
    return "none"
  } catch {
    return error.description
  }
}
