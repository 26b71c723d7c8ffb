import Foundation
import Testing
import UnderstudyJSON
import UnderstudySchema

@testable import UnderstudyDrift

/// `Contracts/accepted.schema.json`, by which editors check what `drift --accepted` reads.
@Suite struct AcceptedSchemaTests {
  private static func document() throws -> JSONDocument {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let file = root.appendingPathComponent("Contracts/accepted.schema.json")
    return try JSONDocument(parsing: Array(Data(contentsOf: file)))
  }

  @Test("it has the types that can be accepted")
  func types() throws {
    let schema = try Self.document()
    let types = try #require(schema.root["items"]?["properties"]?["type"]?["enum"])
    #expect(Set(types.elements.compactMap(\.string)) == Set(AcceptedDrift.acceptable))
  }

  @Test(
    "it accepts what the reader accepts",
    arguments: [
      (#"{ "contract": "a/b", "type": "status", "reason": "r", "until": "2027-01-31" }"#, true),
      (
        #"{ "contract": "a/b", "case": "ok", "type": "status", "path": "/a/0", "#
          + #""reason": "r", "until": "2027-01-31", "$schema": "x" }"#, true
      ),
      (#"{ "contract": "a", "type": "status", "reason": "r", "until": "2027-01-31" }"#, false),
      (#"{ "contract": "/a/b", "type": "status", "reason": "r", "until": "2027-01-31" }"#, false),
      (#"{ "contract": "a//b", "type": "status", "reason": "r", "until": "2027-01-31" }"#, false),
      (#"{ "contract": "a/", "type": "status", "reason": "r", "until": "2027-01-31" }"#, false),
      (#"{ "contract": "a/b/c", "type": "status", "reason": "r", "until": "2027-01-31" }"#, false),
      (#"{ "contract": "a/b", "type": "crash", "reason": "r", "until": "2027-01-31" }"#, false),
      (#"{ "contract": "a/b", "type": "status", "reason": "", "until": "2027-01-31" }"#, false),
      (#"{ "contract": "a/b", "type": "status", "reason": "r", "until": "soon" }"#, false),
      (#"{ "contract": "a/b", "type": "status", "reason": "r" }"#, false),
      (
        #"{ "contract": "a/b", "type": "status", "path": "a", "reason": "r", "#
          + #""until": "2027-01-31" }"#, false
      ),
      (
        #"{ "contract": "a/b", "type": "status", "reason": "r", "until": "2027-01-31", "x": 1 }"#,
        false
      ),
      ("7", false),
    ])
  func agrees(entry: String, isAccepted: Bool) throws {
    let schema = try Schema(compiling: Self.document().root)
    #expect(try schema.accepts(JSONDocument(parsing: "[\(entry)]").root) == isAccepted)
    let read = try? AcceptedDrift(parsing: Array("[\(entry)]".utf8), file: "accepted.json")
    #expect((read != nil) == isAccepted)
  }
}
