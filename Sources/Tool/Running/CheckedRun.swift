import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyFindings
import UnderstudySuite
import UnderstudySystem

/// One run of the command with its own fake.
struct CheckedRun {
  /// The case that is served, if the command is run for each case.
  let served: CaseID?
  let ending: ChildProcess.Ending
  let counts: Tally.Counts
  /// How many TLS handshakes the case has broken.
  private let brokenHandshakeCount: Int
  /// Whether the fake was the proxy of the command's clients.
  private let isProxied: Bool
  /// The names that the command asked for in a network of its own and no upstream declares; `nil`
  /// without such a network.
  private let foreignNames: [String]?
  /// The signal that ended us and the command.
  let interruption: Int32?
  /// The time limit, if the command exceeded it and was ended.
  let overdue: Duration?
  let duration: Duration
  /// Where the callbacks that went wrong are written, in the order of the counts.
  private let callbackPlaces: [Place?]

  /// How long callbacks are waited for once the command has ended.
  private static let callbackTimeMax = Duration.seconds(30)

  /// A problem, with the nearest contracts for an unmatched request.
  typealias Remark = (finding: Finding, nearMisses: [NearMiss]?)

  /// - Parameter options: what serves from the start, unless the case replaces it, and the time
  ///   limit.
  init(
    of words: [String], serving served: CaseID?, _ library: ContractLibrary, _ options: RunOptions,
    on pool: LoopPool, _ signals: borrowing SignalWatch
  ) throws(Failure) {
    let tally = Tally()
    var configuration = options.configuration
    configuration.listener = { tally.add($0) }
    configuration.callbackListener = { tally.add($0, $1) }
    let server: FakeServer
    let address: FakeAddress
    do throws(SystemError) {
      let started = try Blocking.start(library, configuration, on: pool)
      server = started
      let needsTLS = served?.served?.fault?.needsTLS ?? false
      // In a network of its own, the command meets the case at the host of its upstream.
      let trustFile = needsTLS && !options.isHermetic ? options.trust?.certificateFile : nil
      address = try Blocking.run { () throws(SystemError) in
        guard let trustFile else { return FakeAddress(started) }
        return FakeAddress(
          started, secure: (port: try await started.openPort(session: ""), trustFile: trustFile))
      }
      try options.initialCases.apply(to: server)
    } catch {
      throw .cannotServe(error)
    }
    if let served { server.use(served.caseName, for: served.contract.id) }
    let timeMax = options.timeout ?? (served == nil ? nil : RunOptions.caseTimeout)
    let network = try options.hermeticNetwork(for: words, library)
    let start = ContinuousClock.now
    let ended = Result { () throws(Failure) in
      let environment = CommandEnvironment(
        passing: nil, library.upstreams, at: address,
        serving: served.map { ($0.caseName, $0.contract) },
        adding: options.variables(for: server, library.upstreams))
      return try UserCommand.run(
        words, environment.variables, printsToErrors: options.outputToErrors, signals, timeMax,
        in: network, of: server)
    }
    if (try? ended.get())?.interruption == nil {
      _ = try? Blocking.run { await server.callbacksEnded(within: Self.callbackTimeMax) }
    }
    duration = ContinuousClock.now - start
    foreignNames = network?.end()
    brokenHandshakeCount = server.brokenHandshakeCount(session: "")
    // Cancels requests the command left open, so that they are counted.
    _ = try? Blocking.run { await server.close() }
    let result = try ended.get()
    (ending, interruption) = (result.ending, result.interruption)
    overdue = result.isOverdue ? timeMax : nil
    self.served = served
    isProxied = configuration.proxy != nil
    counts = tally.counts
    callbackPlaces = counts.callbacks.map {
      library.upstreams.place(ofCallback: $0.name, of: $0.served)
    }
  }

  private var useTheAddresses: String {
    let addresses = "the addresses in its environment: UNDERSTUDY_URL, or one for an upstream"
    return foreignNames == nil ? "use \(addresses)" : "use the hosts of upstreams, or \(addresses)"
  }

  /// An interrupted run has no findings: it must not be blamed for the signal.
  var remarks: [Remark] {
    guard interruption == nil else { return [] }
    var remarks: [Remark] = []
    func add(
      _ type: FindingType, _ message: String, fix: String? = nil, _ nearMisses: [NearMiss]? = nil
    ) {
      remarks.append((Finding(.error, type, message, at: served?.place, fix: fix), nearMisses))
    }
    for unmatched in counts.unmatched {
      let message = Self.counted(unmatched.explanation.complaint, unmatched.count)
      add(.request, message, unmatched.explanation.nearMisses)
    }
    for name in foreignNames ?? [] {
      add(
        .request, "asked for \(name.visible), which no upstream declares",
        fix: UndeclaredHost.fix(isHermetic: true))
    }
    for (callback, place) in zip(counts.callbacks, callbackPlaces) {
      let finding = Finding(
        .error, .callback, Self.counted(callback.complaint.message, callback.count),
        at: place ?? served?.place, fix: callback.complaint.fix)
      remarks.append((finding, nil))
    }
    let breaksHandshake = served?.served?.breaksHandshake ?? false
    for refusal in counts.refusals where !breaksHandshake {
      add(
        .request, Self.counted("refused: \(refusal.words)", refusal.count),
        fix: refusal.fix)
    }
    if let served, breaksHandshake {
      if counts.requestCount > 0 {
        add(
          .request, "went on although the TLS handshake must fail for \(served.text)",
          fix: "let the client check certificates, and accept TLS 1.2 or later only")
      } else if brokenHandshakeCount == 0 {
        add(
          .requestCount, "the command began no TLS connection to the fake",
          fix: useTheAddresses)
      }
    } else if counts.requestCount == 0, counts.refusals.isEmpty {
      add(
        .requestCount, "the command sent no request to the fake",
        fix: useTheAddresses
          + (isProxied ? "; or \(ProxyVariables.whatToCheck)" : ""))
    } else if let served, counts.servedCounts[served.text] == nil {
      add(.request, "never requested \(served.text)")
    }
    if let overdue {
      add(
        .hang, "the command was still running after \(overdue.words) and was stopped",
        fix: "give it more time with --timeout, or find out what it waits for")
    } else if ending != .exited(0) {
      add(.outcome, "the command \(ending)")
    }
    return remarks
  }

  private static func counted(_ words: String, _ count: Int) -> String {
    count == 1 ? words : "\(words) (\(count) times)"
  }
}
