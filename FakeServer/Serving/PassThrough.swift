import Synchronization
package import UnderstudyCore
import UnderstudySystem

/// Passes on what clients of a proxy ask hosts that no upstream declares.
///
/// Each client has a thread of its own, so that no loop waits for a name or a connection: it connects
/// by `PassedConnection`, and then a `Passage` copies the bytes. A name is resolved once: the
/// address that is checked is the one that is connected to.
package final class PassThrough: Sendable {
  private struct State {
    var number = 0
    /// By number; `nil` while it is being connected.
    var passages: [Int: WeakPassage?] = [:]
  }

  private struct WeakPassage {
    weak var passage: Passage?
  }

  /// A proxy of the user, by which hosts are reached.
  package struct Parent: Hashable, Sendable {
    /// Without brackets.
    package let host: String
    package let port: Int
    /// The value of `Proxy-Authorization`; `nil` for none.
    package let authorization: String?

    package init(host: String, port: Int, authorization: String?) {
      (self.host, self.port, self.authorization) = (host, port, authorization)
    }
  }

  /// How many clients may be connected at the same time.
  private static let countMax = 256

  /// The proxy by which a host is reached; `nil` for none.
  package typealias Parents = @Sendable (_ url: WebURL) -> Parent?

  let parent: Parents
  private let state = Mutex(State())

  package init(by parent: @escaping Parents = { _ in nil }) { self.parent = parent }

  /// Connects to the host of a request, and calls back on another thread.
  func begin(
    _ request: PassedRequest, then: @escaping @Sendable (Result<WireScript, Problem>) -> Void
  ) {
    let number = state.withLock { state -> Int? in
      guard state.passages.count < Self.countMax else { return nil }
      state.number += 1
      state.passages[state.number] = .some(nil)
      return state.number
    }
    guard let number else { return then(.failure(.tooManyPassages(max: Self.countMax))) }
    let thread = try? SystemThread {
      SystemThread.holdBackSignals()
      do throws(Problem) {
        let connection = try PassedConnection(for: request, by: self.parent(request.url))
        let passage = Passage(to: connection.server, isTunnel: request.isTunnel) {
          self.leave(number)
        }
        self.state.withLock { $0.passages[number] = WeakPassage(passage: passage) }
        then(.success(connection.script(for: passage)))
      } catch {
        self.leave(number)
        then(.failure(error))
      }
    }
    guard let thread else {
      leave(number)
      return then(.failure(.tooManyPassages(max: Self.countMax)))
    }
    thread.detach()
  }

  private func leave(_ number: Int) { state.withLock { $0.passages[number] = nil } }

  /// Ends what passes through, and returns how many clients were connected.
  func stopAll() -> Int {
    let passages = state.withLock { $0.passages.values.compactMap { $0?.passage } }
    for passage in passages { passage.stop() }
    return passages.count
  }
}

extension Problem {
  fileprivate static func tooManyPassages(max: Int) -> Self {
    Self(
      status: 503, title: "Too many clients pass through",
      detail: "\(max) connections to hosts that no upstream declares are open, which is the maximum"
    )
  }
}
