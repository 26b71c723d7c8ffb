import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON

/// The schemas of a description: each is converted once, however often it is referred to.
final class OpenAPISchemas {
  /// How a schema is written.
  struct Style: Hashable {
    let direction: OpenAPISchema.Direction
    /// Whether texts for readers are left out.
    var isTerse = false
  }

  private struct Definition {
    let text: JSONText
    let references: [OpenAPINode]
  }

  /// A schema as a part of others, which nest to some depth.
  struct Part: Hashable {
    let identity: OpenAPINode.Identity
    let direction: OpenAPISchema.Direction
    let depth: Int
  }

  private struct Key: Hashable {
    let identity: OpenAPINode.Identity
    let style: Style
  }

  /// About how large all contracts together may become, since each has what its schemas refer to.
  private static let allBytesMax = 128 << 20
  private static let bytesMaxima = 4 << 10...48 << 10

  private unowned let description: OpenAPIDescription
  private var names: [OpenAPINode.Identity: String] = [:]
  private var taken = UniqueNames()
  private var definitions: [Key: Definition] = [:]
  private var schemas: [Key: OpenAPISchema] = [:]
  /// The members that do not go one way.
  var hiddenNames: [Part: Set<String>] = [:]

  /// How large a schema may become; beyond that, what it refers to is left open.
  private let bytesMax: Int

  init(_ description: OpenAPIDescription) {
    self.description = description
    let items = (description.root.value["paths"] ?? .null).members
    let operationCount = items.reduce(0) { $0 + $1.value.count }
    let share = Self.allBytesMax / max(1, 2 * operationCount)
    bytesMax = max(Self.bytesMaxima.lowerBound, min(Self.bytesMaxima.upperBound, share))
  }

  /// Its name among definitions: the last part of its place, `Pet`, with a number if that is taken.
  func name(of node: OpenAPINode) -> String {
    if let known = names[node.identity] { return known }
    let legal = (node.value.pointer.tokens.last ?? "").utf8.map { byte in
      byte.isLetterOrDigit || byte == .hyphen || byte == .period || byte == UInt8(ascii: "_")
        ? byte : UInt8(ascii: "_")
    }
    let stem = legal.isEmpty ? "schema" : String(decoding: legal, as: UTF8.self)
    let name = taken.name(stem)
    names[node.identity] = name
    return name
  }

  /// `nil` where too much of it is wrong; `notes` get what is left out.
  func schema(
    of node: OpenAPINode, _ direction: OpenAPISchema.Direction, subject: String,
    notes: inout [ImportNote]
  ) throws(Failure) -> OpenAPISchema? {
    // Most schemas only refer to one that others refer to, too.
    var key = Key(identity: node.identity, style: Style(direction: direction))
    if node.value.count == 1, let reference = node["$ref"], let text = reference.value.string,
      case .success(let target) = try description.target(of: text, at: reference)
    {
      key = Key(identity: target.identity, style: Style(direction: direction))
    }
    if let known = schemas[key] { return known }
    var isCut = false
    var text = try self.text(of: node, key.style, subject: subject, &notes, &isCut)
    if isCut {
      let style = Style(direction: direction, isTerse: true)
      isCut = false
      text = try self.text(of: node, style, subject: subject, &notes, &isCut)
    }
    if isCut {
      notes.append(
        node.note(
          .widened, subject,
          because: "its schema refers to more than \(bytesMax >> 10) KB of other schemas"))
    }
    let schema = OpenAPISchema(
      repairing: text, of: node, subject: subject, notes: &notes, description.allowance)
    schemas[key] = schema
    return schema
  }

  /// A schema with all that it leads to; nearer definitions come first.
  private func text(
    of node: OpenAPINode, _ style: Style, subject: String, _ notes: inout [ImportNote],
    _ isCut: inout Bool
  ) throws(Failure) -> JSONText {
    var writer = OpenAPISchemaWriter(description, style, subject: subject)
    let text = try writer.write(node)
    notes += writer.notes
    var pending = writer.references
    guard !pending.isEmpty, let members = text.root?.members else { return text }
    var seen = Set(pending.map(\.identity))
    var written: [(key: String, value: JSONText?)] = []
    var byteCount = text.bytes.count
    var next = 0
    while next < pending.count {
      let target = pending[next]
      next += 1
      guard byteCount < bytesMax else {
        isCut = true
        written.append((name(of: target), .bool(true)))
        continue
      }
      let definition = try self.definition(of: target, style, &notes)
      byteCount += definition.text.bytes.count
      written.append((name(of: target), definition.text))
      pending += definition.references.filter { seen.insert($0.identity).inserted }
    }
    return .object(members.map { ($0.key, .value($0.value)) } + [("$defs", .object(written))])
  }

  private func definition(
    of node: OpenAPINode, _ style: Style, _ notes: inout [ImportNote]
  ) throws(Failure) -> Definition {
    let key = Key(identity: node.identity, style: style)
    if let known = definitions[key] { return known }
    var writer = OpenAPISchemaWriter(description, style, subject: "schema \(name(of: node))")
    let definition = Definition(text: try writer.write(node), references: writer.references)
    // The terse form would say the same again.
    if !style.isTerse { notes += writer.notes }
    definitions[key] = definition
    return definition
  }
}
