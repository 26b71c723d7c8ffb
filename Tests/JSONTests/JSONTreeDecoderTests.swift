import Foundation
import JSON
import Testing

@Suite struct JSONTreeDecoderTests {
  struct Item: Decodable, Equatable {
    var name: String; var size: Int; var note: String?; var tags: [String]
  }
  @Test("smoke") func smoke() throws {
    let document = try JSONDocument(
      parsing:
        #"{"items":[{"name":"a","size":1,"tags":["x"],"at":"http://a.b"},{"name":"b","size":2,"note":null,"tags":[]}],"n":{"1":2}}"#
    )
    struct Root: Decodable { var items: [Item]; var n: [Int: Double] }
    let paths = ReadPaths()
    let root = try JSONTreeDecoder(recorder: paths).decode(Root.self, from: document.root)
    #expect(root.items.count == 2)
    #expect(root.n == [1: 2])
    for path in paths.paths { print(path, path.finding, path.use) }
  }
  @Test(
    "errors",
    arguments: [
      #"{"name":1}"#, #"{"nme":"x"}"#, #"{"name":"a","size":1.5}"#,
      #"{"name":"a","size":1,"tags":[1]}"#, #"{"name":"a","size":1,"tags":[],"at":1}"#,
      #"{"name":"a","size":1,"tags":[],"at":""}"#, #"{"name":null}"#, "[]",
    ])
  func errors(text: String) throws {
    let document = try JSONDocument(parsing: "\n" + text)
    do { _ = try JSONTreeDecoder().decode(Item.self, from: document.root); print("OK") } catch {
      print(error)
    }
  }
}
