import UnderstudyCore
import UnderstudyDrafting
import UnderstudyJSON
import UnderstudySchema
import UnderstudySecrets

/// What a response or a request has as its body, in one media type.
struct OpenAPIContent {
  enum Body: Hashable {
    case json(JSONText)
    case text(String)
    case base64([UInt8])
  }

  /// The media type as it is sent.
  let mediaType: String
  /// The examples with their names; at least one. Those that the document lacks are made.
  private(set) var bodies: [(name: String?, summary: String?, body: Body, isMade: Bool)] = []
  private(set) var schema: OpenAPISchema?
  private(set) var notes: [ImportNote] = []

  var isJSON: Bool { MediaType(mediaType).isJSON }

  /// - Parameters:
  ///   - written: the media type in the document, which may be a range such as `*/*`.
  ///   - node: the media type object.
  init?(
    _ written: String, _ node: OpenAPINode, in description: OpenAPIDescription,
    _ direction: OpenAPISchema.Direction, subject: String
  ) throws(Failure) {
    let schemaNode = node["schema"]
    if let schemaNode {
      schema = try OpenAPISchema(
        of: schemaNode, in: description, direction, subject: subject, notes: &notes)
    }
    mediaType = Self.sent(written, schema?.root)
    let examples = try Self.examples(of: node, in: description, subject: subject, &notes)
    if isJSON {
      addJSON(examples, at: schemaNode ?? node, subject: subject)
    } else {
      addText(examples)
      if bodies.isEmpty { return nil }
    }
  }

  /// A range becomes the type that fits the schema.
  private static func sent(_ written: String, _ schema: JSONValue?) -> String {
    let name = MediaType(written).name
    guard name.contains("*") || name.isEmpty else { return written }
    if name.hasPrefix("text/") { return "text/plain" }
    if name.hasSuffix("+json") { return "application/json" }
    if name.hasPrefix("image/") { return "image/png" }
    let isText = schema?["type"]?.string == "string"
    let isBinary = isText && schema?["format"]?.string == "binary"
    if isBinary { return "application/octet-stream" }
    return isText && name != "application/*" ? "text/plain" : "application/json"
  }

  private static func examples(
    of node: OpenAPINode, in description: OpenAPIDescription, subject: String,
    _ notes: inout [ImportNote]
  ) throws(Failure) -> [(name: String?, summary: String?, node: OpenAPINode)] {
    var examples: [(name: String?, summary: String?, node: OpenAPINode)] = []
    for (name, written) in node["examples"]?.entries ?? [] {
      switch try description.resolved(written) {
      case .failure(let missing):
        notes.append(written.note(.leftOut, subject, because: missing.reason))
      case .success(let target):
        if let value = target["value"] {
          examples.append((name, target.text("summary"), value))
        } else if target["externalValue"] != nil {
          notes.append(
            target.note(.leftOut, subject, because: "an example is in its own file"))
        }
      }
    }
    if examples.isEmpty, let example = node["example"] { examples.append((nil, nil, example)) }
    return examples
  }

  // MARK: - JSON

  private mutating func addJSON(
    _ examples: [(name: String?, summary: String?, node: OpenAPINode)], at place: OpenAPINode,
    subject: String
  ) {
    var texts: [(name: String?, summary: String?, text: JSONText?)] = []
    for (name, summary, node) in examples {
      texts.append((name, summary, example(at: node, subject)))
    }
    // One without a name is only needed where there is no other.
    texts.removeAll { $0.name == nil && $0.text == nil }
    if texts.isEmpty { texts.append((nil, nil, nil)) }
    let made = texts.contains { $0.text == nil } ? self.made(at: place, subject) : nil
    for (name, summary, text) in texts {
      guard let shown = text ?? made else { continue }
      bodies.append((name, summary, .json(shown), isMade: text == nil))
    }
  }

  /// `nil` for an example that no response can have.
  private mutating func example(at node: OpenAPINode, _ subject: String) -> JSONText? {
    let text = value(of: node)
    guard let root = text.root else { return nil }
    if let complaint = schema?.compiled.complaints(about: root, max: 1).first {
      notes.append(
        node.note(
          .leftOut, subject,
          because: "an example is not what its schema allows: \(complaint.message.visible)"))
      return nil
    }
    let shown = masked(text, at: node, subject)
    guard let shownRoot = shown.root, schema?.compiled.accepts(shownRoot) ?? true else {
      notes.append(
        node.note(.leftOut, subject, because: "an example is secret, and its schema requires it"))
      return nil
    }
    return shown
  }

  /// Some documents write JSON as the text of an example.
  private func value(of node: OpenAPINode) -> JSONText {
    if let text = node.value.string, let schema, !schema.compiled.accepts(node.value),
      let read = try? JSONDocument(parsing: text)
    {
      return .value(read.root)
    }
    return .value(node.value)
  }

  private mutating func masked(
    _ text: JSONText, at node: OpenAPINode, _ subject: String
  ) -> JSONText {
    guard SecretMask.looksSecret(text.bytes) else { return text }
    notes.append(node.note(.masked, subject, because: "it is secret"))
    let bytes = SecretMask.standard.masked(text.bytes, of: "application/json")
    return (try? JSONDocument(parsing: bytes)).map { .value($0.root) } ?? .null
  }

  /// A value that the schema allows; without such a value, the schema is left out.
  private mutating func made(at node: OpenAPINode, _ subject: String) -> JSONText {
    guard let schema else { return .emptyObject }
    if let value = schema.example {
      return masked(value, at: node, subject)
    }
    if let relaxed = schema.relaxed,
      let value = relaxed.example
    {
      self.schema = relaxed
      notes.append(
        node.note(.widened, subject, because: "values meet more than one schema of a \"oneOf\""))
      return masked(value, at: node, subject)
    }
    self.schema = nil
    notes.append(
      node.note(.widened, subject, because: "no value was found that its schema allows"))
    return .emptyObject
  }

  // MARK: - Other types

  private mutating func addText(
    _ examples: [(name: String?, summary: String?, node: OpenAPINode)]
  ) {
    for (name, summary, node) in examples {
      guard let text = node.value.string ?? OpenAPIOperation.Parameter.texts(of: node.value)?.first
      else { continue }
      let shown = SecretMask.looksSecret(Array(text.utf8)) ? SecretMask.mark : text
      bodies.append((name, summary, .text(shown), isMade: false))
    }
    let schema = schema
    self.schema = nil
    guard bodies.isEmpty else { return }
    let name = MediaType(mediaType).name
    // An object has no form of its own as text.
    if let types = schema?.root["type"], types.string != "string" { return }
    if schema?.root["format"]?.string == "binary" || !name.hasPrefix("text/") {
      if name.hasSuffix("xml") { return }
      bodies.append((nil, nil, .base64(Array("example".utf8)), isMade: true))
    } else {
      let made = schema?.example?.root?.string
      bodies.append((nil, nil, .text(made ?? "example"), isMade: true))
    }
  }
}
