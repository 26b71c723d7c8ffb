import Testing
import UnderstudyConsumers
import UnderstudyContractModel

@Suite struct ConsumerRegistryTests {
  private static let declared = ContractLibrary(reading: [
    "consumers.json": """
    { "jokes.random": { "upstreams": ["joke"], "errors": {} },
      "dogs.random": { "upstreams": ["joke"], "errors": {} } }
    """,
    "joke/upstream.json": #"{ "summary": "Jokes" }"#,
  ]).consumers

  private static func registry(_ names: String...) -> ConsumerRegistry {
    ConsumerRegistry(names.map { ServiceConsumer($0) { _ in [] } })
  }

  @Test("is complete when it has every consumer once, in any order")
  func complete() {
    #expect(Self.registry("jokes.random", "dogs.random").differences(from: Self.declared) == [])
  }

  @Test("names consumers that are missing, unknown or registered twice")
  func differences() {
    #expect(
      Self.registry("dogs.random", "cats.random", "dogs.random").differences(from: Self.declared)
        == [
          "registered twice: dogs.random", "declared and not registered: jokes.random",
          "registered and not declared: cats.random",
        ])
  }

  @Test(
    "a consumer declared for another executable may be registered here, but need not be",
    arguments: [
      ("theirs", [], []), ("ours", [], ["declared and not registered: dogs.random"]),
      ("theirs", ["dogs.random"], []),
    ])
  func otherTool(name: String, registered: [String], differences: [String]) {
    let declared = ContractLibrary(reading: [
      "consumers.json":
        #"{ "dogs.random": { "upstreams": ["joke"], "in": "\#(name)", "errors": {} } }"#,
      "joke/upstream.json": #"{ "summary": "Jokes" }"#,
    ]).consumers
    let registry = ConsumerRegistry(
      registered.map { ServiceConsumer($0) { _ in [] } }, toolName: "ours")
    #expect(registry.differences(from: declared) == differences)
    #expect(
      registry.otherTools(of: declared)
        == (name == "theirs" && registered.isEmpty ? ["dogs.random": "theirs"] : [:]))
  }

  @Test("a command must not be registered")
  func commands() {
    let declared = ContractLibrary(reading: [
      "consumers.json": #"{ "joke-cli": { "upstreams": ["joke"], "command": ["true"] } }"#,
      "joke/upstream.json": #"{ "summary": "Jokes" }"#,
    ]).consumers
    #expect(Self.registry().differences(from: declared) == [])
    #expect(
      Self.registry("joke-cli").differences(from: declared) == [
        "registered and not declared: joke-cli"
      ])
  }
}
