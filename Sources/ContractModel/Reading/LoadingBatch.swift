import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON
import UnderstudySchema

/// What the files of one load share, whichever threads read them.
final class LoadingRun: Sendable {
  /// The step limit for all their schemas together.
  let allowance: StepAllowance
  let schemas = SchemaCache()
  let patterns = PatternCache()

  init(_ allowance: StepAllowance) { self.allowance = allowance }
}

/// A result of reading or checking one file, and the problems found.
struct Noted<Value: Sendable>: Sendable {
  let value: Value
  let findings: [Finding]
  let saysExhausted: Bool

  init(_ value: Value, _ complaints: Complaints) {
    self.value = value
    findings = complaints.findings
    saysExhausted = complaints.saysExhausted
  }
}

/// The files of one load, and the problems found in each.
final class LoadingBatch {
  let run: LoadingRun
  let threadCountMax: Int
  private(set) var files: [String] = []
  private let store: any FileStore
  private var found: [Finding] = []
  private var complaintsByFile: [String: Complaints] = [:]
  /// Whether a file says that the schema limit is exceeded.
  private var saysExhausted = false

  init(_ store: any FileStore, _ allowance: StepAllowance, threadCountMax: Int) {
    self.store = store
    self.threadCountMax = threadCountMax
    run = LoadingRun(allowance)
  }

  /// Reports that the schema limit was exceeded, since later schema checks were skipped.
  func complainIfExhausted(root: String) {
    guard !saysExhausted, !complaintsByFile.values.contains(where: \.saysExhausted) else {
      return
    }
    _ = complaints(for: root).addIfExhausted(at: nil)
  }

  /// Sorted by place.
  var findings: [Finding] {
    (found + complaintsByFile.values.flatMap(\.findings)).byPlace
  }

  var filesWithErrors: Set<String> {
    let all = [found] + complaintsByFile.values.map(\.findings)
    return Set(all.joined().lazy.filter { $0.severity == .error }.map(\.file))
  }

  func complaints(for file: String) -> Complaints {
    if let complaints = complaintsByFile[file] { return complaints }
    let complaints = Complaints(file: file, run: run)
    complaintsByFile[file] = complaints
    return complaints
  }

  func add(_ findings: some Sequence<Finding>) { found += findings }

  /// Adds what was found elsewhere, and returns the results.
  func add<Value>(_ results: [Noted<Value>]) -> [Value] {
    results.map { result in
      if !result.findings.isEmpty { found += result.findings }
      if result.saysExhausted { saysExhausted = true }
      return result.value
    }
  }

  func add(file: String) { files.append(file) }

  /// `nil`, with a complaint, when the file cannot be read or is not valid JSON.
  func parse(_ file: String) -> JSONDocument? {
    files.append(file)
    return complaints(for: file).parse { () throws(Failure) in
      try store.read(file, within: nil)
    }
  }
}

extension Complaints {
  /// `nil`, with a complaint, when the file cannot be read or is not valid JSON.
  func parse(_ read: () throws(Failure) -> [UInt8]) -> JSONDocument? {
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try read()
    } catch {
      add(.unreadableFile, at: nil, error.message, fix: error.fix)
      return nil
    }
    do {
      let document = try JSONDocument(parsing: bytes)
      SecretScan(complaints: self).scan(document)
      return document
    } catch {
      let isYAML = error.position == SourcePosition(line: 1, column: 1) && bytes.beginsLikeYAML
      add(
        .invalidJSON, at: error.position,
        isYAML ? "this looks like YAML, expected JSON" : error.message,
        fix: isYAML ? "write the contract as JSON, which begins with {" : error.fix)
      return nil
    }
  }
}

extension [UInt8] {
  /// Whether the first line is `---` or begins with a key.
  fileprivate var beginsLikeYAML: Bool {
    let line = prefix { $0 != .newline }
    if line.starts(with: "---".utf8) { return true }
    let key = line.prefix { $0 != .colon }
    return key.count < line.count && key.first?.isLetter ?? false
  }
}
