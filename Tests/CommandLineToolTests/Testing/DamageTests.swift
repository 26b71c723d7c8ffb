import Consumers
import ContractModel
import JSON
import Testing
import Transport

@testable import CommandLineTool

/// What becomes of a good body when anything that a service reads of it is damaged.
@Suite struct DamageTests {
  struct Target: CustomTestStringConvertible, Sendable {
    let consumer: String
    let contract: String
    let played: String
    /// Places that may be damaged so and still make a value.
    let tolerated: Set<String>

    var testDescription: String { consumer }
  }

  private static let targets = [
    Target(
      consumer: "dogs.random", contract: "dog-ceo/random-images", played: "ok", tolerated: []),
    Target(consumer: "jokes.random", contract: "joke/random-joke", played: "ok", tolerated: []),
    Target(consumer: "listings.dogs", contract: "dogpatch/dogs", played: "ok", tolerated: []),
    Target(
      consumer: "restaurants.addFavorite", contract: "restaurants/add-favorite", played: "added",
      tolerated: []),
    Target(
      consumer: "restaurants.load", contract: "restaurants/list-restaurants", played: "ok",
      tolerated: []),
    Target(
      consumer: "repos.one", contract: "github/repo", played: "ok",
      tolerated: [
        "/language missing", "/language null", "/language empty", "/description null",
        "/description empty", "/stargazers_count missing",
      ]),
  ]

  @Test("what is read and is missing, null or of no sense is invalid data", arguments: targets)
  func damage(target: Target) async throws {
    let contract = try #require(
      ShippedSuiteTests.library?.contracts.first { $0.id == target.contract })
    let played = try #require(contract.case(named: target.played))
    let expectation = try #require(
      played.expectations.first { $0.consumer == target.consumer })
    let good = try JSONDocument(parsing: played.bodyBytes)
    let reads = ReadPaths()
    #expect(await outcome(good.bytes, target, expectation, reads) == nil)
    var tolerated: Set<String> = []
    for pointer in pointers(in: good.root) where !pointer.tokens.isEmpty && reads.isRead(pointer) {
      for (kind, bytes) in try mutants(of: good, at: pointer) {
        let name = "\(pointer) \(kind)"
        switch await outcome(bytes, target, expectation, nil) {
        case "invalidData": break
        case nil: tolerated.insert(name)
        case let error: Issue.record("\(name): ends in \(error ?? "")")
        }
      }
    }
    #expect(tolerated == target.tolerated)
  }

  /// The name of the error a service ends in when it gets this body.
  private func outcome(
    _ body: [UInt8], _ target: Target, _ expectation: ContractModel.Expectation,
    _ recorder: ReadPaths?
  ) async -> String? {
    let transport = ClosureTransport { request throws(TransportError) in
      HTTPResponse(status: 200, body: body, url: request.url)
    }
    let names = ["dog-ceo", "dog-ceo-images", "joke", "dogpatch", "restaurants", "github"]
    var call = ConsumerCall(
      transport: transport,
      baseURLs: Dictionary(uniqueKeysWithValues: names.map { ($0, "https://\($0).example") }),
      arguments: expectation.arguments)
    call.recorder = recorder
    switch await ShippedSuiteTests.registry[target.consumer]?.outcome(of: call) {
    case .value: return nil
    case .error(let error): return error.name
    case let other: return "\(other, default: "no consumer")"
    }
  }

  private func pointers(in value: JSONValue) -> [JSONPointer] {
    let children = Array(value.elements) + value.members.map(\.value)
    return [value.pointer] + children.flatMap { pointers(in: $0) }
  }

  /// Without an element an array is as good as before, so only members are left out.
  private func mutants(
    of good: JSONDocument, at pointer: JSONPointer
  ) throws -> [(kind: String, bytes: [UInt8])] {
    guard let value = good.root.value(at: pointer), let parent = pointer.parent,
      let container = good.root.value(at: parent)
    else { return [] }
    var others = [("null", "null"), ("true", "true")]
    switch value.kind {
    case .string:
      others += [
        ("number", "7"), ("empty", "\"\""), ("array", "[]"), ("object", "{}"),
        ("long", "\"\(String(repeating: "x", count: 20_000))\""),
      ]
    case .number:
      others += [
        ("string", "\"7\""), ("huge", "1e300"), ("hugely negative", "-1e300"), ("array", "[]"),
      ]
    case .array: others += [("object", "{}"), ("string", "\"x\"")]
    default: others += [("array", "[]"), ("string", "\"x\"")]
    }
    var mutants = try others.map { kind, text in
      (kind, try good.setting(pointer, to: text).bytes)
    }
    if container.kind == .object { mutants.append(("missing", try good.removing(pointer).bytes)) }
    return mutants
  }
}
