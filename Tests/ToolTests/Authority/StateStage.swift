import Foundation
import UnderstudyTLS
import UnderstudyTestSupport

@testable import UnderstudyTool

/// A state folder for one test, in place of the user's.
final class StateStage: Sendable {
  /// Without a space, so that commands need no quotes.
  private let root = FileManager.default.temporaryDirectory
    .appending(path: "understudy-state-\(UUID().uuidString)").path
  var folder: String { "\(root)/understudy" }

  init() throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  var environment: [String: String] { ["XDG_STATE_HOME": root] }

  var certificateFile: String { "\(folder)/ca.pem" }

  /// Runs a command where there are these contracts, or none; in what it says, STATE is the folder,
  /// and DATE each date.
  func run(_ words: String..., on samples: SampleContracts? = nil) -> CommandLineRun {
    let contracts = (samples?.folder.path ?? folder) + "/Contracts"
    let run = withExtendedLifetime(samples) {
      CommandLineRun(
        words: words, environment: environment.merging(["UNDERSTUDY_CONTRACTS": contracts]) { $1 })
    }
    return CommandLineRun(code: run.code, output: shown(run.output), errors: shown(run.errors))
  }

  func shown(_ text: String) -> String {
    text.replacing(folder, with: "STATE").replacing(/\d{4}-\d\d-\d\d/, with: "DATE")
  }

  func make(_ authority: TLSAuthority) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(authority.certificatePEM).write(to: URL(fileURLWithPath: "\(folder)/ca.pem"))
    let key = "\(folder)/ca.key"
    try Data(authority.keyPEM).write(to: URL(fileURLWithPath: key))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  /// The permissions of the folder or of a file in it.
  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions]
      as? Int
  }
}
