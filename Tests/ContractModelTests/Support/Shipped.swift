import Foundation

@testable import UnderstudyJSON
@testable import UnderstudySchema

/// The contracts that come with Understudy.
enum Shipped {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Contracts").standardized

  /// All JSON files but the schemas, by their path beneath the folder.
  static let files: [String: String] = {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    var files: [String: String] = [:]
    for path in paths ?? [] where path.hasSuffix(".json") && !path.hasSuffix(".schema.json") {
      files[path] = try? String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }
    return files
  }()

  /// The schema that describes a file, by the file's path.
  static func schema(for path: String) throws -> Schema {
    try Schema(compiling: schemaDocument(for: path).root)
  }

  static func schemaDocument(for path: String) throws -> JSONDocument {
    let name =
      switch path.split(separator: "/").last {
      case "consumers.json": "consumers"
      case "upstream.json": "upstream"
      default: "contract"
      }
    let file = folder.appending(path: "\(name).schema.json")
    return try JSONDocument(parsing: Array(Data(contentsOf: file)))
  }
}
