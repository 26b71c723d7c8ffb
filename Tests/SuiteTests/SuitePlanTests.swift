import Testing
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFindings

@testable import UnderstudySuite

@Suite struct SuitePlanTests {
  private static let plan = SuitePlan(
    SmallSuite.library, ConsumerRegistry([SmallSuite.good]))

  @Test("lists the cases without an expectation, and why")
  func gaps() {
    #expect(
      Self.plan.gaps.map(\.text) == [
        "notExercised joke/all#ok\n  no consumer expects anything of its contract",
        "notExercised joke/random#unused, jokes.random\n  the case does not say what to expect",
      ])
  }

  @Test("expects nothing of an upstream that is retired, and still runs what is there")
  func retired() {
    let library = ContractLibrary(reading: [
      "consumers.json": #"{ "jokes.random": { "upstreams": ["joke"], "errors": {} } }"#,
      "joke/upstream.json": #"{ "summary": "Jokes", "retired": "it is gone" }"#,
      "joke/random.json": """
      { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
        "cases": {
          "ok": { "status": 200, "body": 1, "expect": { "jokes.random": { "value": 1 } } },
          "unused": { "like": "ok" } } }
      """,
    ])
    let plan = SuitePlan(library, ConsumerRegistry([SmallSuite.good]))
    #expect(plan.checks.map(\.identity.description) == ["joke/random#ok, jokes.random"])
    #expect(plan.gaps == [])
  }

  private static let others = ContractLibrary(reading: [
    "consumers.json": """
    { "jokes.random": { "upstreams": ["joke"], "errors": {} },
      "jokes.other": { "upstreams": ["joke"], "in": "other", "errors": {} } }
    """,
    "joke/upstream.json": #"{ "summary": "Jokes" }"#,
    "joke/random.json": """
    { "request": { "method": "GET", "path": "/random" },
      "cases": {
        "ok": { "status": 200, "body": 1,
          "expect": { "jokes.random": { "value": 1 }, "jokes.other": { "value": 1 } } } } }
    """,
  ])

  @Test("leaves services to the executable they are declared for, and says so")
  func otherTools() {
    let plan = SuitePlan(Self.others, ConsumerRegistry([SmallSuite.good]))
    #expect(plan.checks.map(\.identity.description) == ["joke/random#ok, jokes.random"])
    #expect(plan.gaps.isEmpty)
    #expect(plan.leftToOthers == ["other": ["jokes.other"]])
    #expect(
      plan.remarks.map { "\($0.severity) \($0.message): \($0.fix ?? "")" } == [
        "note left 1 case of jokes.other to other, as consumers.json declares: run other test"
      ])
  }

  @Test("plans commands as it does services")
  func commands() {
    let library = ContractLibrary(reading: [
      "consumers.json": #"{ "joke-cli": { "upstreams": ["joke"], "command": ["true"] } }"#,
      "joke/upstream.json": #"{ "summary": "Jokes" }"#,
      "joke/random.json": """
      { "request": { "method": "GET", "path": "/random" },
        "cases": {
          "ok": { "status": 200, "expect": { "joke-cli": { "exitCode": 0 } } },
          "gone": { "status": 410, "expect": { "joke-cli": { "exitCode": 1 } } },
          "unused": { "like": "ok" } } }
      """,
      "joke/all.json": """
      { "request": { "method": "GET", "path": "/all" }, "cases": { "ok": { "status": 200 } } }
      """,
    ])
    let plan = SuitePlan(library, ConsumerRegistry([]))
    #expect(
      plan.checks.map(\.identity.description) == [
        "joke/random#ok, joke-cli", "joke/random#gone, joke-cli",
      ])
    #expect(
      plan.gaps.map(\.identity.description) == ["joke/all#ok", "joke/random#unused, joke-cli"])
    #expect(plan.remarks.isEmpty)
  }

  @Test("lists the errors that no contract provokes")
  func errors() {
    #expect(
      Self.plan.remarks.map(\.message) == [
        "no contract provokes the error rateLimited of jokes.random"
      ])
  }

  @Test(
    "a glob names cases by any part of them",
    arguments: [
      ("joke/random#ok", ["joke/random#ok"]), ("joke/all", ["joke/all#ok"]),
      ("#ok", ["joke/all#ok", "joke/random#ok"]), ("*#too-*", ["joke/random#too-slow"]),
      ("j?ke/r*m#*s*t", ["joke/random#reset"]), ("jok", []), ("joke/random#", SmallSuite.cases),
      ("joke/ran*", SmallSuite.cases), ("*/*#O?", []),
    ])
  func globs(glob: String, cases: [String]) {
    let glob = CaseGlob(glob)
    let found = SmallSuite.library.contracts.flatMap { contract in
      contract.cases.filter { glob.matches(contract, $0) }.map { "\(contract.id)#\($0.name)" }
    }
    #expect(found == cases)
  }
}

extension SmallSuite {
  static let cases = ["ok", "gone", "slow", "too-slow", "later", "reset", "elsewhere", "unused"]
    .map { "joke/random#\($0)" }
}
