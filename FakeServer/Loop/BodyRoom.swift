import Synchronization

/// The room for bodies of requests that are not complete, shared by all loops of a server.
///
/// When none is left, connections stop reading, and the kernel makes their clients wait. One body
/// may always go on beyond the limit, or all might wait for one another; when it is complete, or its
/// client takes too long, the next one may.
final class BodyRoom: Sendable {
  typealias Wake = @Sendable () -> Void

  private struct State {
    var bytesLeft: Int
    /// Whose body may pass the limit.
    var favored: ObjectIdentifier?
    /// Those who wait, the first first.
    var waiting: [Wake] = []

    var hasRoom: Bool { bytesLeft > 0 || favored == nil }
  }

  private let state: Mutex<State>

  init(byteCount: Int) {
    state = Mutex(State(bytesLeft: byteCount))
  }

  /// Counts what has come of a body. If it is to wait before it takes more, `wake` is called once
  /// there is room: ask again then.
  fileprivate func mayGoOn(
    _ id: ObjectIdentifier, grownBy byteCount: Int, wake: @escaping Wake
  ) -> Bool {
    state.withLock { state in
      state.bytesLeft -= byteCount
      guard state.bytesLeft <= 0, state.favored != id else { return true }
      guard state.favored != nil else {
        state.favored = id
        return true
      }
      state.waiting.append(wake)
      return false
    }
  }

  fileprivate func free(_ id: ObjectIdentifier, _ byteCount: Int) {
    state.withLock { state in
      state.bytesLeft += byteCount
      if state.favored == id { state.favored = nil }
    }
    wakeNext()
  }

  /// Lets the next one go on that waits, if there is room. Called as well by whoever was woken: there
  /// may be room for another, or it may be gone.
  func wakeNext() {
    let wake: Wake? = state.withLock { state in
      state.hasRoom && !state.waiting.isEmpty ? state.waiting.removeFirst() : nil
    }
    wake?()
  }
}

/// What one body takes of the room, until this is gone.
///
/// Owned by its request and touched on its loop's thread alone.
final class BodyShare {
  private let room: BodyRoom
  private var byteCount = 0

  init(of room: BodyRoom) {
    self.room = room
  }

  /// Notes how much of the body is there; false when more of it has to wait until `wake` is called.
  func grow(to byteCount: Int, wake: @escaping BodyRoom.Wake) -> Bool {
    defer { self.byteCount = byteCount }
    return room.mayGoOn(
      ObjectIdentifier(self), grownBy: byteCount - self.byteCount, wake: wake)
  }

  deinit { room.free(ObjectIdentifier(self), byteCount) }
}
