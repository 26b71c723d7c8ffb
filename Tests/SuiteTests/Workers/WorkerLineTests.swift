import Testing
import UnderstudyCore
import UnderstudyFindings
import UnderstudyJSON

@testable import UnderstudySuite

/// What a worker and the process that started it tell each other.
@Suite struct WorkerLineTests {
  private static let check = Check.checked(
    Check.Identity("joke/random", "ok", consumer: "jokes.random"),
    at: Place("Contracts/joke/random.json", SourcePosition(line: 3, column: 7)),
    findings: [
      Finding(.error, .value, "found \"a\nb\"", diff: ["-a", "+b"], fix: "mend it")
    ],
    duration: .milliseconds(5), attemptCount: 2)

  @Test(
    "a line reads back as it was written",
    arguments: [
      WorkerLine.begun(check: 1), .attempted(check: 1), .checked(check: 1, check),
      .planned(check: 1, count: 2), .notChecked(check: 3, reason: "a\nb"),
      .mutant(number: 4, check: 5, id: "x\"y"), .found(type: .crash, message: "gone"), .finished,
      .commandBegun(process: 7), .commandEnded(process: 8),
    ])
  func lines(line: WorkerLine) throws {
    #expect(WorkerLine(parsing: line.bytes.dropLast()[...]) == line)
    #expect(line.bytes.count { $0 == UInt8(ascii: "\n") } == 1)
    // With one value less, or one more, it is none.
    let values = try JSONDocument(parsing: line.bytes).root.elements.map { JSONText.value($0) }
    for others in [values.dropLast(), values + [.null]] {
      #expect(WorkerLine(parsing: JSONText.array(Array(others)).bytes[...]) == nil)
    }
  }

  @Test(
    "other output is not read as a worker's line",
    arguments: [
      "", "null", "[]", #"["begun"]"#, #"["begun",-1]"#, #"["begun",1e300]"#,
      #"["begun",9223372036854775807]"#, #"["checked",1,{}]"#, #"["planned",1,-2]"#,
      #"["mutant",9223372036854775807,0,"x"]"#, #"["found","NONSENSE","x"]"#, #"["finished",1]"#,
    ])
  func foreign(text: String) {
    #expect(WorkerLine(parsing: Array(text.utf8)[...]) == nil)
  }

  @Test(
    "an order reads back as it was written",
    arguments: [
      WorkerOrder.checks([0, 7, 8], areAlone: true, guardTime: .seconds(30)), .mutants(from: 12),
    ])
  func orders(order: WorkerOrder) {
    #expect(WorkerOrder(parsing: order.bytes) == order)
  }
}
