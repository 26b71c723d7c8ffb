import Testing
import UnderstudyCore
import UnderstudyJSON
import UnderstudyYAML

@Suite struct PlaceTests {
  private static let yaml = """
    # comment
    info:
      title: "Größe"   # comment
      ключ: значение
    list:
    - a
    -   name: &x
          deep: [1,
            2]
    -
    again: *x
    empty:
    text: |
      line
    """

  @Test(
    "values and keys have their places in the YAML",
    arguments: [
      ("", "2:1"), ("/info", "3:3"), ("/info/title", "3:10"), ("/info/ключ", "4:9"),
      ("/list", "6:1"), ("/list/0", "6:3"), ("/list/1", "7:5"), ("/list/1/name", "8:7"),
      ("/list/1/name/deep", "8:13"), ("/list/1/name/deep/1", "9:9"), ("/list/2", "10:2"),
      ("/again", "11:8"), ("/again/deep/0", "8:14"), ("/empty", "12:7"), ("/text", "13:7"),
    ])
  func values(pointer: String, place: String) throws {
    for text in [Self.yaml, Self.yaml.replacing("\n", with: "\r\n"), "\u{FEFF}" + Self.yaml] {
      let document = try JSONDocument(yaml: Array(text.utf8))
      let value = try #require(
        JSONPointer(parsing: pointer).flatMap { document.root.value(at: $0) })
      #expect(value.position.description == place)
    }
  }

  @Test("keys have places of their own")
  func keys() throws {
    let document = try JSONDocument(
      yaml: Array("a: 1\n'b': {c: 2}\n? d\n: 3\ne: [f: 1, 'g': 2, ? h]".utf8))
    let members = Array(document.root.members)
    #expect(members.map(\.keyPosition.description) == ["1:1", "2:1", "3:3", "5:1"])
    #expect(members[1].value.members.map(\.keyPosition.description) == ["2:7"])
    #expect(members[3].value.elements.map(\.position.description) == ["5:5", "5:11", "5:19"])
  }

  @Test("failures name the file, the place and the fix")
  func file() throws {
    let failure = try #require(throws: Failure.self) {
      _ = try JSONDocument(yaml: Array("a:\n\tb: c".utf8), file: "api.yaml", fix: nil)
    }
    #expect(
      failure.description == """
        api.yaml:2:1: found a tab, expected spaces for indentation
          fix: replace the tab by spaces
        """)
    #expect(try JSONDocument(yaml: Array("a: b".utf8), file: "api.yaml", fix: nil).root.count == 1)
  }

  @Test("documents of a stream have places in the stream")
  func stream() throws {
    let documents = try YAMLStream.documents(of: Array("a: 1\n---\nb: 2\n--- [3]\n...\n---\n".utf8))
    #expect(
      documents.map { String(decoding: $0.root.compact, as: UTF8.self) } == [
        #"{"a":1}"#, #"{"b":2}"#, "[3]", "null",
      ])
    #expect(documents.map(\.root.position.description) == ["1:1", "3:1", "4:5", "6:4"])
  }
}
