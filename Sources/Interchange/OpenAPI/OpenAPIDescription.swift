import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON
import UnderstudySchema

/// An OpenAPI description: its document, and the files that it refers to.
///
/// References are followed within the document's folder. A file is read when it is first needed.
final class OpenAPIDescription {
  enum Version {
    case v30, v31
  }

  /// Why a reference is not followed.
  struct Missing: Error {
    let reason: String
  }

  private static let referencesMax = 100

  let version: Version
  let root: OpenAPINode
  private let source: ImportSource
  private let folder: String
  private var documents: [String: ForeignDocument] = [:]
  /// The notes on files that it refers to.
  private(set) var notes: [ImportNote] = []
  /// What references lead to, by their text: large objects are searched once for each.
  private var targets: [Reference: JSONValue] = [:]
  private(set) lazy var schemas = OpenAPISchemas(self)
  /// The steps for making and validating the values of all its schemas, in proportion to its size.
  let allowance = StepAllowance(stepsMax: stepsMin)

  private static let stepsMin = 10_000_000
  private static let stepsPerByte = 50

  private struct Reference: Hashable {
    let file: String
    let fragment: String
  }

  static func isRecognised(in document: ForeignDocument) -> Bool {
    document.root["openapi"] != nil || document.root["swagger"] != nil
  }

  init(_ document: ForeignDocument, from source: ImportSource) throws(Failure) {
    version = try Self.version(of: document)
    root = OpenAPINode(value: document.root, document: document)
    guard [.object, .null].contains(document.root["paths"]?.kind ?? .null) else {
      throw document.unexpected(
        document.root["paths"], at: "paths", expected: "an object of paths", fix: nil)
    }
    self.source = source
    let end = document.file.lastIndex(of: "/")
    folder =
      source.folders.first { Self.isBeneath($0, document.file) }
      ?? end.map { String(document.file[..<$0]) } ?? "."
    documents[Self.normalized(document.file)] = document
    allowance.add(document.root.byteRange.count * Self.stepsPerByte)
  }

  private static func version(of document: ForeignDocument) throws(Failure) -> Version {
    if let old = document.root["swagger"] {
      throw Failure(
        at: document.place(of: old),
        message: "found Swagger \(old.string ?? old.summary), expected OpenAPI 3.0 or 3.1",
        fix: "convert it first, for example with swagger2openapi or at editor.swagger.io")
    }
    let written = document.root["openapi"]
    let text = written?.string ?? written?.number?.text ?? ""
    if text == "3.0" || text.hasPrefix("3.0.") { return .v30 }
    // What 3.2 adds is left out.
    if ["3.1", "3.2"].contains(where: { text == $0 || text.hasPrefix("\($0).") }) { return .v31 }
    throw document.unexpected(
      written, at: "openapi", expected: "a version such as 3.0.3 or 3.1.0",
      fix: written == nil
        ? "is it an OpenAPI document? Its first key is \"openapi\": \"3.1.0\""
        : "change it to the version whose rules the document follows")
  }

  // MARK: - References

  /// The node itself, or what its `$ref` leads to.
  ///
  /// - Throws: a failure where the document is broken: a reference that leads in a circle, or out of
  ///   the folder, or a file that cannot be read.
  func resolved(_ node: OpenAPINode) throws(Failure) -> Result<OpenAPINode, Missing> {
    var node = node
    var count = 0
    while let reference = node["$ref"], let text = reference.value.string {
      count += 1
      guard count <= Self.referencesMax else {
        throw Failure(
          at: reference.place, message: "$ref \"\(text)\" leads back to itself",
          fix: "write what is meant in one of the places of the circle")
      }
      switch try target(of: text, at: reference) {
      case .success(let target): node = target
      case .failure(let missing): return .failure(missing)
      }
    }
    return .success(node)
  }

  /// What the text of one `$ref` names.
  func target(
    of text: String, at reference: OpenAPINode
  ) throws(Failure) -> Result<OpenAPINode, Missing> {
    let mark = text.firstIndex(of: "#") ?? text.endIndex
    let file = Self.decoded(text[..<mark])
    let fragment = String(text[mark...].dropFirst())
    if file.contains("://") || file.hasPrefix("//") {
      return .failure(Missing(reason: "a $ref to another host is not followed"))
    }
    let document =
      file.isEmpty ? reference.document : try self.document(named: file, by: reference)
    let key = Reference(file: document.file, fragment: fragment)
    if let value = targets[key] {
      return .success(OpenAPINode(value: value, document: document))
    }
    guard fragment.isEmpty || fragment.hasPrefix("/"), let pointer = JSONPointer(parsing: fragment)
    else { return .failure(Missing(reason: "its $ref \"\(text)\" names an anchor")) }
    let decoded = JSONPointer(pointer.tokens.map { Self.decoded($0[...]) })
    guard let value = document.root.value(at: decoded) else {
      return .failure(Missing(reason: "its $ref \"\(text)\" points to nothing"))
    }
    targets[key] = value
    return .success(OpenAPINode(value: value, document: document))
  }

  private func document(
    named name: String, by reference: OpenAPINode
  ) throws(Failure) -> ForeignDocument {
    let end = reference.document.file.lastIndex(of: "/")
    let start = end.map { "\(reference.document.file[..<$0])/" } ?? ""
    let path = Self.normalized(name.hasPrefix("/") ? name : start + name)
    if let known = documents[path] { return known }
    let around = Self.normalized(folder)
    guard !name.hasPrefix("/"), Self.isBeneath(around, path) else {
      throw Failure(
        at: reference.place,
        message: "$ref to \(name.visible) points outside \(folder)",
        fix: "import the folder around all of its files, in place of the document")
    }
    let relative =
      around.isEmpty ? path : String(Substring(path.utf8.dropFirst(around.utf8.count + 1)))
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try source.file(at: relative, in: folder)
    } catch {
      throw Failure(at: reference.place, message: error.message, fix: error.fix)
    }
    let document = try ForeignDocument(reading: bytes, file: path)
    documents[path] = document
    notes += document.repeated.map(document.note)
    allowance.add(document.root.byteRange.count * Self.stepsPerByte)
    return document
  }

  private static func isBeneath(_ folder: String, _ path: String) -> Bool {
    let (folder, path) = (normalized(folder), normalized(path))
    return folder.isEmpty ? !path.hasPrefix("../") && path != ".." : path.hasPrefix("\(folder)/")
  }

  private static func decoded(_ text: Substring) -> String {
    PercentEncoding.decode(text) ?? String(text)
  }

  /// Without `.` and, as far as there is a folder above, `..`.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      switch part {
      case ".": continue
      case ".." where !(parts.last ?? "..").elementsEqual(".."): parts.removeLast()
      default: parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
