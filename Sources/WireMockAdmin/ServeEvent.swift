import UnderstudyContractModel
import UnderstudyCore
import UnderstudyFakeServer
import UnderstudyInterchange
import UnderstudyJSON

/// A request and what it was served, as WireMock's clients read it.
struct ServeEvent {
  let entry: JournalEntry
  let request: LoggedRequest
  /// The stub that responded; `nil` where none did.
  let stub: JSONText?

  var json: JSONText {
    let (id, none) = (StubID.request(entry.sequence), StubID.noStub(entry.sequence))
    let value = stub?.root
    let missing: JSONText = [
      "status": .int(entry.status ?? 404), "fromConfiguredStub": false,
    ]
    let shown: JSONText =
      stub
      ?? [
        "id": .string(none), "request": ["method": "ANY"], "response": missing,
        "uuid": .string(none),
      ]
    return [
      "id": .string(id), "request": request.json,
      "responseDefinition": value?["response"].map { .value($0) } ?? missing,
      "response": response(value), "wasMatched": .bool(!entry.isUnmatched), "timing": timing,
      "stubMapping": shown,
    ]
  }

  /// The response as the stub has it, since the request log keeps no responses.
  private func response(_ stub: JSONValue?) -> JSONText {
    let definition = stub?["response"] ?? .null
    let body = Self.body(of: definition)
    var headers = (definition["headers"] ?? .null).members.map {
      ($0.key, JSONText.value($0.value) as JSONText?)
    }
    if let id = stub?["id"]?.string { headers.append(("Matched-Stub-Id", .string(id))) }
    if let name = stub?["name"]?.string { headers.append(("Matched-Stub-Name", .string(name))) }
    return [
      "status": .int(entry.status ?? definition["status"]?.int ?? 404),
      "headers": headers.isEmpty ? nil : .object(headers),
      "bodyAsBase64": .string(Base64.encode(body)),
      "body": .string(String(decoding: body, as: UTF8.self)),
      "fault": definition["fault"].map { .value($0) },
    ]
  }

  private static func body(of response: JSONValue) -> [UInt8] {
    if let text = response["body"]?.string { return Array(text.utf8) }
    if let json = response["jsonBody"] { return json.compact }
    return response["base64Body"]?.string.flatMap(Base64.decode) ?? []
  }

  private var timing: JSONText {
    let given = Self.milliseconds(entry.delayActual)
    return [
      "addedDelay": .int(Self.milliseconds(entry.delayConfigured)), "processTime": 0,
      "responseSendTime": 0, "serveTime": .int(given), "totalTime": .int(given),
    ]
  }

  private static func milliseconds(_ time: Duration) -> Int {
    Int(clamping: time / .milliseconds(1))
  }
}
