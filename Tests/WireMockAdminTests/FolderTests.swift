import Foundation
import Synchronization
import Testing
import UnderstudyCore
import UnderstudyInterchange
import UnderstudyJSON

@testable import UnderstudyWireMockAdmin

/// Stubs and bodies of a folder.
@Suite struct FolderTests {
  private static let onDisk = #"""
    { "id": "00000000-0000-4000-8000-000000000001", "request": { "url": "/disk" },
      "response": { "bodyFileName": "a/b.txt" } }
    """#

  private static func withFolder(
    isServed: Bool = true, _ test: (AdminStage, URL) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "stubs-\(UUID().uuidString)")
    let files = folder.appendingPathComponent("__files/a")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("from disk".utf8).write(to: files.appendingPathComponent("b.txt"))
    let options = try WireMockAPI.Options(
      folder: isServed ? folder.path : nil, onDisk,
      #"{ "response": { "proxyBaseUrl": "http://x" } }"#)
    try await AdminStage.with(options) { stage in try await test(stage, folder) }
  }

  @Test("a reset brings back the stubs of the folder", arguments: ["/__admin", "/__understudy"])
  func reset(prefix: String) async throws {
    try await Self.withFolder { (stage, _) async throws in
      #expect(try await stage.get("/disk") == "200 from disk")
      try await stage.admin("POST /mappings", #"{ "request": { "url": "/new" } }"#)
      try await stage.admin("DELETE /mappings/00000000-0000-4000-8000-000000000001")
      #expect(try await stage.get("/disk") == "404")
      #expect([200, 204].contains(try await stage.ask("POST \(prefix)/reset").status))
      #expect(try await stage.get("/disk") == "200 from disk")
      #expect(try await stage.get("/new") == "404")
      #expect(try await stage.admin("GET /mappings").json["meta"]?["total"]?.int == 1)
    }
  }

  @Test("stubs are written to the folder where that is allowed, and nowhere else")
  func save() async throws {
    try await Self.withFolder { (stage, folder) async throws in
      let stub = #"{ "name": "../../Up there", "request": { "url": "/new" }, "persistent": true }"#
      #expect(try await stage.admin("POST /mappings", stub).status == 201)
      let mappings = folder.appendingPathComponent("mappings").path
      func written() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: mappings)
      }
      let names = try written()
      #expect(names.count == 1)
      #expect(names.first?.hasPrefix("up-there-") == true)
      // Saving writes again what another program has removed.
      try FileManager.default.removeItem(atPath: "\(mappings)/\(names.first ?? "")")
      #expect(try await stage.admin("POST /mappings/save").status == 200)
      #expect(try written().count == 1)
      let listed = try #require(try await stage.admin("GET /mappings").json["mappings"])
      #expect(listed.elements.count { $0["persistent"]?.bool == true } == 1)
      #expect(try await stage.admin("DELETE /mappings").status == 200)
      #expect(try written().isEmpty)
    }
    try await Self.withFolder(isServed: false) { (stage, folder) async throws in
      #expect(try await stage.admin("POST /mappings/save").status == 422)
      #expect(try await stage.admin("PUT /files/x.txt", "mine").status == 200)
      #expect(try await stage.ask("GET /__admin/files/x.txt").text == "mine")
      let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      #expect(Set(kept) == ["__files", "__files/a", "__files/a/b.txt"])
    }
  }

  @Test("stubs that were saved stay, and removed ones go, while the folder is read again and again")
  func reloads() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "stubs-\(UUID().uuidString)")
    let mappings = folder.appendingPathComponent("mappings")
    try FileManager.default.createDirectory(at: mappings, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = WireMockAPI.Options()
    options.folder = folder.path
    options.read = { () throws(Failure) in
      let root = FileRoot(mappings.path)
      var documents: [ForeignDocument] = []
      for name in try root.names(in: mappings.path) {
        let file = "\(mappings.path)/\(name)"
        guard let bytes = try? root.read(file) else { continue }
        documents.append(try ForeignDocument(reading: bytes, file: file))
      }
      return documents
    }
    try await AdminStage.with(options) { stage in
      let (api, server) = (stage.api, stage.server)
      let isOver = Atomic(false)
      let reloading = Task.detached {
        while !isOver.load(ordering: .relaxed) {
          try? api.reload(server)
          await Task.yield()
        }
      }
      var wrong: [String] = []
      for number in 0..<60 {
        let stub = #"{ "request": { "url": "/\#(number)" }, "persistent": true }"#
        let made = try await stage.admin("POST /mappings", stub)
        let id = made.json["id"]?.string ?? ""
        if try await stage.get("/\(number)") == "404" { wrong.append("/\(number) is gone") }
        guard number % 2 == 0 else { continue }
        try await stage.admin("DELETE /mappings/\(id)")
        if try await stage.get("/\(number)") != "404" { wrong.append("/\(number) is back") }
      }
      isOver.store(true, ordering: .relaxed)
      await reloading.value
      #expect(wrong == [])
    }
  }

  @Test("a reset says why the folder cannot be read, and leaves the stubs as they are")
  func unreadable() async throws {
    var options = WireMockAPI.Options()
    let isBroken = Atomic(false)
    options.read = { () throws(Failure) in
      if isBroken.load(ordering: .relaxed) { throw Failure(message: "no such folder") }
      return []
    }
    try await AdminStage.with(options) { stage in
      try await stage.admin("POST /mappings", #"{ "request": { "url": "/new" } }"#)
      isBroken.store(true, ordering: .relaxed)
      for path in ["/reset", "/mappings/reset"] {
        let response = try await stage.admin("POST \(path)")
        #expect(response.status == 500, "\(path)")
        #expect(response.json["errors"]?[0]?["code"]?.int == 50, "\(path)")
        #expect(response.json["errors"]?[0]?["title"]?.string == "no such folder", "\(path)")
        #expect(try await stage.get("/new").hasPrefix("200"), "\(path)")
      }
    }
  }

  @Test("files are listed, replaced and deleted, and stubs respond with them")
  func files() async throws {
    try await Self.withFolder { (stage, folder) async throws in
      #expect(try await stage.admin("GET /files").json[0]?.string == "a/b.txt")
      #expect(try await stage.admin("PUT /files/a/b.txt", "new").status == 200)
      #expect(try await stage.get("/disk") == "200 new")
      let file = folder.appendingPathComponent("__files/a/b.txt")
      #expect(try String(contentsOf: file, encoding: .utf8) == "new")
      #expect(try await stage.admin("DELETE /files/a/b.txt").status == 200)
      #expect(try await stage.admin("DELETE /files/a/b.txt").status == 404)
      #expect(try await stage.admin("GET /files").json.count == 0)
      let refusal = try await stage.admin("PUT /files/c%00.txt", "x")
      #expect(refusal.status == 422)
      #expect(
        refusal.json["errors"]?[0]?["detail"]?.string
          == "found a NUL in the name of a file, expected none")
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).count == 2)
      for path in ["/files/../x", "/files/%2e%2e/x", "/files/a//b", "/files/a%2F..%2F..%2Fx"] {
        #expect(try await stage.admin("PUT \(path)", "x").status == 404, "\(path)")
      }
    }
  }

  @Test("a stub of the folder is served without what does not count, and that is told")
  func losses() async throws {
    let options = try WireMockAPI.Options(
      #"""
      { "request": { "url": "/a", "url": "/b" },
        "response": { "body": "b", "jsonBody": 1, "headers": { "X": "1", "X": "2" } } }
      """#, #"{ "request": { "url": "/c", "querryParameters": {} } }"#)
    #expect(
      try WireMockAPI(options).refusals == [
        #"mappings/0.json:1:16: left out, because "url" is given twice, and the last one counts"#,
        #"mappings/0.json:2:58: left out, because "X" is given twice, and the last one counts"#,
        #"mappings/0.json:2:30: left out, because "jsonBody" is beside "body", which counts"#,
        #"mappings/1.json:1:29: left out, because "querryParameters" is not a key here; "queryParameters" is"#,
      ])
    try await AdminStage.with(options) { (stage) async throws in
      #expect(try await stage.get("/b") == "200 b")
      #expect(try await stage.get("/c") == "404")
      #expect(try await stage.ask("GET /b").values(of: "X") == ["2"])
    }
  }

  @Test("what cannot be served is told when the server begins")
  func refusals() throws {
    let options = try WireMockAPI.Options(
      Self.onDisk, #"{ "response": { "proxyBaseUrl": "http://x" } }"#)
    let refusals = try WireMockAPI(options).refusals
    #expect(refusals.count == 2)
    #expect(refusals[1].hasPrefix("mappings/1.json:1:1: left out, because "))
  }
}
