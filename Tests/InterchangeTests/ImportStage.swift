import Foundation
import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyJSON

@testable import UnderstudyInterchange

/// A folder of contracts that HARs are imported into, and which goes with it.
final class ImportStage: Sendable {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("import \(UUID().uuidString)").path

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func plan(
    _ documents: String..., change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportPlan {
    var options = ImportOptions(folder: folder, differs: { $0.differs(from: $1, in: $2) })
    change(&options)
    let read = try documents.enumerated().map { number, text in
      try ForeignDocument(reading: Array(text.utf8), file: "\(number + 1).har")
    }
    return try ImportFormat.plan(ImportSource(documents: read), as: nil, options)
  }

  @discardableResult
  func write(
    _ document: String, change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportPlan {
    let plan = try plan(document, change: change)
    try plan.write(to: FileRoot(folder))
    return plan
  }

  func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
  }

  func json(_ path: String) throws -> JSONValue {
    try JSONDocument(parsing: Array(text(path).utf8)).root
  }

  func library() throws -> ContractLibrary { try ContractLibrary.load([folder]) }
}

/// The text of a HAR.
enum HAR {
  static func log(_ entries: String...) -> String { log(entries) }

  static func log(_ entries: [String]) -> String {
    """
    {"log": {"version": "1.2", "entries": [
    \(entries.joined(separator: ",\n"))
    ]}}
    """
  }

  /// - Parameters:
  ///   - content: the members of the response's content.
  ///   - sent: further members of the request.
  static func entry(
    _ method: String = "GET", _ url: String = "https://api.example.com/users",
    headers: [(String, String)] = [], sent: String = "", status: Int = 200,
    responded: [(String, String)] = [("Content-Type", "application/json")],
    content: String = #""text": "{\"a\": 1}", "size": 8"#, more: String = ""
  ) -> String {
    func list(_ fields: [(String, String)]) -> String {
      fields.map { "{\"name\": \($0.0.quoted), \"value\": \($0.1.quoted)}" }
        .joined(separator: ", ")
    }
    return """
      {"request": {"method": "\(method)", "url": "\(url)", "headers": [\(list(headers))]\
      \(sent.isEmpty ? "" : ", \(sent)")}, "response": {"status": \(status), "headers": \
      [\(list(responded))], "content": {\(content)}}\(more.isEmpty ? "" : ", \(more)")}
      """
  }

  static func json(_ text: String) -> String {
    #""text": \#(text.quoted), "size": \#(text.utf8.count)"#
  }
}

extension ImportPlan {
  /// `leftOut GET https://…: reason`
  var lines: [String] { notes.map { "\($0.kind) \($0.subject): \($0.reason)" } }
}
