package import UnderstudyCore
import UnderstudyFindings
import UnderstudySecrets

/// The responses of runs, one folder for each:
/// `<folder>/20261121T211503Z/<upstream>/<endpoint>#<case>.json`.
///
/// The folder stores what live APIs sent and gives it to later runs. Read `CaptureFile`, which is
/// the format, and this file; then `KeptRun` and `KeptResponses`, which are for `--replay`, and
/// `EarlierResponses+Captures`, which finds the responses that an upstream need not send again.
///
/// Secrets are masked before anything is written. A run stores a limited number of bytes, and cases
/// beyond that are reported; the oldest runs are removed. A large body is cut, and the file says
/// how long it was. A response is revalidated only if it was stored whole, with nothing masked but
/// cookies.
package struct CaptureFolder: Sendable {
  /// The oldest beyond these are removed.
  private static let runCountMax = 30
  /// The limit for one run; responses beyond it are not stored.
  private let runBytesMax: Int

  private let path: String
  private let root: FileRoot

  package init(_ path: String, runBytesMax: Int = 64 << 20) {
    self.path = path
    root = FileRoot(around: path)
    self.runBytesMax = runBytesMax
  }

  /// Stores the responses of a run, and returns the folder.
  ///
  /// - Parameter leftOut: receives cases whose responses exceeded the limit.
  package func keep(
    _ results: [LiveCaseResult], of upstreams: [LiveUpstream], at: Moment,
    leftOut: (_ caseID: String) -> Void = { _ in }
  ) throws(Failure) -> String {
    let mask = SecretMask(of: upstreams)
    let run = newRunPath(at: at)
    let folder = try root.openFolder(run, makesFolders: true)
    var byteCount = 0
    var known: [ExactText: String] = [:]
    for result in results {
      let bytes = CaptureFile(result, of: upstreams, at: at, mask, &known).json
      guard byteCount + bytes.count <= runBytesMax else {
        leftOut(result.liveCase.identity.caseID)
        continue
      }
      byteCount += bytes.count
      try folder.write(bytes, to: CaptureRun.path(of: result.liveCase.identity))
    }
    removeOldRuns()
    return run
  }

  /// The file of a case in the run that began at a moment, if it is there.
  func file(of caseID: String, at: Moment) -> String? {
    let file = "\(path)/\(Self.stamp(at))/\(caseID).json"
    return (try? root.kind(of: file)) == nil ? nil : file
  }

  /// Grows with time.
  private static func stamp(_ at: Moment) -> String {
    at.rfc3339.filter { $0 != "-" && $0 != ":" }
  }

  private func newRunPath(at: Moment) -> String {
    let stamp = Self.stamp(at)
    let names = [stamp] + (2...99).map { "\(stamp)-\($0.digits(2))" }
    return names.map { "\(path)/\($0)" }.first { (try? root.kind(of: $0)) == nil }
      ?? "\(path)/\(stamp)"
  }

  private func removeOldRuns() {
    for name in runNames.dropLast(Self.runCountMax) { root.removeFolder("\(path)/\(name)") }
  }

  /// Oldest first. Ignores names that are not those of runs, since other files may be here.
  private var runNames: [String] {
    let names = (try? root.names(in: path)) ?? []
    return names.filter { $0.count >= 16 && $0.dropFirst(8).first == "T" }
  }

  /// The runs since a moment, newest first.
  func runs(since moment: Moment) -> [CaptureRun] {
    let oldest = Self.stamp(moment)
    return runNames.reversed().prefix { $0 >= oldest }.compactMap { name in
      let path = "\(path)/\(name)"
      return (try? root.openFolder(path)).map { CaptureRun(path: path, folder: $0) }
    }
  }
}

/// The files of one run.
struct CaptureRun {
  let path: String
  fileprivate let folder: OpenFolder

  /// The captured responses of a case, if readable.
  func file(of identity: Check.Identity) -> CaptureFile? {
    let file = Self.path(of: identity)
    guard let bytes = try? folder.read(file) else { return nil }
    return try? CaptureFile(parsing: bytes, file: "\(path)/\(file)")
  }

  fileprivate static func path(of identity: Check.Identity) -> String {
    "\(identity.caseID).json"
  }
}
