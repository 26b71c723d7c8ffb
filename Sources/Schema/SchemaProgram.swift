import UnderstudyJSON

/// The compiled form: every schema once, in an array, so that cycles of references are indexes.
final class SchemaProgram: Sendable {
  let nodes: [SchemaNode]
  /// The kinds of value that each node accepts without looking further.
  let settled: [JSONKinds]
  let root: Int
  /// The URI of each document a node may come from.
  let documents: [String]
  let dynamicAnchors: DynamicAnchors
  let options: Schema.Options
  let references: [NodeReference]

  init(
    nodes: [SchemaNode], root: Int, documents: [String], dynamicAnchors: DynamicAnchors,
    options: Schema.Options
  ) {
    self.nodes = nodes
    settled = nodes.map(\.settled)
    self.root = root
    self.documents = documents
    self.dynamicAnchors = dynamicAnchors
    self.options = options
    references = nodes.map(NodeReference.init)
  }

  /// Whether it is the schema `false`.
  @inline(__always)
  func refuses(_ index: Int) -> Bool { settled[index].isEmpty && nodes[index].always == false }
}

/// A node of a program that is kept elsewhere: looking at it counts no references.
struct NodeReference: @unchecked Sendable {
  // SAFETY: nobody has one but the program, which holds the node as well, and those who run it.
  private let node: Unmanaged<SchemaNode>

  init(_ node: SchemaNode) { self.node = .passUnretained(node) }

  @inline(__always)
  func look<Result>(_ body: (SchemaNode) -> Result) -> Result {
    node._withUnsafeGuaranteedRef(body)
  }
}

/// One schema: its keywords grouped by the kind of value they speak about.
///
/// The groups are read where they are: a copy of one would count references at every level.
final class SchemaNode: Sendable {
  let source: JSONValue
  let document: Int
  let resource: Int
  /// Set for the schemas `true` and `false`, which have nothing else.
  let always: Bool?
  let types: TypeKeyword
  let values: ValueKeywords
  let numbers: NumberKeywords
  let strings: StringKeywords
  let arrays: ArrayKeywords
  let objects: ObjectKeywords
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
    isCombined = !combination.parts.isEmpty
    isSimple = !isCombined && always == nil
    soleReference =
      if source.count == 1, case .each(let reference, let keyword)? = combination.parts.first,
        keyword != .allOf
      { reference } else { nil }
  }

  /// Whether it has keywords that apply further schemas to the same value.
  let isCombined: Bool
  /// Whether a scalar is held against nothing but keywords of this schema.
  let isSimple: Bool

  /// The kinds of value of which nothing but their kind matters, and which are allowed.
  var settled: JSONKinds {
    if let always { return always ? .all : [] }
    if !values.isEmpty || isCombined { return [] }
    var settled = types.kinds
    if !numbers.isEmpty { settled.subtract(.number) }
    if !strings.isEmpty { settled.subtract(.string) }
    if !arrays.isEmpty || unevaluatedItems != nil { settled.subtract(.array) }
    if !objects.isEmpty || unevaluatedProperties != nil { settled.subtract(.object) }
    return settled
  }

  /// Set when there is nothing but a `$ref` or a `$dynamicRef`, as in many a schema.
  let soleReference: Reference?

  /// The nodes that are applied to the very value this one is applied to.
  var inPlace: [Int] {
    combination.inPlace + objects.dependentSchemas.map(\.schema)
  }
}
