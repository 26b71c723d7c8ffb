import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// What an import of an OpenAPI document would write into a folder that is not there.
struct ImportedDocument {
  static let folder = "no-such-folder"

  let plan: ImportPlan
  let library: ContractLibrary
  private let files: [String: [UInt8]]

  /// - Parameter others: the files beside the document.
  init(_ text: String, named file: String = "api.json", others: [String: String] = [:]) throws {
    let source = ImportSource(
      documents: [try ForeignDocument(reading: Array(text.utf8), file: file)],
      reading: { path, _ throws(Failure) in
        guard let text = others[path] else {
          throw Failure(message: "no file \(path)", fix: nil)
        }
        return Array(text.utf8)
      })
    plan = try ImportFormat.plan(
      source, as: nil, ImportOptions(folder: Self.folder, differs: { _, _, _ in false }))
    var files: [String: [UInt8]] = [:]
    for case .write(let file) in plan.changes {
      files[String(file.path.dropFirst("\(Self.folder)/".count))] = file.bytes
    }
    self.files = files
    library = ContractLibrary(readingBytes: files)
  }

  /// Expects a file with this text; shows what differs.
  func expect(_ path: String, _ text: String) throws {
    let bytes = try #require(files[path])
    #expect(TextDiff.unified(text, String(decoding: bytes, as: UTF8.self)) == "")
  }

  /// The JSON at a place of a file, on one line.
  func json(_ path: String, _ pointer: String) throws -> String? {
    guard let bytes = files[path], let pointer = JSONPointer(parsing: pointer) else { return nil }
    let value = try JSONDocument(parsing: bytes).root.value(at: pointer)
    return value.map { String(decoding: $0.compact, as: UTF8.self) }
  }

  /// What lint says of the files.
  var complaints: [String] { library.findings.map { "\($0.file): \($0.message)" } }
}

/// The text of a document.
enum OpenAPI {
  static func document(
    _ paths: String, version: String = "3.1.0", more: String = ""
  ) -> String {
    """
    {"openapi": "\(version)", "info": {"title": "Pets", "version": "1"},
     "servers": [{"url": "https://api.pets.example/v1"}]\(more.isEmpty ? "" : ", \(more)"),
     "paths": {\(paths)}}
    """
  }

  /// A document with one response of this schema.
  static func responding(_ schema: String, version: String = "3.1.0", more: String = "") -> String {
    document(
      """
      "/thing": {"get": {"responses": {"200": {"description": "a thing", "content":
        {"application/json": {"schema": \(schema)}}}}}}
      """, version: version, more: more)
  }
}
