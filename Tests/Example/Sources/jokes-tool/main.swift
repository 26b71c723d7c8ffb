import Foundation
import UnderstudyClient
import UnderstudyConsumers
import UnderstudyTool

struct Joke: Codable {
  let setup: String
  let punchline: String
}

Understudy.main(consumers: [
  ServiceConsumer("jokes.random") { call in
    let url = try call.baseURL(of: "jokes") + "/random_joke"
    let response: ClientResponse
    do {
      response = try await call.transport.send(ClientRequest(url: url))
    } catch let error as TransportError {
      throw ConsumerError("connectivity", transport: error)
    }
    guard response.status == 200 else {
      throw ConsumerError("unexpectedStatus", payload: "\(response.status)")
    }
    guard let joke = try? call.decode(Joke.self, from: response) else {
      throw ConsumerError("invalidData")
    }
    return try Array(JSONEncoder().encode(joke))
  }
])
