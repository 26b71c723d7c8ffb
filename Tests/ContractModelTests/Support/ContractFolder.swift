import Foundation
import UnderstudyFindings

@testable import UnderstudyContractModel

/// A fresh folder of contracts, removed when the last reference to it goes.
final class ContractFolder {
  let path: String

  /// Writes files by their path beneath the folder.
  init(_ files: [String: String]) throws {
    path = NSTemporaryDirectory() + "understudy-model-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files { try write(Array(text.utf8), to: name) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let file = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  /// Loads the whole folder, or these paths beneath it.
  func load(_ names: [String] = [""]) throws -> ContractLibrary {
    try ContractLibrary.load(names.map { $0.isEmpty ? path : "\(path)/\($0)" })
  }

  /// What is wrong, a finding after the other, with paths as seen from the folder.
  func diagnosticText(of library: ContractLibrary, ignoring rules: Set<FindingType> = []) -> String
  {
    library.findings.filter { finding in !rules.contains(finding.type) }
      .map { shortened($0.description) }.joined(separator: "\n")
  }

  func shortened(_ text: String) -> String {
    text.replacingOccurrences(of: "\(path)/", with: "").replacingOccurrences(of: path, with: ".")
  }
}

extension Set<FindingType> {
  /// What a contract that is about something else leaves out.
  static let missingCases: Self = [.no404Case, .noMalformedCase, .noSlowCase, .noBrokenCase]
}
