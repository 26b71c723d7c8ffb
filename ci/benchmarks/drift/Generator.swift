import Foundation
import UnderstudyContractModel
import UnderstudyJSON

/// Writes bodies of 5 MB like those of list APIs: the repositories of a shipped contract, which are
/// mostly URLs, and things with small values, with a contract that allows them.
struct Generator {
  let folder: URL
  private static let bodyBytesMin = 5_000_000

  func write() throws {
    let shipped = try ContractLibrary.load(["Contracts/github/org-repos.json"])
    guard case .json(let example)? = shipped.contracts.first?.defaultCase?.response?.body else {
      exit(1)
    }
    let repositories = example.elements.map { String(decoding: $0.compact, as: UTF8.self) }
    try write(Self.list { repositories[$0 % repositories.count] }, to: "repositories.json")
    try write(Self.list(of: Self.thing), to: "things.json")
    try write(#"{ "baseURL": "https://api.example.com" }"#, to: "api/upstream.json")
    try write(Self.contract, to: "api/things.json")
  }

  private static func list(of element: (Int) -> String) -> String {
    var text = "["
    var number = 0
    while text.utf8.count < bodyBytesMin {
      text += (number == 0 ? "" : ",") + element(number)
      number += 1
    }
    return text + "]"
  }

  private func write(_ text: String, to name: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// One in three has no homepage, one in five no licence.
  private static func thing(_ number: Int) -> String {
    let minute = String(format: "%02d", number % 60)
    let licence =
      number % 5 == 0
      ? "null" : #"{"key":"mit","name":"MIT License","url":"https://api.example.com/licenses/mit"}"#
    let homepage = number % 3 == 0 ? "null" : #""https://example.org/\#(number)""#
    let tags = (0..<number % 4).map { "\"tag-\($0)\"" }.joined(separator: ",")
    return
      #"{"id":\#(number),"name":"thing-\#(number)","full_name":"owner-\#(number % 7)/thing-\#(number)","#
      + #""private":\#(number % 2 == 0),"owner":{"login":"owner-\#(number % 7)","id":\#(number % 7),"#
      + #""url":"https://api.example.com/users/owner-\#(number % 7)","type":"User"},"#
      + #""html_url":"https://example.com/owner-\#(number % 7)/thing-\#(number)","#
      + #""description":"What thing \#(number) is for, in a line or so","homepage":\#(homepage),"#
      + #""visibility":"public","language":"Swift","stars":\#(number % 1000),"#
      + #""score":\#(number % 100).25,"license":\#(licence),"topics":[\#(tags)],"#
      + #""created_at":"2024-01-31T12:\#(minute):00Z","updated_at":"2024-02-01T12:\#(minute):00Z"}"#
  }

  private static var contract: String {
    """
    {
      "request": { "method": "GET", "path": "/things" },
      "cases": {
        "ok": {
          "status": 200,
          "body": [\(thing(3)), \(thing(10))],
          "schema": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["id", "name", "full_name", "private", "owner", "stars", "created_at"],
              "properties": {
                "id": { "type": "integer" },
                "name": { "type": "string", "minLength": 1 },
                "full_name": { "type": "string" },
                "private": { "type": "boolean" },
                "owner": { "$ref": "#/$defs/owner" },
                "html_url": { "type": "string", "format": "uri" },
                "description": { "type": ["string", "null"] },
                "homepage": { "type": ["string", "null"], "format": "uri" },
                "visibility": { "enum": ["public", "private", "internal"] },
                "language": { "type": ["string", "null"] },
                "stars": { "type": "integer", "minimum": 0 },
                "score": { "type": "number" },
                "license": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/license" }] },
                "topics": { "type": "array", "items": { "type": "string" } },
                "created_at": { "type": "string", "format": "date-time" },
                "updated_at": { "type": "string", "format": "date-time" }
              }
            },
            "$defs": {
              "owner": {
                "type": "object",
                "required": ["login", "id"],
                "properties": {
                  "login": { "type": "string" }, "id": { "type": "integer" },
                  "url": { "type": "string", "format": "uri" }, "type": { "type": "string" }
                }
              },
              "license": {
                "type": "object",
                "required": ["key", "name"],
                "properties": {
                  "key": { "type": "string" }, "name": { "type": "string" },
                  "url": { "type": ["string", "null"], "format": "uri" }
                }
              }
            }
          },
          "live": {}
        }
      }
    }
    """
  }
}
