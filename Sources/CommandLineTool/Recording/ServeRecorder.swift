import ContractModel
import Diagnostics
import Drift
import FakeServer

/// Makes contracts of what a server asked of live APIs, as it comes.
///
/// A contract that was recorded in this run is written anew when there is more to it, as long as
/// nobody else has changed the file.
struct ServeRecorder {
  /// Beyond, what comes only adds to contracts, so that memory and time stay bounded.
  private static let exchangeCountMax = 500

  let relay: LiveRelay
  let takesAll: Bool
  let baseURLs: [String: BaseURL]
  private let folder: String
  private var exchanges: [String: [RecordedExchange]] = [:]
  private var secrets: Set<String> = []
  private var written: [String: [UInt8]] = [:]

  /// What became of a batch.
  struct Outcome {
    var files: [String] = []
    var diagnostics: [Diagnostic] = []
    var errors: [CommandLineError] = []
  }

  init(
    _ baseURLs: [String: BaseURL], in folder: String, takesAll: Bool
  ) throws(SystemError) {
    relay = try LiveRelay(baseURLs)
    self.baseURLs = baseURLs
    self.folder = folder
    self.takesAll = takesAll
  }

  var configuration: Relay {
    Relay(basePaths: baseURLs.mapValues(\.path), takesAll: takesAll) {
      [relay] request, then in
      Task.detached { then(await relay.answer(request)) }
    }
  }

  /// Records what has come since.
  mutating func record() -> Outcome {
    var outcome = Outcome()
    var names: [String] = []
    for new in relay.take() {
      if exchanges[new.upstreamName, default: []].count >= Self.exchangeCountMax {
        // Their contracts are there: what they have is not written anew from less.
        exchanges[new.upstreamName] = []
        written = [:]
      }
      exchanges[new.upstreamName, default: []].append(new.exchange)
      secrets.formUnion(new.secrets)
      if !names.contains(new.upstreamName) { names.append(new.upstreamName) }
    }
    for name in names {
      do throws(CommandLineError) {
        try record(name, &outcome)
      } catch {
        outcome.errors.append(error)
      }
    }
    return outcome
  }

  private mutating func record(
    _ name: String, _ outcome: inout Outcome
  ) throws(CommandLineError) {
    let recording: Recording
    do throws(RecordingError) {
      let library = try? ContractLibrary.load(folder, with: [:])
      let upstream = library?.upstreams.first { $0.name == name }
      let unchanged = written.filter { path, bytes in
        (try? FileSystem.read(path).get()) == bytes
      }
      recording = try Recording(
        of: exchanges[name] ?? [],
        for: RecordingTarget(
          folder: folder, upstreamName: name,
          baseURL: upstream == nil ? baseURLs[name] : upstream?.baseURL, upstream: upstream),
        paths: [], mask: SecretMask(secrets: secrets.flatMap(SecretMask.parts(of:))),
        replaces: { unchanged[$0.file] != nil })
    } catch {
      throw CommandLineError(message: error.message, fix: error.fix)
    }
    guard !recording.diagnostics.contains(where: { $0.severity == .error }) else {
      outcome.diagnostics += recording.diagnostics
      return
    }
    for file in recording.files where written[file.path] != file.bytes {
      try OutputFile.write(file.bytes, to: file.path)
      written[file.path] = file.bytes
      outcome.files.append(file.path)
    }
  }
}
