import Synchronization
import Testing
import UnderstudyCore
import UnderstudyJSON
import UnderstudySecrets
import UnderstudyTestSupport

@testable import UnderstudyDrafting

/// What an inference costs, counted in values that it looks at.
@Suite struct InferenceStepsTests {
  private func inferred(_ samples: [String]) throws -> (schema: String, stepCount: Int) {
    let steps = InferenceSteps()
    let values = try samples.map { try JSONDocument(parsing: $0).root }
    return (InferredSchema(samples: values, steps).text.laidOut(), steps.count)
  }

  private func object(_ names: Range<Int>, _ value: (Int) -> String) -> String {
    "{\(names.map { "\"n\($0)x\": \(value($0))" }.joined(separator: ", "))}"
  }

  @Test(
    "an object with very many members is a map, for a few steps a member",
    arguments: [("1", "integer"), ("[\"a\"]", "array"), ("{\"id\": 1}", "object")])
  func maps(value: String, type: String) throws {
    let few = try inferred([object(0..<5_000) { _ in value }])
    let many = try inferred([object(0..<20_000) { _ in value }])
    let schema = try JSONDocument(parsing: many.schema).root
    #expect(schema["additionalProperties"]?["type"]?.string == type)
    #expect(schema["properties"] == nil)
    #expect(many.schema == few.schema)
    #expect(few.stepCount <= 5_000 * 5)
    #expect(many.stepCount <= 20_000 * 5)
  }

  @Test("values of several kinds make no map, and their names are not listed")
  func mixed() throws {
    let found = try inferred([object(0..<3_000) { $0 % 2 == 0 ? "1" : "\"a\"" }])
    let schema = try JSONDocument(parsing: found.schema).root
    #expect(schema.compact == Array(#"{"type":"object"}"#.utf8))
  }

  @Test("many names over all samples are a map as well, in any order of the samples")
  func order() throws {
    let samples = [0, 1_500, 2_500].map { start in
      "{\"all\": \(object(start..<start + 1_500) { "{\"id\": \($0)}" })}"
    }
    let expected = try inferred(samples).schema
    #expect(expected.contains("additionalProperties"))
    #expect(try inferred(samples.reversed()).schema == expected)
    #expect(try inferred([samples[1], samples[0], samples[2]]).schema == expected)
  }

  @Test("maps in maps take steps in proportion to their members")
  func nested() throws {
    func count(_ size: Int) throws -> Int {
      try inferred([object(0..<size) { _ in object(0..<20) { _ in "{\"id\": 1}" } }]).stepCount
    }
    let (once, twice, fourfold) = (try count(500), try count(1_000), try count(2_000))
    #expect(twice <= once * 21 / 10)
    #expect(fourfold <= twice * 21 / 10)
  }

  @Test("stops soon when it is told to")
  func stopped() throws {
    let steps = InferenceSteps(while: { false })
    let value = try JSONDocument(parsing: object(0..<50_000) { _ in "1" }).root
    _ = InferredSchema(samples: [value], steps)
    #expect(steps.isStopped)
    #expect(steps.count < 10_000)
  }

  @Test("a recording that is told to stop fails, wherever it is", arguments: 0..<5)
  func interrupted(stageCount: Int) throws {
    let countdown = Countdown(from: stageCount)
    var target = RecordingTarget(
      folder: "no-such-folder", upstreamName: "api", baseURL: nil, upstream: nil)
    target.goesOn = { countdown.next() }
    let response = LiveResponse(
      status: 200, headers: [], body: Array("{\"id\": 1}".utf8), latency: .zero)
    let exchange = RecordedExchange(method: "GET", path: "/things", responses: [response])
    #expect(throws: Failure.self) {
      _ = try Recording(
        of: [exchange], for: target, paths: [], mask: SecretMask(secrets: []),
        differs: { _, _, _ in false })
    }
  }

  private final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(from count: Int) { left = Mutex(count) }

    func next() -> Bool {
      left.withLock { left in
        left -= 1
        return left >= 0
      }
    }
  }
}
