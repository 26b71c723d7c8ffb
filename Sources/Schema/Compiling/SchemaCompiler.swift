import UnderstudyCore
import UnderstudyJSON

/// The place of a schema: its value, document and resource.
struct SchemaLocation {
  let value: JSONValue
  let document: Int
  var resource: Int
}

/// A schema with its own URI, and the names defined in it.
struct SchemaResource {
  let uri: URIReference
  let root: SchemaLocation
  var vocabularies: Vocabularies
  var anchors: [String: Int] = [:]
  var dynamicAnchors: [String: Int] = [:]
}

/// Compiles a schema into a program: finds every schema in the text, then compiles them one by one,
/// which may lead to further documents.
///
/// Used by one caller for one compilation. `SchemaCompiler+Scanning` finds the schemas, the
/// resources and their names, `SchemaCompiler+Compiling` makes a node of each, and
/// `SchemaCompiler+References` finds the targets of references. `KeywordReader` reads the keywords
/// of one schema; `KeywordGroups+Reading` sorts them by the kind of value.
///
/// Each schema of a text is compiled once, however many references lead to it, so that cycles end.
/// All problems are collected before compiling fails.
final class SchemaCompiler {
  let options: Schema.Options
  let resolver: SchemaResolver?
  var locations: [SchemaLocation] = []
  var indexes: [ValueIdentity: Int] = [:]
  var resources: [SchemaResource] = []
  var resourceIndexes: [URIReference: Int] = [:]
  var documents: [String] = []
  var memberIndexes: [ValueIdentity: [ExactText: JSONValue]] = [:]
  var dynamicNames: [String: Int] = [:]
  var warnings: [SchemaProblem] = []
  var problems: [SchemaProblem] = []
  private var patterns: [ExactText: Pattern] = [:]
  /// Nobody reads more, and finding each position means searching the text.
  private static let problemsMax = 1000

  /// Two values are the same schema when they start at the same byte of the same document.
  struct ValueIdentity: Hashable {
    private let document: Int
    private let offset: Int

    init(_ location: SchemaLocation) {
      document = location.document
      offset = location.value.byteRange.lowerBound
    }
  }

  init(options: Schema.Options, resolver: SchemaResolver?) {
    self.options = options
    self.resolver = resolver
  }

  func problem(
    at value: JSONValue, in location: SchemaLocation, _ message: String, fix: String? = nil
  ) {
    guard problems.count < Self.problemsMax else { return }
    let place = SchemaPlace(of: value, in: documents[location.document])
    problems.append(SchemaProblem(place: place, message: message, fix: fix))
  }

  func warning(
    at value: JSONValue, in location: SchemaLocation, _ message: String, fix: String? = nil
  ) {
    guard warnings.count < Self.problemsMax else { return }
    let place = SchemaPlace(of: value, in: documents[location.document])
    warnings.append(SchemaProblem(place: place, message: message, fix: fix))
  }

  func pattern(_ source: String, at value: JSONValue, in location: SchemaLocation) -> Pattern? {
    if let known = patterns[ExactText(source)] { return known }
    do throws(PatternError) {
      let pattern = try Pattern(source, from: options.patterns)
      patterns[ExactText(source)] = pattern
      return pattern
    } catch {
      problem(
        at: value, in: location, "\(error.message), in the pattern \"\(source)\"", fix: error.fix)
      return nil
    }
  }
}
