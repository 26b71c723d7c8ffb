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

  @Test("says who is missing, unknown or there twice")
  func differences() {
    #expect(
      Self.registry("dogs.random", "cats.random", "dogs.random").differences(from: Self.declared)
        == [
          "registered twice: dogs.random", "declared and not registered: jokes.random",
          "registered and not declared: cats.random",
        ])
  }

  @Test("a command is nobody's to register")
  func commands() {
    let declared = ContractLibrary(reading: [
      "consumers.json": #"{ "joke-cli": { "upstreams": ["joke"], "command": true } }"#,
      "joke/upstream.json": #"{ "summary": "Jokes" }"#,
    ]).consumers
    #expect(Self.registry().differences(from: declared) == [])
    #expect(
      Self.registry("joke-cli").differences(from: declared) == [
        "registered and not declared: joke-cli"
      ])
  }
}
