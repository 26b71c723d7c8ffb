import Synchronization
import UnderstudyContractModel
import UnderstudyCore

@testable import UnderstudyFakeServer

/// Takes note of callbacks instead of sending them; those to `/never` get no response until they are
/// cancelled.
final class NotedCallbacks: CallbackSender {
  private struct State {
    var sent: [String] = []
    var cancelledCount = 0
  }

  private let state = Mutex(State())
  let change = ChangeSignal()

  var sent: [String] { state.withLock { $0.sent } }

  func send(
    _ method: String, _ url: WebURL, _ headers: [HeaderField], _ body: [UInt8]
  ) async throws(Failure) -> Int {
    let fields = headers.map { " \($0.name): \($0.value)" }.joined()
    let text = String(decoding: body, as: UTF8.self)
    state.withLock { $0.sent.append("\(method) \(url.text)\(fields) \(text)") }
    change.ring()
    switch url.path {
    case "/never":
      let never = ChangeSignal()
      await never.wait { false }
      state.withLock { $0.cancelledCount += 1 }
      change.ring()
      throw Failure(message: "cancelled")
    case "/broken": throw Failure(message: "POST \(url.origin)/broken: no connection")
    default: return 204
    }
  }

  /// Waits until this many were sent.
  func sent(_ count: Int) async -> [String] {
    while sent.count < count { await change.wait { sent.count >= count } }
    return sent
  }

  /// Waits until this many were cancelled.
  func cancelled(_ count: Int) async {
    let isOver = { self.state.withLock { $0.cancelledCount >= count } }
    while !isOver() { await change.wait(unless: isOver) }
  }
}
