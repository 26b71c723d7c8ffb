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
    let answer: ClientResponse
    do {
      answer = try await call.transport.send(ClientRequest(url: url))
    } catch let error as TransportError {
      throw ConsumerError("connectivity", transport: error)
    }
    guard answer.status == 200 else {
      throw ConsumerError("unexpectedStatus", payload: "\(answer.status)")
    }
    guard let joke = try? call.decode(Joke.self, from: answer) else {
      throw ConsumerError("invalidData")
    }
    return try Array(JSONEncoder().encode(joke))
  }
])
