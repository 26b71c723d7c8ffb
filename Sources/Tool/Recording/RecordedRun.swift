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
  /// The names that the command asked for in a network of its own and nobody has named; `nil` without
  /// such a network.
  private let foreignNames: [String]?

  /// - Parameters:
  ///   - hosts: the only ones that are recorded; all where none is named.
  ///   - isHermetic: whether the command gets a network in which only these and those of upstreams
  ///     can be asked.
  init(
    of words: [String], into folder: String, onlyHosts hosts: [String], isHermetic: Bool,
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
      recorder = try ProxyRecorder(
        into: folder, library, onlyHosts: hosts, refusesOthers: isHermetic)
      var configuration = ServerConfiguration()
      configuration.certificates = files.certificates
      configuration.announcesTLS = false
      configuration.proxy = recorder.proxy
      configuration.relay = recorder.configuration
      server = try Blocking.start(ContractLibrary(reading: [:]), configuration, on: pool)
    } catch {
      throw .cannotServe(error)
    }
    let variables =
      isHermetic
      ? files.trustVariables
      : ProxyVariables.variables(
        for: server.address, asking: hosts.map { String(WebURL.host(of: $0[...])) }, files,
        loadsNodeModule: NodeVersion.needsModule, arguments.environment)
    let declared = hosts + (library?.upstreams.flatMap(\.ownPlaces).flatMap(\.places) ?? [])
    let network =
      isHermetic
      ? try HermeticNetwork(
        leading: declared, trusting: files, for: words, arguments.environment) : nil
    let ended = Result { () throws(Failure) in
      try UserCommand.run(
        words, CommandEnvironment.adding(variables), printsToErrors: printsToErrors, signals, nil,
        in: network, of: server)
    }
    foreignNames = network?.end()
    // From now on a signal ends this process, whatever it is doing.
    signals.letThrough()
    // Cancels requests the command left open.
    _ = try? Blocking.run { await server.close() }
    (ending, interruption) = try ended.map { ($0.ending, $0.interruption) }.get()
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
    let foreign = (foreignNames ?? []) + responses.refusedHosts
    failures += foreign.map { name in
      Failure(
        message: "asked for \(name.visible), which is no upstream's host and not named",
        fix: "name it: --only-host \(ShellText.quoted(name)); or let the command do without")
    }
    if responses.isEmpty, foreign.isEmpty {
      failures.append(
        foreignNames == nil
          ? Failure(
            message: "no request of the command came through the proxy",
            fix: ProxyVariables.whatToCheck)
          : Failure(
            message: "the command asked for nothing in its network",
            fix: "let it use the live API's own address"))
    } else if !responses.isEmpty, responses.byTarget.isEmpty, responses.unrecorded.isEmpty {
      failures.append(
        Failure(
          message: "the command asked no host of --only-host", fix: "name another, or leave it out")
      )
    }
    return failures
  }
}
