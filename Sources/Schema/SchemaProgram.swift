import UnderstudyJSON

/// The compiled form: every schema once, in an array, so that cyclic references are indexes.
final class SchemaProgram: Sendable {
  let nodes: [SchemaNode]
  /// The kinds of value that each node accepts without further checks.
  let settled: [JSONKinds]
  let root: Int
  /// The URI of each document that nodes come from.
  let documents: [String]
  let dynamicAnchors: DynamicAnchors

  init(
    nodes: [SchemaNode], root: Int, documents: [String], dynamicAnchors: DynamicAnchors
  ) {
    self.nodes = nodes
    settled = nodes.map(\.settled)
    self.root = root
    self.documents = documents
    self.dynamicAnchors = dynamicAnchors
  }

  /// Whether it is the schema `false`.
  func refuses(_ index: Int) -> Bool { settled[index].isEmpty && nodes[index].always == false }
}

/// One schema of a program.
///
/// The keywords are read in place: copying a group would count references at every level.
final class SchemaNode: Sendable {
  let source: JSONValue
  let document: Int
  let resource: Int
  /// Set for the schemas `true` and `false`, which have nothing else.
  let always: Bool?
  let keywords: KeywordGroups
  /// Whether it has keywords that apply further schemas to the same value.
  let isCombined: Bool
  /// Whether a scalar is checked only against keywords of this schema.
  let isSimple: Bool
  /// Set when there is nothing but a `$ref` or a `$dynamicRef`, which is common.
  let soleReference: Reference?

  init(_ source: JSONValue, document: Int, resource: Int, _ keywords: KeywordGroups) {
    self.source = source
    self.document = document
    self.resource = resource
    always = source.bool
    self.keywords = keywords
    isCombined = !keywords.combination.parts.isEmpty
    isSimple = !isCombined && always == nil
    soleReference =
      if source.count == 1,
        case .each(let reference, let keyword)? = keywords.combination.parts.first,
        keyword != .allOf
      { reference } else { nil }
  }

  /// The allowed kinds of value for which only the kind matters.
  var settled: JSONKinds {
    if let always { return always ? .all : [] }
    if !keywords.values.isEmpty || isCombined { return [] }
    var settled = keywords.types.kinds
    if !keywords.numbers.isEmpty { settled.subtract(.number) }
    if !keywords.strings.isEmpty { settled.subtract(.string) }
    if !keywords.arrays.isEmpty || keywords.unevaluatedItems != nil { settled.subtract(.array) }
    if !keywords.objects.isEmpty || keywords.unevaluatedProperties != nil {
      settled.subtract(.object)
    }
    return settled
  }

  /// The nodes that are applied to the same value.
  var inPlace: [Int] {
    keywords.combination.inPlace + keywords.objects.dependentSchemas.map(\.schema)
  }
}

/// The nodes that each schema resource names by `$dynamicAnchor`. A resource is a schema with an
/// `$id`, or the root of a document.
struct DynamicAnchors: Sendable {
  /// By resource; names that no `$dynamicRef` uses are left out. Names are numbered.
  let targets: [[(name: Int, target: Int)]]
  let nameCount: Int

  /// Whether no `$dynamicRef` depends on the path to it.
  var isEmpty: Bool { nameCount == 0 }
}
