import Testing
import XCTest

/// The line of a test that a failure is reported at.
struct CallSite: Sendable {
  private let fileID: StaticString
  let filePath: StaticString
  private let line: UInt
  private let column: UInt

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// Each library gets only the failures of its own tests.
  func fail(_ text: String, _ reportsToXCTest: Bool) {
    guard !reportsToXCTest else { return XCTFail(text, file: filePath, line: line) }
    Issue.record(
      Comment(rawValue: text),
      sourceLocation: SourceLocation(
        fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column)))
  }
}
