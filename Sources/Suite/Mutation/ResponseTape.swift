import Synchronization
import UnderstudyClient

/// The responses a consumer got, by the requests it sent.
struct ResponseTape: Sendable {
  /// Identifies a response: the request, and the number of equal ones before.
  struct Key: Hashable, Sendable {
    let request: String
    let index: Int
  }

  private(set) var responses: [String: [ClientResponse]] = [:]
  /// In the order they were given.
  private(set) var places: [Key] = []

  static func key(of request: ClientRequest) -> String {
    "\(request.method.rawValue) \(request.url)"
  }

  mutating func add(_ response: ClientResponse, to request: ClientRequest) {
    let key = Self.key(of: request)
    places.append(Key(request: key, index: responses[key]?.count ?? 0))
    responses[key, default: []].append(response)
  }

  subscript(place: Key) -> ClientResponse? {
    get {
      guard let responses = responses[place.request], responses.indices ~= place.index else {
        return nil
      }
      return responses[place.index]
    }
    set {
      guard let newValue, responses[place.request]?.indices.contains(place.index) == true else {
        return
      }
      responses[place.request]?[place.index] = newValue
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
