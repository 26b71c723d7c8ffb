import Testing
import UnderstudyContractModel
import UnderstudyTestSupport

/// A command of the shell, `cli`, and one contract of `api` whose requests it sends.
enum SmallCommand {
  static func with<Value>(
    _ script: String, method: String, cases: String,
    _ body: (ContractLibrary) async throws -> Value
  ) async throws -> Value {
    let folder = try TemporaryFolder()
    try folder.write(
      "Contracts/consumers.json",
      #"{ "cli": { "upstreams": ["api"], "command": ["/bin/sh", "cli.sh"] } }"#)
    try folder.write("Contracts/api/upstream.json", #"{ "baseURL": "https://api.example/v1" }"#)
    try folder.write(
      "Contracts/api/thing.json",
      #"{ "request": { "method": "\#(method)", "path": "/thing" }, "cases": { \#(cases) } }"#)
    try folder.write("cli.sh", script)
    let library = try ContractLibrary.load(["\(folder.path)/Contracts"])
    #expect(library.findings.filter { $0.severity == .error } == [])
    let value = try await body(library)
    return withExtendedLifetime(folder) { value }
  }
}
