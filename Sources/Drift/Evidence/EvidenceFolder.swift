package import ContractModel
import Findings
import Glibc
import HTTP

/// The answers of runs, a folder each: `<folder>/20261121T211503Z/<upstream>/<endpoint>/<case>.json`.
package struct EvidenceFolder: Sendable {
  /// The oldest beyond these are removed.
  private static let runCountMax = 30
  /// Of one run; what comes when they are used up is not kept.
  private let runBytesMax: Int

  private let path: String

  package init(_ path: String, runBytesMax: Int = 64 << 20) {
    self.path = path
    self.runBytesMax = runBytesMax
  }

  /// Keeps the answers of a run, and says where.
  ///
  /// - Parameters:
  ///   - leftOut: is told of a case whose answers found no more room.
  ///   - write: writes a file, and makes the folders around it.
  package func keep<Failure: Error>(
    _ results: [ProbeResult], of upstreams: [LiveUpstream], at: Int,
    leftOut: (_ caseID: String) -> Void = { _ in },
    write: (_ bytes: [UInt8], _ path: String) throws(Failure) -> Void
  ) throws(Failure) -> String {
    let mask = SecretMask(of: upstreams)
    let run = newRunPath(at: at)
    var byteCount = 0
    for result in results {
      let bytes = EvidenceFile(result, of: upstreams, at: at, mask).json
      guard byteCount + bytes.count <= runBytesMax else {
        leftOut(result.probe.identity.caseID)
        continue
      }
      byteCount += bytes.count
      try write(bytes, Self.path(of: result.probe.identity, in: run))
    }
    removeOldRuns()
    return run
  }

  /// Grows with time.
  private static func stamp(_ at: Int) -> String {
    CivilTime(unixSeconds: at).rfc3339().filter { $0 != "-" && $0 != ":" }
  }

  private func newRunPath(at: Int) -> String {
    let stamp = Self.stamp(at)
    let names = [stamp] + (2...99).map { "\(stamp)-\($0.digits(2))" }
    return names.map { "\(path)/\($0)" }.first { FileSystem.kind(of: $0) == nil }
      ?? "\(path)/\(stamp)"
  }

  private func removeOldRuns() {
    for name in runNames.dropLast(Self.runCountMax) { Self.remove("\(path)/\(name)") }
  }

  /// The oldest first; only what is named like a run, for somebody may have put something else here.
  private var runNames: [String] {
    guard case .success(let names) = FileSystem.names(in: path) else { return [] }
    return names.filter { $0.count >= 16 && $0.dropFirst(8).first == "T" }
  }

  /// The runs since a moment, in seconds since 1970, the last first.
  func runs(since moment: Int) -> [String] {
    let oldest = Self.stamp(moment)
    return runNames.reversed().prefix { $0 >= oldest }.map { "\(path)/\($0)" }
  }

  /// What a run kept of a case, if that can be read.
  static func file(of identity: Check.Identity, in run: String) -> EvidenceFile? {
    let path = path(of: identity, in: run)
    guard case .success(let bytes) = FileSystem.read(path) else { return nil }
    return try? EvidenceFile(parsing: bytes, file: path)
  }

  private static func path(of identity: Check.Identity, in run: String) -> String {
    "\(run)/\(identity.contract)/\(identity.caseName).json"
  }

  /// Links are removed, and not what they lead to.
  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    if case .success(let names) = FileSystem.names(in: path) {
      for name in names { remove("\(path)/\(name)") }
    }
    rmdir(path)
  }
}

/// The answers of one run, to be judged again.
package struct KeptRun: Sendable {
  /// By the case's id.
  private let files: [String: EvidenceFile]
  private let mask: SecretMask
  /// When it began, in seconds since 1970.
  package let at: Int

  /// Reads `<folder>/<upstream>/<endpoint>/<case>.json`.
  package init(_ folder: String, upstreams: [LiveUpstream]) throws(EvidenceError) {
    mask = SecretMask(of: upstreams)
    var files: [String: EvidenceFile] = [:]
    for upstream in try Self.names(in: folder) {
      for endpoint in try Self.names(in: "\(folder)/\(upstream)") {
        for name in try Self.names(in: "\(folder)/\(upstream)/\(endpoint)")
        where name.hasSuffix(".json") {
          let path = "\(folder)/\(upstream)/\(endpoint)/\(name)"
          do {
            let file = try EvidenceFile(parsing: try FileSystem.read(path).get(), file: path)
            files[file.caseID] = file
          } catch let error as EvidenceError {
            throw error
          } catch {
            throw EvidenceError(message: "cannot read \(path)", fix: nil)
          }
        }
      }
    }
    guard let at = files.values.map(\.at).min() else {
      throw EvidenceError(
        message: "found no answers in \(folder)",
        fix: "name the folder of one run below .understudy/drift/evidence")
    }
    self.files = files
    self.at = at
  }

  private static func names(in folder: String) throws(EvidenceError) -> [String] {
    switch FileSystem.names(in: folder) {
    case .success(let names): return names
    case .failure(let error): throw EvidenceError(message: error.message, fix: error.fix)
    }
  }

  /// Where its upstreams were asked, by name.
  package var baseURLs: [String: BaseURL] {
    files.values.reduce(into: [:]) { urls, file in
      urls.merge(file.baseURLs) { first, _ in first }
    }
  }

  package var caseIDs: Set<String> { Set(files.keys) }

  package func answers(
    for caseID: String, _ consumer: String?, round: Int
  ) -> KeptAnswers {
    let exchanges = files[caseID]?.exchanges ?? []
    // What gave no doubt then may do so now, and was asked once.
    let round = exchanges.contains { $0.round == round } ? round : 1
    return KeptAnswers(
      exchanges.filter { $0.consumer == consumer && $0.round == round }, mask)
  }
}
