import UnderstudyContractModel
import UnderstudyCore
import UnderstudySecrets
import UnderstudyJSON
import UnderstudySystem

extension ServerCore {
  /// Sends the callbacks of a request, each after its delay, whose response is over.
  func sendCallbacks(after sequence: UInt64) {
    guard let (followers, ids) = callbacks.begin(sequence) else { return }
    for id in ids {
      let delay = followers.attempts[id.place].delay * configuration.timeScale
      guard delay > .zero else {
        sendCallback(id)
        continue
      }
      let isPosted = listeners.first?.loop.mailbox.post { [self] loop in
        loop.run(after: delay.nanoseconds) { [self] _ in sendCallback(id) }
      }
      if isPosted != true { callbackEnded(id) { $0.end(.cancelled) } }
    }
    // Those that were refused are over already.
    for (place, attempt) in followers.attempts.enumerated() where !attempt.outcome.isOpen {
      tell(of: attempt, CallbackLog.ID(sequence: sequence, place: place), followers)
    }
  }

  private func sendCallback(_ id: CallbackLog.ID) {
    guard let (followers, attempt) = callbacks.update(id, { $0.outcome = .underWay }) else {
      return
    }
    let url: WebURL
    do throws(Failure) {
      url = try address(of: attempt, followers.served)
    } catch {
      return callbackEnded(id) { $0.end(.refused, error) }
    }
    guard let sender = configuration.callbackSender else {
      return callbackEnded(id) {
        $0.end(.refused, Failure(message: "this server sends no callbacks"))
      }
    }
    callbacks.keep(
      Errand { [self] in
        do throws(Failure) {
          let status = try await sender.send(
            attempt.method, url, attempt.headers, attempt.body)
          callbackEnded(id) { attempt in
            attempt.end(.responded)
            attempt.status = status
          }
        } catch {
          callbackEnded(id) { $0.end(.failed, error) }
        }
      }, of: id)
  }

  /// The address of a callback, if it is one where callbacks may be sent.
  private func address(
    of attempt: CallbackAttempt, _ served: ServedCase
  ) throws(Failure) -> WebURL {
    guard let url = WebURL(attempt.url) else {
      throw Failure(
        message: "found \(mask.masked(target: attempt.url).quotedAndCut), expected a URL",
        fix: "let the request have the address where the callback \"\(attempt.name)\" of \(served)"
          + " is to be sent")
    }
    let upstreamName = String(served.contract.prefix { $0 != "/" })
    if let refusal = callbackHosts(of: upstreamName).refusal(of: url, of: upstreamName) {
      throw refusal
    }
    return url
  }

  private func callbackEnded(
    _ id: CallbackLog.ID, _ change: (inout CallbackAttempt) -> Void
  ) {
    guard let (followers, attempt) = callbacks.update(id, change) else { return }
    tell(of: attempt, id, followers)
  }

  private func tell(
    of attempt: CallbackAttempt, _ id: CallbackLog.ID, _ followers: CallbackLog.Followers
  ) {
    outcomeBecameKnown()
    events.add(
      .callback(attempt, place: id.place, of: id.sequence, served: followers.served),
      session: followers.session)
    configuration.callbackListener?(followers.served, attempt.masked(by: mask))
  }

  /// Cancels all that are to come or under way.
  func closeCallbacks() {
    for (served, attempt) in callbacks.close() {
      configuration.callbackListener?(served, attempt.masked(by: mask))
    }
  }

  /// Waits until no callback of a session, or of any, is to come or under way, the server is closed, or the
  /// time is over.
  func callbacksEnded(session: String?, within patience: Duration) async {
    guard callbacks.isOpen(session: session) else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        while !Task.isCancelled, !arrivals.isClosed, callbacks.isOpen(session: session) {
          await arrivals.wait { !callbacks.isOpen(session: session) }
        }
      }
      group.addTask { try? await Task.sleep(for: patience) }
      await group.next()
      group.cancelAll()
    }
  }
}
