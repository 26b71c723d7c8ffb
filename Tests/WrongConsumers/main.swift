import UnderstudyClient
import UnderstudyConsumers
import UnderstudyJSON
import UnderstudyTool

/// What a consumer does wrong when part of its response is not as it should be.
enum Fault: String, CaseIterable, Sendable {
  case none, crash, hang, undeclared, silence, wild
}

/// An error that no `consumers.json` has a name for.
struct NoSetup: Error {}

/// Gives a joke's number and setup, or what its fault makes of them.
func joke(_ call: ConsumerCall, _ fault: Fault) async throws -> [UInt8] {
  let response = try await call.transport.send(
    ClientRequest(url: call.baseURL(of: "joke") + "/random"))
  guard let root = try? JSONDocument(parsing: response.body).root else {
    throw ConsumerError("invalidData")
  }
  if fault == .crash, root.kind == .object, root["id"] == nil { fatalError("a joke has no id") }
  if fault == .undeclared, root.kind == .object, root["setup"] == nil { throw NoSetup() }
  let text = root["setup"]?.string
  if fault == .wild, let text { Misbehaviour(rawValue: text.isEmpty ? "spin" : text)?.act() }
  while fault == .hang, text == "" { try await Task.sleep(for: .seconds(60)) }
  let setup = fault == .silence && root["setup"]?.isNull == true ? "" : text
  guard let setup, setup.utf8.count <= 1_000, let id = root["id"]?.int, id > 0,
    !setup.isEmpty || fault == .silence
  else { throw ConsumerError("invalidData") }
  var writer = JSONWriter()
  writer.object { writer in
    writer.key("id")
    writer.int(id)
    writer.key("setup")
    writer.string(setup)
  }
  return writer.bytes
}

Understudy.main(
  consumers: Fault.allCases.map { fault in
    ServiceConsumer("jokes.\(fault)") { call in try await joke(call, fault) }
  })
