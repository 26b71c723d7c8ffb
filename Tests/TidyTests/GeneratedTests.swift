import Testing
import UnderstudyTestSupport

@Suite struct GeneratedTests {
  @Test("the Swift that holds data files is what ci/generate writes")
  func generated() async throws {
    let generated = Repository.swiftFiles.filter {
      $0.text.contains("\n// Written by ci/generate. ")
    }
    #expect(generated.count == 9 && generated.allSatisfy(\.isGenerated))
    #expect(generated.count == Repository.swiftFiles.count(where: \.isGenerated))
    // Where this fails, ci/generate writes them anew.
    try await Program.run("bash", ["ci/generate", "--check"], in: Repository.root.path)
  }
}
