import Testing
import UnderstudyContractModel
import UnderstudyDrafting
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyHTTP
import UnderstudyJSON
import UnderstudySystem
import UnderstudyTestSupport

@testable import UnderstudyInterchange

/// The property of an import: the fake responds to each imported request as the file says.
@Suite struct HARServingTests {
  private struct Call {
    let method: String
    let path: String
    let sent: String
    let status: Int
    let response: String
  }

  @Test("the same request gets the same status and JSON", arguments: 0..<6)
  func property(seed: UInt64) async throws {
    var dice = Dice(seed: seed)
    var calls: [Call] = []
    for _ in 0..<40 {
      let method = dice.pick(["GET", "GET", "POST", "PUT", "DELETE"])
      let id = Int.random(in: 1...9, using: &dice)
      let path = dice.pick(["/users/\(id)", "/users", "/users?page=\(id)", "/a/b-\(id % 3)"])
      let sent = method == "POST" ? "{\"n\":\(id)}" : ""
      guard !calls.contains(where: { $0.method == method && $0.path == path && $0.sent == sent })
      else { continue }
      let status = dice.pick([200, 200, 201, 404, 422, 500])
      calls.append(
        Call(
          method: method, path: path, sent: sent, status: status,
          response: "{\"id\": \(id), \"tags\": [\"\(dice.pick(["a", "ü", "{x}"]))\", null]}"))
    }
    let document = HAR.log(
      calls.map { call in
        HAR.entry(
          call.method, "https://api.example.com\(call.path)",
          sent: call.sent.isEmpty
            ? "" : #""postData": {"mimeType": "application/json", "text": \#(call.sent.quoted)}"#,
          status: call.status, content: HAR.json(call.response))
      })
    let stage = try ImportStage()
    let plan = try stage.write(document)
    #expect(plan.notes == [])
    let server = try await FakeServer.start(try stage.library())
    let port = Int(server.address.port)
    for call in calls {
      let response = try await ask(call, port)
      #expect(response.status == call.status, "\(call.method) \(call.path)")
      let found = try JSONDocument(parsing: response.body).root.compact
      let wanted = try JSONDocument(parsing: call.response).root.compact
      #expect(found == wanted, "\(call.method) \(call.path)")
    }
    await server.close()
  }

  @Test("operations of GraphQL at one URL become contracts of their own")
  func operations() async throws {
    let calls = [("Hero", 1), ("Villain", 1), ("Hero", 2)].map { name, id in
      Call(
        method: "POST", path: "/graphql",
        sent: #"{"operationName":"\#(name)","variables":{"id":\#(id)}}"#, status: 200,
        response: #"{"data":{"\#(name)":\#(id)}}"#)
    }
    let stage = try ImportStage()
    let plan = try stage.write(
      HAR.log(
        calls.map { call in
          HAR.entry(
            "POST", "https://api.example.com\(call.path)",
            sent: #""postData": {"mimeType": "application/json", "text": \#(call.sent.quoted)}"#,
            content: HAR.json(call.response))
        }))
    #expect(plan.notes == [])
    #expect(plan.drafts.map(\.name) == ["hero", "villain"])
    let server = try await FakeServer.start(try stage.library())
    for call in calls {
      let response = try await ask(call, Int(server.address.port))
      #expect(String(decoding: response.body, as: UTF8.self) == call.response)
    }
    await server.close()
  }

  private func ask(_ call: Call, _ port: Int) async throws -> ReceivedResponse {
    let request =
      "\(call.method) /example\(call.path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
      + "Content-Length: \(call.sent.utf8.count)\r\n\r\n\(call.sent)"
    let bytes = try await offPool {
      let socket = try ClientSocket(to: "127.0.0.1", port: port, until: .now + .seconds(30))
      try socket.send(Array(request.utf8))
      return try socket.receiveAll(byteCountMax: 1 << 20)
    }
    return try #require(try ReceivedResponse.parse(bytes, isClosed: true))
  }
}
