import JSON

/// The compiled form: every schema once, in an array, so that cycles of references are indexes.
final class SchemaProgram: Sendable {
  let nodes: [SchemaNode]
  let root: Int
  /// The URI of each document a node may come from.
  let documents: [String]
  let dynamicAnchors: DynamicAnchors
  let options: Schema.Options

  init(
    nodes: [SchemaNode], root: Int, documents: [String], dynamicAnchors: DynamicAnchors,
    options: Schema.Options
  ) {
    self.nodes = nodes
    self.root = root
    self.documents = documents
    self.dynamicAnchors = dynamicAnchors
    self.options = options
  }
}

/// One schema: its keywords grouped by the kind of value they speak about.
///
/// The groups are classes, too: their values would be copied onto the stack at every level.
final class SchemaNode: Sendable {
  let source: JSONValue
  let document: Int
  let resource: Int
  /// Set for the schemas `true` and `false`, which have nothing else.
  let always: Bool?
  let types: TypeKeyword?
  let values: ValueKeywords?
  let numbers: NumberKeywords?
  let strings: StringKeywords?
  let arrays: ArrayKeywords?
  let objects: ObjectKeywords?
  let combination: CombiningKeywords
  let unevaluatedItems: Int?
  let unevaluatedProperties: Int?

  init(_ source: JSONValue, document: Int, resource: Int, reader: KeywordReader) {
    self.source = source
    self.document = document
    self.resource = resource
    always = source.bool
    types = TypeKeyword(reader)
    values = ValueKeywords(reader)
    numbers = NumberKeywords(reader)
    strings = StringKeywords(reader)
    arrays = ArrayKeywords(reader)
    objects = ObjectKeywords(reader)
    combination = CombiningKeywords(reader)
    unevaluatedItems = reader.schema(.unevaluatedItems)
    unevaluatedProperties = reader.schema(.unevaluatedProperties)
    soleReference =
      if source.count == 1, case .each(let reference, let keyword)? = combination.parts.first,
        keyword != .allOf
      { reference } else { nil }
  }

  /// Set when there is nothing but a `$ref` or a `$dynamicRef`, as in many a schema.
  let soleReference: Reference?

  /// The nodes that are applied to the very value this one is applied to.
  var inPlace: [Int] {
    combination.inPlace + (objects?.dependentSchemas.map(\.schema) ?? [])
  }
}
