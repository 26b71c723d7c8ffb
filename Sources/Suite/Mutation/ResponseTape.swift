import Synchronization
import UnderstudyClient

/// The responses a consumer got, by the requests it sent.
struct ResponseTape: Sendable {
  /// Identifies a response by its request and the number of equal requests before.
  struct Key: Hashable, Sendable {
    let request: String
    let index: Int
  }

  private(set) var responses: [String: [ClientResponse]] = [:]
  /// The keys of all responses, in the order in which these were received.
  private(set) var keys: [Key] = []

  static func key(of request: ClientRequest) -> String {
    "\(request.method.rawValue) \(request.url)"
  }

  mutating func add(_ response: ClientResponse, to request: ClientRequest) {
    let sent = Self.key(of: request)
    keys.append(Key(request: sent, index: responses[sent]?.count ?? 0))
    responses[sent, default: []].append(response)
  }

  subscript(key: Key) -> ClientResponse? {
    get {
      guard let responses = responses[key.request], responses.indices ~= key.index else {
        return nil
      }
      return responses[key.index]
    }
    set {
      guard let newValue, responses[key.request]?.indices.contains(key.index) == true else {
        return
      }
      responses[key.request]?[key.index] = newValue
    }
  }
}

/// Records the responses of another transport. Thread-safe.
final class RecordingTransport: Transport {
  private let inner: any Transport
  private let state = Mutex(ResponseTape())

  init(_ inner: any Transport) { self.inner = inner }

  var tape: ResponseTape { state.withLock { $0 } }

  func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    let response = try await inner.send(request)
    state.withLock { $0.add(response, to: request) }
    return response
  }
}

/// Replays a tape; the last of several responses to the same request repeats. Thread-safe.
final class ReplayTransport: Transport {
  private let tape: ResponseTape
  private let counts = Mutex<[String: Int]>([:])

  init(_ tape: ResponseTape) { self.tape = tape }

  func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    let key = ResponseTape.key(of: request)
    guard let responses = tape.responses[key], let last = responses.last else {
      throw TransportError(.cannotConnect, "\(request.place) was not requested before")
    }
    let index = counts.withLock { counts in
      defer { counts[key, default: 0] += 1 }
      return counts[key] ?? 0
    }
    return responses.indices ~= index ? responses[index] : last
  }
}
