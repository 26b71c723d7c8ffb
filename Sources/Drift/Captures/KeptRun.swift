package import UnderstudyCore
import UnderstudySecrets

/// The responses of one run, to be checked again.
package struct KeptRun: Sendable {
  /// The files, by the id of their case.
  private let files: [String: CaptureFile]
  private let mask: SecretMask
  /// When it began.
  package let at: Moment

  /// Reads `<folder>/<upstream>/<endpoint>#<case>.json`.
  package init(_ folder: String, upstreams: [LiveUpstream]) throws(Failure) {
    mask = SecretMask(of: upstreams)
    var files: [String: CaptureFile] = [:]
    for (path, bytes) in try Self.files(in: folder) {
      let file = try CaptureFile(parsing: bytes, file: path)
      files[file.caseID] = file
    }
    guard let at = files.values.map(\.at).min() else {
      throw Failure(
        message: "no responses in \(folder)",
        fix: "name the folder of one run below .understudy/drift/captures")
    }
    self.files = files
    self.at = at
  }

  /// The folder itself may be a link.
  private static func files(in folder: String) throws(Failure) -> [(String, [UInt8])] {
    let root = FileRoot(folder)
    var files: [(String, [UInt8])] = []
    for upstream in try root.names(in: folder) {
      let inner = "\(folder)/\(upstream)"
      for name in try root.names(in: inner) where name.hasSuffix(".json") {
        files.append(("\(inner)/\(name)", try root.read("\(inner)/\(name)")))
      }
    }
    return files
  }

  /// The addresses of its upstreams, by name.
  package var baseURLs: [String: WebURL] {
    files.values.reduce(into: [:]) { urls, file in
      urls.merge(file.baseURLs) { first, _ in first }
    }
  }

  package var caseIDs: Set<String> { Set(files.keys) }

  /// The number of responses compared for a case, as far as known; at least two.
  package var sampleCount: Int {
    let roundMax = files.values.flatMap(\.exchanges).reduce(2) { max($0, $1.round) }
    return min(roundMax, DriftConfiguration.sampleCountMax)
  }

  package func responses(
    for caseID: String, _ consumer: String?, round: Int
  ) -> KeptResponses {
    let exchanges = files[caseID]?.exchanges ?? []
    // A response that raised no doubt then was requested once, and may raise doubt now.
    let round = exchanges.contains { $0.round == round } ? round : 1
    return KeptResponses(
      exchanges.filter { $0.consumer == consumer && $0.round == round }, mask)
  }
}
