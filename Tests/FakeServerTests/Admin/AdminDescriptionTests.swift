import Foundation
import Testing
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySchema

@testable import UnderstudyFakeServer

/// Holds the API's description against its routes and against what it really responses.
@Suite struct AdminDescriptionTests {
  private static let methods = ["get", "put", "post", "delete"]

  private static func document() throws -> JSONValue {
    try JSONDocument(parsing: AdminDescription.text).root
  }

  @Test("it describes the routes there are, and no others")
  func routes() throws {
    let paths = try #require(try Self.document()["paths"])
    var described: Set<String> = []
    for path in paths.members {
      for member in path.value.members where Self.methods.contains(member.key) {
        let id = member.value["operationId"]?.string ?? ""
        described.insert("\(id) \(member.key.uppercased()) \(path.key)")
      }
    }
    let routes = AdminOperation.allCases.map { "\($0) \($0.route.method) \($0.route.path)" }
    #expect(described == Set(routes))
  }

  @Test("its journal parameters are those that are read")
  func parameters() throws {
    let document = try Self.document()
    let described = document["components"]?["parameters"]?.members.filter {
      $0.value["in"]?.string == "query"
    }
    #expect(described?.map(\.key) == JournalOptions.parameters)
    for path in ["/journal/count", "/journal/unmatched"] {
      #expect(document["paths"]?[path]?["parameters"]?.count == JournalOptions.filters.count)
    }
    let journal = document["paths"]?["/journal"]?["get"]
    #expect(journal?["parameters"]?.count == JournalOptions.parameters.count)
  }

  @Test("every reference resolves and every schema compiles")
  func references() throws {
    let document = try Self.document()
    var pending = [document]
    var count = 0
    while let value = pending.popLast() {
      pending += value.members.map(\.value) + Array(value.elements)
      guard let reference = value["$ref"]?.string else { continue }
      count += 1
      let pointer = try #require(JSONPointer(parsing: String(reference.dropFirst())))
      #expect(document.value(at: pointer) != nil, "\(reference)")
    }
    #expect(count > 40)
  }

  /// The schema of an operation's response, able to follow references into the document.
  private static func schema(_ operation: AdminOperation, _ status: Int) throws -> Schema? {
    let document = try document()
    let method = operation.route.method.lowercased()
    let responses = try #require(
      document["paths"]?[operation.route.path]?[method]?["responses"])
    let range = "\(status / 100)XX"
    var response = try #require(responses["\(status)"] ?? responses[range])
    if let reference = response["$ref"]?.string.flatMap({
      JSONPointer(parsing: String($0.dropFirst()))
    }) {
      response = try #require(document.value(at: reference))
    }
    guard let content = response["content"]?.members.first(where: { _ in true })?.value else {
      return nil
    }
    return try compiled(try #require(content["schema"]))
  }

  private static func compiled(_ schema: JSONValue) throws -> Schema {
    let document = try document()
    let schema = String(decoding: schema.compact, as: UTF8.self)
    let components = String(
      decoding: try #require(document["components"]).compact, as: UTF8.self)
    // The document's own references begin at its root: the schema is put beside its components.
    let text = #"{"components":\#(components),"allOf":[\#(schema)]}"#
    return try Schema(compiling: try JSONDocument(parsing: text).root)
  }

  static func expect(_ data: JSONValue, isEvent name: String) throws {
    let events = try document()["components"]?["schemas"]?["Events"]?["properties"]
    let schema = try compiled(try #require(events?[name]))
    #expect(schema.complaints(about: data).map(\.description) == [], "\(name)")
  }

  @Test(
    "every response is as described",
    // Events go on and on: their own tests hold them against the description.
    arguments: AdminOperation.allCases.filter { $0 != .listenToEvents })
  func responses(operation: AdminOperation) async throws {
    try await SmallServer.with {
      $0.shutdownRequested = {}
      $0.relay = operation == .recordRequest ? RelayTests.relay(takesAll: false) : nil
      $0.saving = SavedFiles()
      $0.recording = RecordedFiles()
    } _: { (server) async throws in
      let client = try server.client()
      _ = try client.exchange("POST /~w/shop/items?x=1", body: "\u{1F600}")
      _ = try client.exchange("GET /shop/nothing", ["Prefer: code=200"])
      _ = try client.exchange("POST /shop/items")
      client.send("POST /shop/items HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n\u{7F}")
      _ = try client.response()
      let hold = server.hold("shop/items")
      let waiting = try server.client()
      waiting.ask("GET /shop/items")
      let held = try #require(await hold.next())
      let path = operation.route.path.replacing("{upstream}", with: "shop")
        .replacing("{contract}", with: "items").replacing("{scenario}", with: "restock")
        .replacing("{session}", with: "w").replacing("{id}", with: "\(held.id)")
        .replacing("{sequence}", with: "\(held.id)")
      let contract = SmallServer.files["shop/items.json"]
      if [.deleteContract, .saveContract].contains(operation) {
        _ = try server.admin("PUT", "/contracts/shop/items", body: contract)
      }
      if operation == .stopRecording { _ = try server.admin("POST", "/recording/start") }
      let body: String? =
        switch operation {
        case .putContract: contract
        case .checkContract: "{}"
        case .chooseCase: #"{"case":"gone"}"#
        case .startScript: #"{"script":"fails-once"}"#
        case .releaseHeld: #"{"case":"ok"}"#
        case .setState: #"{"state":{"shop":{"a":"b"}}}"#
        case .setMode, .setUpstreamMode, .setContractMode: #"{"mode":"off"}"#
        case .countJournal: #"{"method":"POST","path":"/shop/items"}"#
        default: nil
        }
      let response = try server.admin(operation.route.method, path, body: body)
      #expect(200..<300 ~= response.status)
      guard let schema = try Self.schema(operation, response.status) else {
        #expect(response.body.isEmpty)
        return
      }
      #expect(schema.complaints(about: try response.json()).map(\.description) == [])
      // And so is a refusal.
      let refusal = try server.admin(
        operation.route.method, path, ["Origin: http://evil.example"], body: body)
      #expect(refusal.status == 403)
      let problem = try #require(try Self.schema(operation, 403))
      #expect(problem.complaints(about: try refusal.json()).map(\.description) == [])
    }
  }

  @Test("it is served, also at the prefix alone", arguments: ["/openapi.json", "", "/"])
  func served(path: String) async throws {
    try await SmallServer.with { (server) async throws in
      let response = try server.admin("GET", path)
      #expect(response.values(of: "Content-Type") == ["application/json"])
      #expect(try response.json()["openapi"]?.string == "3.1.0")
    }
  }
}
