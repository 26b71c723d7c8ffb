import UnderstudyClient
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyDrafting
import UnderstudyDrift
import UnderstudyFakeServer
import UnderstudyRecording
import UnderstudySuite
import UnderstudySystem

/// One run of a command whose requests to live APIs are recorded on their way.
struct RecordedRun {
  let ending: ChildProcess.Ending
  /// The signal that ended us and the command.
  let interruption: Int32?
  let responses: ProxyRecorder.Responses

  /// - Parameter hosts: the only ones that are recorded; all where none is named.
  init(
    of words: [String], into folder: String, onlyHosts hosts: [String],
    _ arguments: ParsedArguments, printsToErrors: Bool
  ) throws(Failure) {
    try CurlTransport.checkLibrary()
    let library = try RecordingTarget.library(in: folder)
    let signals = try SignalWatch.orError()
    let files = try ClientFiles(for: nil, arguments.environment)
    let pool = LoopPool(loopCountMax: 1)
    defer { pool.stop() }
    let recorder: ProxyRecorder
    let server: FakeServer
    do throws(SystemError) {
      try CommandSafety.prepare(for: .ofUser)
      recorder = try ProxyRecorder(into: folder, library, onlyHosts: hosts)
      var configuration = ServerConfiguration()
      configuration.certificates = files.certificates
      configuration.announcesTLS = false
      configuration.proxy = recorder.proxy
      configuration.relay = recorder.configuration
      server = try Blocking.start(ContractLibrary(reading: [:]), configuration, on: pool)
    } catch {
      throw .cannotServe(error)
    }
    let variables = ProxyVariables.variables(
      for: server.address, asking: hosts.map { String(WebURL.host(of: $0[...])) }, files,
      loadsNodeModule: NodeVersion.needsModule, arguments.environment)
    let ended = Result { () throws(SystemError) in
      try UserCommand.run(
        words, CommandEnvironment.adding(variables), printsToErrors: printsToErrors, signals, nil)
    }
    // From now on a signal ends this process, whatever it is doing.
    signals.letThrough()
    // Cancels requests the command left open.
    _ = try? Blocking.run { await server.close() }
    do throws(SystemError) {
      let ended = try ended.get()
      (ending, interruption) = (ended.ending, ended.interruption)
    } catch {
      throw .cannotRun(words.first ?? "", error)
    }
    responses = recorder.take()
  }

  /// What is wrong with the run itself.
  var failures: [Failure] {
    var failures = responses.unrecorded.map { Failure(message: "not recorded: \($0)") }
    if let interruption {
      failures.append(
        Failure(
          message: "signal \(interruption) ended the command early",
          fix: "run it again: what it asked until then is recorded"))
    } else if ending != .exited(0) {
      failures.append(
        Failure(
          message: "the command \(ending)", fix: "check whether it fails without recording, too"))
    }
    if responses.isEmpty {
      failures.append(
        Failure(
          message: "no request of the command came through the proxy",
          fix: ProxyVariables.whatToCheck))
    } else if responses.byTarget.isEmpty, responses.unrecorded.isEmpty {
      failures.append(
        Failure(
          message: "the command asked no host of --only-host", fix: "name another, or leave it out")
      )
    }
    return failures
  }
}
