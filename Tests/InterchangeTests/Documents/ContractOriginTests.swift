import Testing
import UnderstudyContractModel
import UnderstudyCore
import UnderstudyJSON

@testable import UnderstudyInterchange

/// What exports say of their origin: a format that documents of others have.
@Suite struct ContractOriginTests {
  private static func digest(_ texts: [String?]) throws -> String {
    ContractOrigin.digest(
      of: try texts.map { try $0.map { try JSONDocument(parsing: Array($0.utf8)).root } })
  }

  @Test(
    "a digest stays what it was when documents were exported with it",
    arguments: [
      ([], "cbf29ce484222325"), ([nil], "cbf29ce484222325"), ([nil, nil], "af63c74c8601c8dd"),
      (["null"], "5b9bc4ba528108e4"), ([#""a""#], "d4272417d7c77eea"), (["1"], "af63ac4c86019afc"),
      (["1.0"], "457d3b18182e1cd2"),
      ([#"{"b": [1, {"d": "é", "c": null}], "a": true}"#, nil, "[]"], "4a6d5b24bc1cd909"),
    ] as [([String?], String)])
  func pinned(parts: [String?], digest: String) throws {
    #expect(try Self.digest(parts) == digest)
  }

  @Test("members may come in any order, and all else makes another digest")
  func order() throws {
    let digest = try Self.digest([#"{"b": {"y": 1, "x": 2}, "a": [1, 2]}"#, "7"])
    #expect(try Self.digest([#"{"a": [1, 2], "b": {"x": 2, "y": 1}}"#, "7"]) == digest)
    let others: [[String?]] = [
      [#"{"b": {"y": 1, "x": 2}, "a": [2, 1]}"#, "7"],
      [#"{"b": {"y": 2, "x": 1}, "a": [1, 2]}"#, "7"],
      [#"{"b": {"y": 1, "x": 2}, "A": [1, 2]}"#, "7"],
      ["7", #"{"b": {"y": 1, "x": 2}, "a": [1, 2]}"#],
      [#"{"b": {"y": 1, "x": 2}, "a": [1, 2]}"#, "7", nil],
      [#"{"b": {"y": 1, "x": 2}, "a": [1, 2]}"#, nil, "7"],
    ]
    let digests = try others.map { try Self.digest($0) } + [digest]
    #expect(Set(digests).count == others.count + 1)
  }

  @Test(
    "names of contracts are short, in small letters and digits, and not that of the upstream",
    arguments: [
      ("a", true), ("0", true), ("a-", true), ("a-b-0", true), ("az09", true), ("", false),
      ("-a", false), ("upstream", false), ("upstreams", true), ("A", false), ("a b", false),
      ("a.b", false), ("a/b", false), ("a_b", false), ("é", false), ("`", false), ("{", false),
      (String(repeating: "n", count: 200), true), (String(repeating: "n", count: 201), false),
    ])
  func names(name: String, isName: Bool) {
    #expect(ContractOrigin.isName(name) == isName)
  }

  @Test(
    "bodies are in the upstream's folder, where each JSON is a contract",
    arguments: [
      ("a.txt", true), ("a/b.txt", true), ("a/b.json", true), ("a.json", false), ("a.jsonx", true),
      ("", false), ("/a", false), ("a/", false), ("a//b", false), ("..", false), ("a/../b", false),
      ("%2e%2e/b", false), (".a", true), ("...", true),
    ])
  func bodies(path: String, isBody: Bool) {
    #expect(ContractOrigin.isBodyFile(path) == isBody)
  }

  private static let library = ContractLibrary(reading: [
    "api/upstream.json": #"{ "baseURL": "https://api.example.com/v1", "owner": "us" }"#,
    "api/a.json": #"""
    { "request": { "method": "GET", "path": "/a" },
      "cases": { "ok": { "status": 200 }, "no": { "status": 404 } } }
    """#,
  ])

  @Test("stubs have the contract and its upstream with them")
  func stubs() throws {
    let export = WireMockExport(Self.library)
    #expect(export.files.map(\.path) == ["mappings/a.json"])
    let expected = #"""
      {
        "mappings": [
          {
            "request": {
              "method": "GET",
              "urlPath": "/v1/a",
              "headers": { "Prefer": { "contains": "example=ok" } }
            },
            "name": "api/a#ok",
            "priority": 1,
            "response": { "status": 200 },
            "metadata": {
              "understudy": {
                "contract": "a",
                "number": 0,
                "count": 3,
                "digest": "263c0291e566a052",
                "source": {
                  "request": { "method": "GET", "path": "/a" },
                  "cases": { "ok": { "status": 200 }, "no": { "status": 404 } }
                },
                "upstream": {
                  "name": "api",
                  "source": { "baseURL": "https://api.example.com/v1", "owner": "us" }
                }
              }
            }
          },
          {
            "request": {
              "method": "GET",
              "urlPath": "/v1/a",
              "headers": { "Prefer": { "contains": "example=no" } }
            },
            "name": "api/a#no",
            "priority": 1,
            "response": { "status": 404 },
            "metadata": {
              "understudy": { "contract": "a", "number": 1, "count": 3, "digest": "93384590e4409b99" }
            }
          },
          {
            "request": { "method": "GET", "urlPath": "/v1/a" },
            "name": "api/a#ok",
            "priority": 4,
            "response": { "status": 200 },
            "metadata": {
              "understudy": { "contract": "a", "number": 2, "count": 3, "digest": "ef89627d9036b0e" }
            }
          }
        ]
      }

      """#
    let text = String(decoding: export.files[0].bytes, as: UTF8.self)
    #expect(TextDiff.unified(expected, text) == "")
  }

  @Test("an operation has the contract with it, and the document its upstream")
  func operation() throws {
    let upstream = try #require(Self.library.upstreams.first)
    let expected = #"""
      {
        "openapi": "3.1.0",
        "info": { "title": "api", "version": "1", "contact": { "name": "us" } },
        "servers": [{ "url": "https://api.example.com/v1" }],
        "paths": {
          "/a": {
            "get": {
              "operationId": "a",
              "responses": { "200": { "description": "ok" }, "404": { "description": "no" } },
              "x-understudy": {
                "digest": "f6c92aeb174d7031",
                "contracts": [
                  {
                    "name": "a",
                    "source": {
                      "request": { "method": "GET", "path": "/a" },
                      "cases": { "ok": { "status": 200 }, "no": { "status": 404 } }
                    }
                  }
                ]
              }
            }
          }
        },
        "x-understudy": {
          "digest": "14dd45956bfdbd9c",
          "upstream": {
            "name": "api",
            "source": { "baseURL": "https://api.example.com/v1", "owner": "us" }
          }
        }
      }
      """#
    let text = try #require(OpenAPIExport(upstream).json.root).laidOut()
    #expect(TextDiff.unified(expected, text) == "")
  }
}
