/// The watched sockets, each with a unique mark.
///
/// When several events come at once, an earlier one may close a socket whose number the system then
/// reuses: marks distinguish the two.
struct WatchedSockets {
  /// How often each descriptor was opened, and whether it is watched now.
  private var counts: [(begun: UInt32, isWatched: Bool)] = []

  /// Returns the mark for the events of a socket that is watched from now on.
  mutating func begin(_ descriptor: Int32) -> UInt64 {
    let index = Int(descriptor)
    while counts.count <= index { counts.append((0, false)) }
    counts[index] = (counts[index].begun &+ 1, true)
    return mark(of: descriptor)
  }

  mutating func end(_ descriptor: Int32) {
    guard counts.indices.contains(Int(descriptor)) else { return }
    counts[Int(descriptor)].isWatched = false
  }

  /// The mark of a watched socket.
  func mark(of descriptor: Int32) -> UInt64 {
    let index = Int(descriptor)
    guard counts.indices.contains(index) else { return .max }
    return UInt64(counts[index].begun) << 32 | UInt64(UInt32(bitPattern: descriptor))
  }

  /// The socket of an event; `nil` when it is no longer watched.
  func descriptor(of mark: UInt64) -> Int32? {
    let descriptor = Int32(truncatingIfNeeded: mark)
    guard counts.indices.contains(Int(descriptor)), counts[Int(descriptor)].isWatched,
      self.mark(of: descriptor) == mark
    else { return nil }
    return descriptor
  }
}
