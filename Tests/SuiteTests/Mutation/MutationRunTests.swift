import Foundation
import Synchronization
import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFindings
import UnderstudyTestSupport

@testable import UnderstudySuite

/// What is made of workers that try mutants, however they end.
@Suite struct MutationRunTests {
  private static let checks = Array(
    SuitePlan(SmallSuite.library, ConsumerRegistry([SmallSuite.good])).checks.prefix(2))

  /// What a worker says, and what it does then, in a shell.
  private struct Worker {
    let lines: [WorkerLine]
    var end = "exit 0"
  }

  private static func mutant(_ number: Int, of check: Int, _ name: String) -> WorkerLine {
    .mutant(number: number, check: check, id: "\(checks[check].mutantPrefix)\(name)")
  }

  /// The results and scores of a run.
  ///
  /// - Parameter workers: by the number of the mutant from which they are to begin.
  private static func results(
    _ workers: [Int: Worker], guardTime: Duration = .seconds(300), endedBy interruption: Int32 = -1,
    progress: @escaping @Sendable (Int, Int, Int) -> Void = { _, _, _ in }
  ) async throws -> String {
    let choices = workers.map { first, worker in
      let text = String(decoding: worker.lines.flatMap(\.bytes), as: UTF8.self)
      return "'[\"mutants\",\(first)]') printf %s '\(text)'\n\(worker.end);;"
    }
    let script = "read -r order\ncase $order in\n\(choices.joined(separator: "\n"))\nesac"
    let program = WorkerProgram(["/bin/sh", "-c", script], at: "/bin/sh", showsOutput: false)
    let run = MutationRun(of: checks, by: program, guardTime: guardTime)
    let (checks, scores) = try await offPool {
      run.results(endedBy: interruption, progress: progress)
    }
    let all = checks.map(\.text) + scores.map { "\($0.severity.rawValue) \($0.message)" }
    return all.joined(separator: "\n").replacing("joke/random#", with: "")
      .replacing(", jokes.random", with: "")
  }

  private static let plan: [WorkerLine] = [
    .planned(check: 0, count: 2), .planned(check: 1, count: 1),
  ]
  private static let mutants = [
    mutant(0, of: 0, "null/a"), mutant(1, of: 0, "null/b"), mutant(2, of: 1, "html"),
  ]

  @Test("says how many mutants have begun, of how many, and how many findings there are")
  func progress() async throws {
    let said = Mutex<[[Int]]>([])
    let found = WorkerLine.found(type: .mutantSurvived, message: "found the same value")
    let lines = Self.plan + [Self.mutants[0], found, Self.mutants[1], Self.mutants[2], .finished]
    _ = try await Self.results(
      [0: Worker(lines: lines)],
      progress: { one, two, three in
        said.withLock { $0.append([one, two, three]) }
      })
    #expect(said.withLock { $0 } == [[1, 3, 0], [2, 3, 1], [3, 3, 1]])
  }

  @Test("mutants that were found wanting are findings of their checks, and count in the score")
  func findings() async throws {
    let found = WorkerLine.found(type: .mutantSurvived, message: "found the same value")
    let text = try await Self.results([
      0: Worker(
        lines: Self.plan + [
          Self.mutants[0], Self.mutants[1], found, found, Self.mutants[2], .finished,
        ])
    ])
    #expect(
      text == """
        fail ok
          mutant-survived null/b: found the same value
        pass gone
        note jokes.random handled 2 of 3 mutants correctly (66%)
        """)
  }

  @Test(
    "a mutant on which a worker ends has crashed it, and the next worker goes on behind it",
    arguments: [
      ("exit 0", "exited with 0"), ("exit 3", "exited with 3"), ("kill -9 $$", "ended by signal 9"),
    ], 0...2)
  func crashes(death: (script: String, words: String), number: Int) async throws {
    let rest = Array(Self.mutants[(number + 1)...])
    let text = try await Self.results([
      0: Worker(lines: Self.plan + Self.mutants[...number], end: death.script),
      number + 1: Worker(lines: Self.plan + rest + [.finished]),
    ])
    let name = ["null/a", "null/b", "html"][number]
    let finding = "\n  crash \(name): crashed: \(death.words)"
    #expect(
      text == """
        \(number < 2 ? "fail ok\(finding)\npass gone" : "pass ok\nfail gone\(finding)")
        note jokes.random handled 2 of 3 mutants correctly (66%)
        """)
  }

  @Test("a mutant without an outcome is tried once more, and hangs if it has none then, too")
  func hangs() async throws {
    let folder = try TemporaryFolder()
    let rest = String(decoding: [Self.mutants[2], .finished].flatMap(\.bytes), as: UTF8.self)
    // A worker that begins with the mutant hangs unless it may go on.
    for goesOn in [false, true] {
      if goesOn { try folder.write("go", "") }
      let text = try await Self.results(
        [
          0: Worker(lines: Self.plan + Self.mutants[...1], end: "exec sleep 1000"),
          1: Worker(
            lines: Self.plan + [Self.mutants[1]],
            end: "[ -f '\(folder.path)/go' ] || exec sleep 1000\nprintf %s '\(rest)'"),
          2: Worker(lines: Self.plan + [Self.mutants[2], .finished]),
        ], guardTime: .seconds(1))
      let result = goesOn ? "pass ok" : "fail ok\n  hang null/b: no outcome within 1.0 s"
      #expect(
        text == """
          \(result)
          pass gone
          note jokes.random handled \(goesOn ? "3 of 3 mutants correctly (100%)" : "2 of 3 mutants correctly (66%)")
          """)
    }
  }

  @Test(
    "a worker that says nothing of a mutant leaves checks open, with its reason",
    arguments: [
      ([], "exit 3", "the worker process exited with 3 before its first mutant"),
      (plan, "kill -9 $$", "the worker process ended by signal 9 before its first mutant"),
    ] as [([WorkerLine], String, String)])
  func silent(lines: [WorkerLine], end: String, reason: String) async throws {
    let text = try await Self.results([0: Worker(lines: lines, end: end)])
    #expect(text == "couldNotCheck ok\n  \(reason)\ncouldNotCheck gone\n  \(reason)")
  }

  @Test("a check that has no mutants, or fewer than were planned, says why")
  func unplanned() async throws {
    let obstacle = WorkerLine.notChecked(check: 1, reason: "the case expects no value")
    #expect(
      try await Self.results([
        0: Worker(lines: [.planned(check: 0, count: 0), obstacle, .finished])
      ])
        == """
        notExercised ok
          no mutant of it was chosen
        couldNotCheck gone
          the case expects no value
        """)
    #expect(
      try await Self.results([0: Worker(lines: Self.plan + [Self.mutants[0], .finished])]) == """
        couldNotCheck ok
          the run ended after 1 of 2 mutants
        notExercised gone
          no mutant of it was chosen
        note jokes.random handled 1 of 1 mutants correctly (100%)
        """)
  }

  @Test("lines that no worker of these checks writes are ignored")
  func nonsense() async throws {
    let other = WorkerLine.mutant(number: 7, check: 2, id: "x,y,z")
    let text = try await Self.results([
      0: Worker(
        lines: Self.plan + [
          .planned(check: 2, count: 9), .notChecked(check: 9, reason: "no"), .begun(check: 0),
          other,
          Self.mutants[0], Self.mutants[1], Self.mutants[0], Self.mutants[1], Self.mutants[2],
          .finished,
        ])
    ])
    #expect(
      text == """
        pass ok
        pass gone
        note jokes.random handled 3 of 3 mutants correctly (100%)
        """)
  }

  @Test("an interrupted run reports what it has")
  func interrupted() async throws {
    let ends = Pipe()
    try ends.fileHandleForWriting.close()
    let text = try await Self.results(
      [0: Worker(lines: [], end: "exec sleep 1000")],
      endedBy: ends.fileHandleForReading.fileDescriptor)
    #expect(
      text == """
        couldNotCheck ok
          the run was interrupted
        couldNotCheck gone
          the run was interrupted
        """)
    withExtendedLifetime(ends) {}
  }
}
