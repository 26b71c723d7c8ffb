import Synchronization

/// The memory for incomplete request bodies, shared by all loops of a server.
///
/// When it is used up, connections stop reading, and the kernel makes their clients wait. One body
/// may always exceed the limit, or all could wait for each other. The next one may when that body
/// is complete or its client times out.
final class BodyRoom: Sendable {
  typealias Wake = @Sendable () -> Void

  private struct State {
    var bytesLeft: Int
    /// The connection whose body may exceed the limit.
    var favored: ObjectIdentifier?
    /// The waiting connections, in order.
    var waiting: [Wake] = []

    var hasRoom: Bool { bytesLeft > 0 || favored == nil }
  }

  private let state: Mutex<State>

  init(byteCount: Int) {
    state = Mutex(State(bytesLeft: byteCount))
  }

  /// Counts received bytes of a body. If it must wait before it receives more, `wake` is called
  /// once there is room, and the caller must ask again.
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

  /// Wakes the next waiting connection, if there is room. Woken connections call it, too: there may
  /// be room for another, or the woken one may be gone.
  func wakeNext() {
    let wake: Wake? = state.withLock { state in
      state.hasRoom && !state.waiting.isEmpty ? state.waiting.removeFirst() : nil
    }
    wake?()
  }
}

/// The memory that one body takes, until this is released.
///
/// Owned by its request and used only on its loop's thread.
final class BodyShare {
  private let room: BodyRoom
  private var byteCount = 0

  init(of room: BodyRoom) {
    self.room = room
  }

  /// Records the size of the body; returns false when more of it has to wait until `wake` is
  /// called.
  func grow(to byteCount: Int, wake: @escaping BodyRoom.Wake) -> Bool {
    defer { self.byteCount = byteCount }
    return room.mayGoOn(
      ObjectIdentifier(self), grownBy: byteCount - self.byteCount, wake: wake)
  }

  deinit { room.free(ObjectIdentifier(self), byteCount) }
}
