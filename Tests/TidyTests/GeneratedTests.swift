import Testing
import UnderstudyTestSupport

@Suite struct GeneratedTests {
  @Test("the Swift that holds data files is what ci/generate writes")
  func generated() async throws {
    #expect(Repository.swiftFiles.filter(\.isGenerated).count == 5)
    // Where this fails, ci/generate writes them anew.
    try await Program.run("bash", ["ci/generate", "--check"], in: Repository.root.path)
  }
}
