import ContractModel
import FakeServer
import Glibc

/// One run of the command beside a fake of its own.
struct JudgedRun {
  /// The case in force, if the command is run for each.
  let played: CaseID?
  let ending: ChildProcess.Ending
  let counts: Tally.Counts
  /// The signal by which somebody ended us and it.
  let interruption: Int32?

  /// Something that is not as it should be.
  struct Finding {
    let message: String
    var fix: String?
    var nearMisses: [NearMiss]?
  }

  init(
    of words: [String], playing played: CaseID?, _ library: ContractLibrary,
    _ configuration: ServerConfiguration, on pool: LoopPool, _ signals: borrowing SignalWatch,
    outputToErrors: Bool
  ) throws(CommandLineError) {
    let tally = Tally()
    var configuration = configuration
    configuration.listener = { tally.add($0) }
    let server: FakeUpstream
    do throws(SystemError) {
      server = try Blocking.start(library, configuration, on: pool)
    } catch {
      throw .cannotServe(error)
    }
    if let played { server.use(played.caseName, for: played.contract.id) }
    let ended = Self.run(words, playing: played, library, server, signals, outputToErrors)
    // Breaks off what the command left under way, so that it is counted.
    _ = try? Blocking.run { await server.close() }
    do throws(SystemError) {
      (ending, interruption) = try ended.get()
    } catch {
      throw .cannotRun(words.first ?? "", error)
    }
    self.played = played
    counts = tally.counts
  }

  private static func run(
    _ words: [String], playing played: CaseID?, _ library: ContractLibrary, _ server: FakeUpstream,
    _ signals: borrowing SignalWatch, _ outputToErrors: Bool
  ) -> Result<(ChildProcess.Ending, interruption: Int32?), SystemError> {
    do throws(SystemError) {
      let child = try ChildProcess(
        words, environment: RunEnvironment.variables(library, server, playing: played),
        outputToErrors: outputToErrors)
      let interruption = wait(for: child, signals)
      return .success((child.ending(), interruption))
    } catch {
      return .failure(error)
    }
  }

  /// Until the command has ended. Hands signals on, and tells of the last.
  private static func wait(
    for child: borrowing ChildProcess, _ signals: borrowing SignalWatch
  ) -> Int32? {
    var interruption: Int32?
    var descriptors = [child.descriptor, signals.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    repeat {
      _ = poll(&descriptors, nfds_t(descriptors.count), -1)
      while let signal = signals.next() {
        interruption = signal.number
        if !signal.isFromKernel { child.send(signal: signal.number) }
      }
    } while descriptors[0].revents == 0
    return interruption
  }

  /// None of a run that was ended early: it would be blamed for what others did.
  var findings: [Finding] {
    guard interruption == nil else { return [] }
    var findings = counts.misses.map { miss in
      Finding(
        message: Self.counted(miss.explanation.complaint, miss.count),
        nearMisses: miss.explanation.nearMisses)
    }
    findings += counts.refusals.map {
      Finding(message: Self.counted("refused: \($0.words)", $0.count))
    }
    if counts.requestCount == 0 {
      findings.append(
        Finding(
          message: "the command sent no request to the fake",
          fix: "let it use the addresses in its environment, UNDERSTUDY_URL or one of an upstream"))
    } else if let played, counts.playCounts[played.text] == nil {
      findings.append(Finding(message: "never asked for \(played.text)"))
    }
    if ending != .exited(0) { findings.append(Finding(message: "the command \(ending)")) }
    return findings
  }

  private static func counted(_ words: String, _ count: Int) -> String {
    count == 1 ? words : "\(words) (\(count) times)"
  }
}
