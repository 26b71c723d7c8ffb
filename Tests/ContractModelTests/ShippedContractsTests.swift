import Testing
import UnderstudyFindings

@testable import UnderstudyContractModel
@testable import UnderstudyJSON
@testable import UnderstudySchema

@Suite struct ShippedContractsTests {
  @Test("the shipped contracts have no lint findings")
  func lint() throws {
    let library = try ContractLibrary.load([Shipped.folder.path])
    #expect(library.findings.map(\.description).joined(separator: "\n") == "")
    #expect(library.fileCount == Shipped.files.count)
  }

  @Test("the schemas for editors accept every file that is shipped")
  func accepted() throws {
    for (path, text) in Shipped.files {
      let complaints = try Shipped.schema(for: path)
        .complaints(about: JSONDocument(parsing: text).root)
      #expect(complaints.map { "\(path):\($0)" } == [])
    }
  }

  /// What can be told from one file's shape alone.
  private static let rulesOfShape: [FindingType] = [
    .unknownKey, .missingKey, .conflictingKeys, .delayUnit, .unknownFault, .wrongType,
  ]

  /// What a schema does not know: what consumers.json says of types, which files there are, and
  /// that one test for a parameter is enough.
  private static let beyondSchemas: Set = [
    "an argument of another type", "two tests in one condition",
    "the value of a command", "the exit code of a service",
  ]

  @Test("the schemas reject what lint finds wrong with the shape of a file")
  func rejected() throws {
    var count = 0
    for complaint in Complaint.all
    where Self.rulesOfShape.contains(where: { complaint.says.contains("[\($0.rawValue)]") }) {
      for (path, text) in complaint.files where complaint.says.contains("\(path):") {
        guard let document = try? JSONDocument(parsing: text),
          !Self.beyondSchemas.contains(complaint.testDescription)
        else { continue }
        count += 1
        let isAccepted = try Shipped.schema(for: path).accepts(document.root)
        #expect(!isAccepted, "\(complaint.testDescription)\n\(text)")
      }
    }
    #expect(count > 80)
  }

  @Test(
    "the schemas have the keys that the readers have",
    arguments: [
      ("contract.json", "", ContractReader.keys), ("contract.json", "/$defs/case", CaseReader.keys),
      ("contract.json", "/$defs/request", RequestReader.keys),
      ("contract.json", "/$defs/expectation", ExpectationReader.keys),
      ("contract.json", "/$defs/malform", MalformationReader.keys),
      ("upstream.json", "", UpstreamReader.keys),
    ])
  func keys(file: String, pointer: String, keys: [String]) throws {
    let document = try Shipped.schemaDocument(for: file)
    let pointer = try #require(JSONPointer(parsing: "\(pointer)/properties"))
    let properties = try #require(document.root.value(at: pointer))
    #expect(properties.members.map(\.key).sorted() == keys.sorted())
  }
}
