import Testing
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyContractModel
import UnderstudyFakeServer
import UnderstudyFindings

@testable import UnderstudySuite

/// Contracts of one endpoint, and consumers of it that do well or badly.
enum SmallSuite {
  static let library = ContractLibrary(reading: [
    "consumers.json": """
    { "jokes.random": { "upstreams": ["joke"], "errors": {
        "connectivity": null, "unexpectedStatus": "integer", "rateLimited": "any" } } }
    """,
    "joke/upstream.json": #"{ "summary": "Jokes", "baseURL": "https://jokes.example/v1" }"#,
    "joke/random.json": """
    { "summary": "A joke", "request": { "method": "GET", "path": "/random" },
      "cases": {
        "ok": { "status": 200, "body": { "setup": "Why?", "id": 7 },
          "expect": { "jokes.random": { "value": { "setup": "Why?", "id": 7 } } } },
        "gone": { "status": 410,
          "expect": { "jokes.random": { "error": { "unexpectedStatus": 410 } } } },
        "slow": { "like": "ok", "delay": { "fixed": "300ms" },
          "expect": { "jokes.random": { "like": "ok" } } },
        "too-slow": { "like": "ok", "delay": { "fixed": "300ms" },
          "expect": { "jokes.random": { "timeout": "200ms", "error": "connectivity",
            "transport": "timedOut", "curl": [28] } } },
        "later": { "like": "ok", "delay": { "fixed": "300ms" },
          "expect": { "jokes.random": { "timeout": "200ms", "error": "connectivity" } } },
        "reset": { "fault": "CONNECTION_RESET_BY_PEER",
          "expect": { "jokes.random": { "error": "connectivity", "transport": "reset",
            "curl": [56] } } },
        "elsewhere": { "status": 302, "headers": { "Location": "https://other.example/joke" },
          "expect": { "jokes.random": { "error": { "unexpectedStatus": 302 } } } },
        "unused": { "like": "ok" } } }
    """,
    "joke/all.json": """
    { "summary": "All jokes", "request": { "method": "GET", "path": "/all" },
      "cases": { "ok": { "status": 200, "body": [] } } }
    """,
  ])

  /// Does what the contract says.
  static let good = consumer { call in try await ask(call, "/random") }

  static func consumer(_ body: @escaping ServiceConsumer.Body) -> ServiceConsumer {
    ServiceConsumer("jokes.random", body)
  }

  static func ask(
    _ call: ConsumerCall, _ path: String, redirects: Int = 0
  ) async throws -> [UInt8] {
    var request = ClientRequest(url: try call.baseURL(of: "joke") + path)
    request.options.redirectCountMax = redirects
    return try await send(request, call)
  }

  static func send(_ request: ClientRequest, _ call: ConsumerCall) async throws -> [UInt8] {
    do {
      let response = try await call.transport.send(request)
      guard response.status == 200 else {
        throw ConsumerError("unexpectedStatus", payload: "\(response.status)")
      }
      return response.body
    } catch let error as TransportError {
      throw ConsumerError("connectivity", transport: error)
    }
  }

  static func results(
    of consumer: ServiceConsumer, _ globs: String..., in library: ContractLibrary = library,
    change: (inout SuiteConfiguration) -> Void = { _ in }
  ) async throws -> [Check] {
    let globs = globs.map(CaseGlob.init)
    let plan = SuitePlan(library, ConsumerRegistry([consumer])) { contract, served, _ in
      globs.isEmpty || globs.contains { $0.matches(contract, served) }
    }
    var configuration = SuiteConfiguration()
    configuration.timeScale = 0.01
    change(&configuration)
    return try await SuiteRun(library, configuration).results(of: plan.checks)
  }
}

extension Check {
  /// `fail joke/random#ok, jokes.random`, and beneath it each finding or the reason.
  var text: String {
    let lines = findings.map { finding in
      "\(finding.type.rawValue) \(finding.message)" + (finding.path.map { " at \($0)" } ?? "")
    }
    return "\(result.rawValue) \(identity)"
      + (lines + [reason].compactMap(\.self)).map { "\n  \($0)" }.joined()
  }
}
