// The tool with one service, for the contracts that `measure` writes. `ci/bench suite` runs it.
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyTool

Understudy.main(consumers: [
  ServiceConsumer("things.get") { call in
    let response: ClientResponse
    do {
      let url = try call.baseURL(of: "api") + "/things/\(call.int("id"))"
      response = try await call.transport.send(ClientRequest(url: url))
    } catch let error as TransportError {
      throw ConsumerError("connectivity", transport: error)
    }
    guard response.status == 200 else {
      throw ConsumerError("unexpectedStatus", payload: "\(response.status)")
    }
    return response.body
  }
])
