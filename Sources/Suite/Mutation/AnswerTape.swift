import Synchronization
import UnderstudyClient

/// The answers a consumer got, by the requests it sent.
struct AnswerTape: Sendable {
  /// Identifies an answer: the request, and the number of equal ones before.
  struct Place: Hashable, Sendable {
    let request: String
    let index: Int
  }

  private(set) var answers: [String: [ClientResponse]] = [:]
  /// In the order they were given.
  private(set) var places: [Place] = []

  static func key(of request: ClientRequest) -> String {
    "\(request.method.rawValue) \(request.url)"
  }

  mutating func add(_ answer: ClientResponse, to request: ClientRequest) {
    let key = Self.key(of: request)
    places.append(Place(request: key, index: answers[key]?.count ?? 0))
    answers[key, default: []].append(answer)
  }

  subscript(place: Place) -> ClientResponse? {
    get {
      guard let answers = answers[place.request], answers.indices ~= place.index else { return nil }
      return answers[place.index]
    }
    set {
      guard let newValue, answers[place.request]?.indices.contains(place.index) == true else {
        return
      }
      answers[place.request]?[place.index] = newValue
    }
  }
}

/// Records the answers of another transport. Thread-safe.
final class RecordingTransport: Transport {
  private let inner: any Transport
  private let state = Mutex(AnswerTape())

  init(_ inner: any Transport) { self.inner = inner }

  var tape: AnswerTape { state.withLock { $0 } }

  func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    let answer = try await inner.send(request)
    state.withLock { $0.add(answer, to: request) }
    return answer
  }
}

/// Replays a tape; the last of several answers to the same request repeats. Thread-safe.
final class ReplayTransport: Transport {
  private let tape: AnswerTape
  private let counts = Mutex<[String: Int]>([:])

  init(_ tape: AnswerTape) { self.tape = tape }

  func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
    let key = AnswerTape.key(of: request)
    guard let answers = tape.answers[key], let last = answers.last else {
      throw TransportError(.cannotConnect, "\(request.place) was not requested before")
    }
    let index = counts.withLock { counts in
      defer { counts[key, default: 0] += 1 }
      return counts[key] ?? 0
    }
    return answers.indices ~= index ? answers[index] : last
  }
}
