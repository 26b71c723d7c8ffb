import Synchronization

/// The held responses of a server, taken by a test or not.
///
/// Any thread may use it.
final class WaitingResponses: Sendable {
  private struct State {
    var count = 0
    var byteCount = 0
    var responses: [WaitingResponse.ID: WaitingResponse] = [:]
  }

  private let countMax: Int
  private let byteCountMax: Int
  private let state = Mutex(State())

  init(countMax: Int, byteCountMax: Int) {
    self.countMax = countMax
    self.byteCountMax = byteCountMax
  }

  /// Makes room for a response to a request of this size, to be given back by `leave`. Fails when
  /// there is none.
  func makeRoom(byteCount: Int) -> Bool {
    state.withLock { state in
      guard state.count < countMax, state.byteCount < byteCountMax else { return false }
      state.count += 1
      state.byteCount += byteCount
      return true
    }
  }

  func add(_ response: WaitingResponse) {
    state.withLock { $0.responses[response.id] = response }
  }

  func leave(_ id: WaitingResponse.ID, byteCount: Int) {
    state.withLock { state in
      state.responses[id] = nil
      state.count -= 1
      state.byteCount -= byteCount
    }
  }

  /// The held responses of one session or of all, in order of arrival.
  func all(session: String?) -> [WaitingResponse] {
    state.withLock { $0.responses.values }
      .filter { session == nil || $0.request.session == session }
      .sorted { $0.id < $1.id }
  }
}
