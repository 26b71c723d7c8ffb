import Testing
import UnderstudyConsumers
import UnderstudyContractModel

@testable import UnderstudySuite

/// What a command may make of a mutated response.
@Suite struct CommandMutationTests {
  /// A command that prints what it gets, and how it ends for the good response.
  private static func target(
    _ script: String, expecting members: String = #""exitCode": 0"#
  ) async throws -> CommandTarget {
    let cases = """
      "ok": { "status": 200, "body": { "a": 1 }, "expect": { "cli": { \(members) } } },
      "none": { "status": 404, "expect": { "cli": { "exitCode": 4 } } }
      """
    return try await SmallCommand.with(script, method: "GET", cases: cases) { library in
      let plan = SuitePlan(library, ConsumerRegistry([]))
      let check = try #require(plan.checks.first)
      let command = try #require(check.command)
      let fake = try await SharedFake.start(library, SuiteConfiguration())
      let result: Result<CommandTarget, MutationUnavailable>
      do throws(MutationUnavailable) {
        result = .success(
          try await CommandTarget(
            running: command, for: check, on: fake, session: "m", in: library))
      } catch {
        result = .failure(error)
      }
      await fake.close()
      return try result.get()
    }
  }

  private static func ending(
    _ reason: CommandEnding.Reason, _ stdout: String = "", _ stderr: String = ""
  ) -> ConsumerOutcome {
    var printed = (stdout: PrintedText(), stderr: PrintedText())
    printed.stdout.append(stdout.utf8)
    printed.stderr.append(stderr.utf8)
    return .ended(CommandEnding(reason, stdout: printed.stdout, stderr: printed.stderr))
  }

  private static let good = "curl -sS \"$UNDERSTUDY_URL_API/thing\""

  @Test("it may end as contracts expect, with the same output for the same code")
  func checked() async throws {
    let target = try await Self.target(Self.good)
    #expect(target.isSteady && !target.isSilent && target.exitCodes == [0, 4])
    let same = Self.ending(.exited(0), #"{"a":1}"#)
    let other = Self.ending(.exited(0), "{}")
    let declared = Self.ending(.exited(4))
    let codes = "expected an exit code that contracts expect of it: 0, 4"
    let demands: [Mutant.Demand] = [.error, .errorOrSameValue, .sameValue, .any]
    let rows: [(outcome: ConsumerOutcome?, expected: [String?])] = [
      (same, [nil, nil, nil, nil]),
      (
        other,
        [String?](
          repeating:
            "mutant-survived found other output with exit code 0, expected the same or another exit code",
          count: 3) + [nil]
      ),
      (declared, [nil, nil, "outcome found exit code 4, expected the same output", nil]),
      (
        Self.ending(.exited(1), "", "x\nTypeError: a\n\n"),
        Array(
          repeating: "outcome the command exited with 1: \"TypeError: a\", \(codes)", count: 4)
      ),
      (
        Self.ending(.exited(1)),
        Array(repeating: "outcome the command exited with 1, \(codes)", count: 4)
      ),
      (
        Self.ending(.killed(signal: "SIGSEGV"), #"{"a":1}"#),
        Array(repeating: "outcome the command was ended by SIGSEGV, \(codes)", count: 4)
      ),
      (
        .notStarted("no memory"),
        Array(repeating: "outcome could not run the command: no memory", count: 4)
      ),
      (nil, Array(repeating: "hang no outcome within 20.0 s", count: 4)),
    ]
    for (outcome, expected) in rows {
      let found = demands.map { demand in
        MutantComparison(outcome, of: Mutant(.emptyBody, demand), target).map {
          "\($0.type.rawValue) \($0.message)"
        }
      }
      #expect(found == expected, "\(String(describing: outcome))")
    }
  }

  @Test("what is read must end in an error or as before, since a command may ignore mutation")
  func demands() async throws {
    let target = try await Self.target(Self.good)
    #expect(target.mutants.count > 10)
    #expect(!target.mutants.contains { $0.demand == .error })
    let removed = try #require(target.mutants.first { $0.name == "missing/a" })
    #expect(removed.demand == .errorOrSameValue)
    #expect(
      target.response(of: removed).map { String(decoding: $0.body, as: UTF8.self) } == "{}")
    #expect(target.response(of: removed)?.status == 200)
  }

  @Test("output that differs from run to run is not compared")
  func unsteady() async throws {
    let target = try await Self.target("\(Self.good) >/dev/null; echo $$")
    #expect(!target.isSteady)
    #expect(target.isSame(try #require(Self.ending(.exited(0), "anything").commandEnding)))
    #expect(!target.isSame(try #require(Self.ending(.exited(4)).commandEnding)))
    #expect(try await Self.target("\(Self.good) >/dev/null").isSilent)
  }

  @Test("a command that does not do for the good response what its contract says is not mutated")
  func unavailable() async throws {
    for script in ["\(Self.good); exit 4", "\(Self.good); kill -9 $$"] {
      let error = await #expect(throws: MutationUnavailable.self) { try await Self.target(script) }
      #expect(
        error?.reason == "the original response does not give the expected exit code and output")
    }
    let other = await #expect(throws: MutationUnavailable.self) {
      try await Self.target(Self.good, expecting: #""exitCode": 0, "stdout": "x""#)
    }
    #expect(
      other?.reason == "the original response does not give the expected exit code and output")
  }
}

extension ConsumerOutcome {
  fileprivate var commandEnding: CommandEnding? {
    if case .ended(let ending) = self { ending } else { nil }
  }
}
