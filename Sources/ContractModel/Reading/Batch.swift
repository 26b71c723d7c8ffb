import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// The files of one load, and the problems found in each.
final class Batch {
  private(set) var files: [String] = []
  private let store: any FileStore
  private var complaintsByFile: [String: Complaints] = [:]
  let allowance: StepAllowance

  init(_ store: any FileStore, _ allowance: StepAllowance) {
    self.store = store
    self.allowance = allowance
  }

  /// Reports that the schema limit was exceeded, since later schema checks were skipped.
  func complainIfExhausted(root: String) {
    guard !complaintsByFile.values.contains(where: \.saysExhausted) else { return }
    _ = complaints(for: root).addIfExhausted(at: nil)
  }

  /// Sorted by place.
  var findings: [Finding] {
    complaintsByFile.values.flatMap(\.findings).byPlace
  }

  func complaints(for file: String) -> Complaints {
    if let complaints = complaintsByFile[file] { return complaints }
    let complaints = Complaints(file: file, allowance: allowance)
    complaintsByFile[file] = complaints
    return complaints
  }

  /// `nil`, with a complaint, when the file cannot be read or is not valid JSON.
  func parse(_ file: String) -> JSONDocument? {
    files.append(file)
    let complaints = complaints(for: file)
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try store.read(file, within: nil)
    } catch {
      complaints.add(.unreadableFile, at: nil, error.message, fix: error.fix)
      return nil
    }
    do {
      let document = try JSONDocument(parsing: bytes)
      SecretScan(complaints: complaints).scan(document)
      return document
    } catch {
      complaints.add(.invalidJSON, at: error.position, error.message, fix: error.fix)
      return nil
    }
  }
}
