import Testing
import UnderstudyClient
import UnderstudyContractModel
import UnderstudyJSON

@testable import UnderstudyConsumers

/// What comes of calling a service.
@Suite struct ServiceConsumerTests {
  private static func call(_ arguments: String? = nil) throws -> ConsumerCall {
    ConsumerCall(
      transport: StubTransport(), baseURL: { $0 == "joke" ? "http://127.0.0.1:1/~7/joke" : nil },
      arguments: try arguments.map { try JSONDocument(parsing: $0).root }, timeout: .seconds(3))
  }

  private static func words(_ outcome: ConsumerOutcome?) -> String {
    switch outcome {
    case .value(let value): String(decoding: value.compact, as: UTF8.self)
    case .error(let error): "\(error.name) \(error.payload ?? "-") \(error.message)"
    case .undeclared(let words): "undeclared: \(words)"
    case .unreadable(let reason): "unreadable: \(reason)"
    case .ended, .notStarted: "a command"
    case nil: "nothing"
    }
  }

  private struct Odd: Error, CustomStringConvertible {
    let description = "odd"
  }

  @Test("its value is JSON, its error one with a name, and all else is neither")
  func outcomes() async throws {
    let services = [
      ServiceConsumer("a") { _ in Array(#"{ "a": [1, 2.50] }"#.utf8) },
      ServiceConsumer("b") { _ in Array(#"{ "a": }"#.utf8) },
      ServiceConsumer("c") { _ in throw ConsumerError("limited", payload: "7", message: "slow") },
      ServiceConsumer("d") { _ in throw Odd() },
    ]
    let expected = [
      #"{"a":[1,2.50]}"#, #"unreadable: 1:8: found "}", expected a value after ":""#,
      "limited 7 slow",
      "undeclared: odd",
    ]
    for (service, words) in zip(services, expected) {
      let found = await service.outcome(of: try Self.call())
      #expect(Self.words(found) == words)
      let inTime = await service.outcome(of: try Self.call(), within: .seconds(300))
      #expect(Self.words(inTime) == words)
    }
  }

  @Test("one that does not end in time has no outcome, and is cancelled")
  func hang() async throws {
    let (cancellations, cancelled) = AsyncStream<Void>.makeStream()
    let service = ServiceConsumer("a") { _ in
      await withTaskCancellationHandler {
        // Ends with the test's task at the latest.
        for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(300)) }) {
          break
        }
      } onCancel: {
        cancelled.yield()
      }
      return []
    }
    #expect(await service.outcome(of: try Self.call(), within: .milliseconds(1)) == nil)
    for await _ in cancellations { break }
  }

  @Test("a call has the arguments and addresses of its contract, and says what it has not")
  func call() throws {
    let call = try Self.call(#"{ "name": "Ann", "count": 7, "ratio": 1.5 }"#)
    #expect(try call.string("name") == "Ann")
    #expect(try call.int("count") == 7)
    #expect(try call.baseURL(of: "joke") == "http://127.0.0.1:1/~7/joke")
    #expect(
      String(decoding: call.argumentsJSON, as: UTF8.self)
        == #"{"name":"Ann","count":7,"ratio":1.5}"#)
    #expect(call.timeout == .seconds(3))
    let none = try Self.call()
    #expect(none.argumentsJSON == Array("{}".utf8))
    func words(_ body: () throws -> some Any) -> String? {
      let error = #expect(throws: ConsumerError.self) { _ = try body() }
      return error.map { "\($0.name): \($0.message)" }
    }
    #expect(
      words { try call.string("count") }
        == "missingArgument: the contract gives no string \"count\"")
    #expect(
      words { try call.int("ratio") }
        == "missingArgument: the contract gives no whole number \"ratio\"")
    #expect(
      words { try none.string("name") } == "missingArgument: the contract gives no string \"name\"")
    #expect(
      words { try call.baseURL(of: "dog") } == "unknownUpstream: unknown upstream \"dog\"")
  }

  @Test("a name means the command that is declared, else the service that is registered")
  func callees() {
    let declared = ContractLibrary(reading: [
      "consumers.json": """
      { "cli": { "upstreams": ["joke"], "command": ["true", "x"] },
        "jokes": { "upstreams": ["joke"], "errors": {} } }
      """,
      "joke/upstream.json": #"{ "summary": "Jokes" }"#,
    ]).consumers
    let registry = ConsumerRegistry(
      ["jokes", "more", "cli"].map { ServiceConsumer($0) { _ in [] } })
    let found = ["cli", "jokes", "more", "none"].map { registry.callee($0, among: declared) }
    #expect(found.map { $0?.name } == ["cli", "jokes", "more", nil])
    #expect(found.map { $0?.command?.words } == [["true", "x"], nil, nil, nil])
  }
}
