import Testing
import UnderstudyJSON

@Suite struct ReadPathsTests {
  struct Root: Decodable {
    struct Item: Decodable {
      var name: String
      var size: Int?
      var note: String?
      var tags: [String]
    }
    var items: [Item]
    var counts: [String: Int]
  }

  private func read<T: Decodable>(_ type: T.Type, _ texts: String...) throws -> ReadPaths {
    let paths = ReadPaths()
    for text in texts {
      _ = try? JSONTreeDecoder(recorder: paths).decode(type, from: json(text))
    }
    return paths
  }

  private func text(_ path: ReadPaths.Path) -> String {
    let findings: [(ReadPaths.Finding, String)] = [
      (.present, "present"), (.absent, "absent"), (.null, "null"),
    ]
    let uses: [(ReadPaths.Use, String)] = [
      (.tested, "tested"), (.taken, "taken"), (.opened, "opened"), (.listed, "listed"),
      (.iterated, "iterated"),
    ]
    let words =
      findings.filter { path.finding.contains($0.0) }.map(\.1)
      + uses.filter { path.use.contains($0.0) }.map(\.1)
    return "\(path) \(words.joined(separator: " "))"
  }

  private static let document = #"""
    {"items": [{"name": "a", "size": 1, "tags": ["x"], "unread": 0},
               {"name": "b", "note": null, "tags": []}],
     "counts": {"k": 1}, "unread": [1]}
    """#

  @Test("records every path read, what was found there and how it was used")
  func paths() throws {
    let paths = try read(Root.self, Self.document)
    #expect(
      paths.paths.map(text) == [
        " present opened", "/counts present opened listed", "/counts/k present taken",
        "/items present opened iterated", "/items/* present opened", "/items/*/name present taken",
        "/items/*/note absent null taken", "/items/*/size present absent taken",
        "/items/*/tags present opened iterated", "/items/*/tags/* present taken",
      ])
  }

  @Test("adds up what several documents show")
  func union() throws {
    let paths = try read(
      Root.self, #"{"items": [], "counts": {}}"#, #"{"items": [{"name": null}]}"#, "{}")
    #expect(
      paths.paths.map(text) == [
        " present opened", "/counts present opened listed", "/items present absent opened iterated",
        "/items/* present opened", "/items/*/name null taken",
      ])
  }

  @Test("a test for presence or null counts as no more than that")
  func tested() throws {
    struct Prober: Decodable {
      enum CodingKeys: String, CodingKey { case a, b, c }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        _ = container.contains(.a)
        _ = container.contains(.b)
        _ = try container.decodeNil(forKey: .c)
      }
    }
    let paths = try read(Prober.self, #"{"a": 1, "c": null}"#)
    #expect(
      paths.paths.map(text) == [
        " present opened", "/a present tested", "/b absent tested", "/c null tested",
      ])
  }

  @Test(
    "knows whether a change at a place could be noticed",
    arguments: [
      ("", true), ("/items", true), ("/items/7/name", true), ("/items/0/note", true),
      ("/items/0/unread", false), ("/unread", false), ("/unread/0", false), ("/counts/new", true),
      ("/counts/new/deep", true), ("/items/x", false), ("/items/0/name/deeper", false),
    ])
  func isRead(text: String, isRead: Bool) throws {
    let paths = try read(Root.self, Self.document)
    let pointer = try #require(JSONPointer(parsing: text))
    #expect(paths.isRead(pointer) == isRead)
  }

  @Test(
    "knows that new entries of what was read empty would be read",
    arguments: [
      ("/items/0", true), ("/items/0/name", true), ("/items/x", false), ("/items/-", false),
      ("/counts/new", true), ("/other", false),
    ])
  func readEmpty(text: String, isRead: Bool) throws {
    let paths = try read(Root.self, #"{"items": [], "counts": {}}"#)
    #expect(try paths.isRead(#require(JSONPointer(parsing: text))) == isRead)
  }

  @Test("finds how one value was read")
  func lookup() throws {
    let paths = try read(Root.self, Self.document)
    #expect(paths[["items", "5", "size"]]?.use == .taken)
    #expect(paths[["items", "5", "size"]]?.finding == [.present, .absent])
    #expect(paths[["items", "5", "unread"]] == nil)
  }

  @Test("a star in a key is not an element")
  func star() throws {
    let paths = try read([String: [Int]].self, #"{"*": [1]}"#)
    #expect(paths.paths.map(\.steps) == [[], [.key("*")], [.key("*"), .element]])
  }

  @Test("decoders in parallel record into one")
  func parallel() async throws {
    let paths = ReadPaths()
    let root = try json(Self.document)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          _ = try? JSONTreeDecoder(recorder: paths).decode(Root.self, from: root)
        }
      }
    }
    #expect(paths.paths.count == 10)
  }
}
