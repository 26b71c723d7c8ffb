import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

/// A schema of a document as one of draft 2020-12 that stands by itself, with what it refers to in
/// `$defs`.
struct OpenAPISchema {
  /// Where a value occurs: a request has no `readOnly` members, a response no `writeOnly` ones.
  enum Direction {
    case request, response

    var hiddenKey: String { self == .request ? "readOnly" : "writeOnly" }
  }

  let text: JSONText
  let root: JSONValue
  let compiled: Schema
  private let cache: Cache
  private let allowance: StepAllowance

  /// What is computed on first use.
  private final class Cache {
    let schema: SchemaExample
    lazy var example = schema.value

    init(_ root: JSONValue, _ compiled: Schema) { schema = SchemaExample(root, compiled) }
  }

  private init(text: JSONText, root: JSONValue, compiled: Schema, _ allowance: StepAllowance) {
    self.allowance = allowance
    self.text = text
    self.root = root
    self.compiled = compiled
    cache = Cache(root, compiled)
  }

  /// A value that it allows; `nil` if none was found.
  var example: JSONText? { cache.example }

  /// `nil` where too much of it is wrong; `notes` get what is left out.
  init?(
    of node: OpenAPINode, in description: OpenAPIDescription, _ direction: Direction,
    subject: String, notes: inout [ImportNote]
  ) throws(Failure) {
    let schemas = description.schemas
    guard
      let schema = try schemas.schema(of: node, direction, subject: subject, notes: &notes)
    else { return nil }
    self = schema
  }

  /// Repairs what is wrong in a text, as far as that can be left out.
  init?(
    repairing text: JSONText, of node: OpenAPINode, subject: String, notes: inout [ImportNote],
    _ allowance: StepAllowance
  ) {
    var text = text
    for _ in 0..<Self.repairsMax {
      if let (root, compiled) = Self.compiled(text, allowance) {
        self.init(text: text, root: root, compiled: compiled, allowance)
        return
      }
      text = Self.repaired(text, of: node, subject, &notes, allowance)
    }
    return nil
  }

  private static let repairsMax = 8
  /// The limit for all values that are tried, which take under a second.
  private static let stepsMax = 2_000_000

  /// Dates are checked as of the day that contracts use.
  private static func options(within allowance: StepAllowance) -> Schema.Options {
    var options = Schema.Options(now: BodySchema.moment)
    options.allowance = StepAllowance(stepsMax: stepsMax, within: allowance)
    return options
  }

  private static func compiled(
    _ text: JSONText, _ allowance: StepAllowance
  ) -> (JSONValue, Schema)? {
    guard let root = text.root,
      let schema = try? Schema(compiling: root, options: options(within: allowance)),
      schema.warnings.isEmpty
    else { return nil }
    return (root, schema)
  }

  /// This schema with `anyOf` in place of each `oneOf`; `nil` if it has no `oneOf`.
  var relaxed: OpenAPISchema? {
    let text = Self.relaxed(root)
    guard text != .value(root), let (root, compiled) = Self.compiled(text, allowance)
    else { return nil }
    return OpenAPISchema(text: text, root: root, compiled: compiled, allowance)
  }

  /// The nesting of the text bounds the recursion.
  private static func relaxed(_ schema: JSONValue) -> JSONText {
    guard schema.kind == .object else { return .value(schema) }
    return .object(
      schema.members.map { member in
        let value = member.value
        let key = member.key == "oneOf" && schema["anyOf"] == nil ? "anyOf" : member.key
        switch Keyword.named(member.key)?.holds {
        case .oneSchema: return (key, relaxed(value))
        case .schemas: return (key, .array(value.elements.map(relaxed)))
        case .namedSchemas:
          return (key, .object(value.members.map { ($0.key, relaxed($0.value)) }))
        default: return (key, .value(value))
        }
      })
  }

  /// The schema without the keywords that are wrong or have no effect.
  private static func repaired(
    _ text: JSONText, of node: OpenAPINode, _ subject: String, _ notes: inout [ImportNote],
    _ allowance: StepAllowance
  ) -> JSONText {
    guard let root = text.root, root.kind == .object else { return .bool(true) }
    var problems: [SchemaProblem]
    do throws(SchemaError) {
      problems = try Schema(compiling: root, options: options(within: allowance)).warnings
    } catch {
      problems = error.problems
    }
    var draft = JSONDraft(of: root)
    // From the end, so that the places of others stay what they are.
    for problem in problems.reversed() {
      guard !problem.place.pointer.tokens.isEmpty else { return .bool(true) }
      try? draft.remove(problem.place.pointer)
      notes.append(
        node.note(.widened, subject, because: "a schema is wrong: \(problem.message)"))
    }
    return (try? JSONDocument(parsing: draft.bytes)).map { .value($0.root) } ?? .bool(true)
  }
}
