/// Deadlines that cost the same to set and cancel, however many are pending.
///
/// A hierarchical wheel with ticks of a millisecond: four levels of 256 slots reach 49 days. Each
/// timer is a number from a small range, which its owner chooses (a connection's slot), and has at
/// most one deadline. Timers fire at the first tick that is not before their deadline. It does no
/// I/O and reads no clock.
struct TimerWheel {
  private static let slotCount = 256
  private static let levelCount = 4
  private static let none: Int32 = -1

  private struct Node {
    var next: Int32
    var previous: Int32
    /// In ticks; negative while the timer is not set.
    var deadline: Int64
    var slot: Int32
  }

  private var nodes: [Node] = []
  private var heads = [Int32](repeating: none, count: slotCount * levelCount)
  /// A bit for each occupied slot, so that empty ones are skipped 64 at a time.
  private var occupied = [UInt64](repeating: 0, count: slotCount * levelCount / 64)
  /// All ticks up to and including this one have fired.
  private(set) var now: Int64
  private(set) var count = 0
  /// What `nextTick` was last, unless a timer has been set or cancelled since.
  private var knownNextTick: Int64?

  init(now: Int64) {
    self.now = now
  }

  func isSet(_ timer: Int) -> Bool {
    timer < nodes.count && nodes[timer].deadline >= 0
  }

  /// Sets the timer's only deadline; one in the past fires at the next tick.
  mutating func set(_ timer: Int, at deadline: Int64) {
    cancel(timer)
    if timer >= nodes.count {
      let blank = Node(next: Self.none, previous: Self.none, deadline: -1, slot: Self.none)
      nodes.append(contentsOf: repeatElement(blank, count: timer + 1 - nodes.count))
    }
    nodes[timer].deadline = max(deadline, now + 1)
    knownNextTick = nil
    link(Int32(timer))
    count += 1
  }

  mutating func cancel(_ timer: Int) {
    guard isSet(timer) else { return }
    unlink(Int32(timer))
    nodes[timer].deadline = -1
    knownNextTick = nil
    count -= 1
  }

  /// The earliest tick at which something has to be done, or `nil` when nothing is set.
  ///
  /// That is a deadline, or the tick at which a slot of a coarse level is sorted into finer ones,
  /// which is never after the deadlines in it.
  var nextTick: Int64? {
    mutating get {
      if knownNextTick.map({ $0 <= now }) ?? true { knownNextTick = findNextTick() }
      return knownNextTick
    }
  }

  private func findNextTick() -> Int64? {
    guard count > 0 else { return nil }
    var next: Int64?
    for level in 0..<Self.levelCount {
      let shift = Int64(level * 8)
      let turn = now >> shift
      guard let distance = distanceToOccupied(level, after: Int(turn & 255)) else { continue }
      next = min(next ?? .max, (turn + Int64(distance)) << shift)
    }
    return next
  }

  /// Advances time, at most to `tick`, and removes one due timer; `nil` when time has reached
  /// `tick` and none is left.
  mutating func popDue(at tick: Int64) -> Int? {
    while true {
      let head = heads[Int(now & 255)]
      if head != Self.none, nodes[Int(head)].deadline <= now {
        cancel(Int(head))
        return Int(head)
      }
      guard now < tick else { return nil }
      guard let next = nextTick, next <= tick else {
        now = tick
        return nil
      }
      now = next
      for level in (1..<Self.levelCount).reversed()
      where now & ((1 << Int64(level * 8)) - 1) == 0 {
        spread(level)
      }
    }
  }

  /// Moves the timers of a coarse slot into finer ones.
  private mutating func spread(_ level: Int) {
    let slot = level * Self.slotCount + Int(now >> Int64(level * 8) & 255)
    var timer = heads[slot]
    heads[slot] = Self.none
    occupied[slot >> 6] &= ~(1 << UInt64(slot & 63))
    while timer != Self.none {
      let next = nodes[Int(timer)].next
      link(timer)
      timer = next
    }
  }

  private mutating func link(_ timer: Int32) {
    let deadline = nodes[Int(timer)].deadline
    let distance = deadline - now
    var level = 0
    while level < Self.levelCount - 1, distance >= 1 << Int64((level + 1) * 8) { level += 1 }
    let reach = now + (1 << Int64(Self.levelCount * 8)) - 1
    let position = Int(min(deadline, reach) >> Int64(level * 8) & 255)
    let slot = level * Self.slotCount + position
    let head = heads[slot]
    nodes[Int(timer)].slot = Int32(slot)
    nodes[Int(timer)].previous = Self.none
    nodes[Int(timer)].next = head
    if head != Self.none { nodes[Int(head)].previous = timer }
    heads[slot] = timer
    occupied[slot >> 6] |= 1 << UInt64(slot & 63)
  }

  private mutating func unlink(_ timer: Int32) {
    let node = nodes[Int(timer)]
    if node.previous != Self.none {
      nodes[Int(node.previous)].next = node.next
    } else {
      heads[Int(node.slot)] = node.next
      if node.next == Self.none { occupied[Int(node.slot) >> 6] &= ~(1 << UInt64(node.slot & 63)) }
    }
    if node.next != Self.none { nodes[Int(node.next)].previous = node.previous }
  }

  /// The distance from `position` to the next occupied slot, wrapping around: 1 to 256.
  private func distanceToOccupied(_ level: Int, after position: Int) -> Int? {
    let wordCount = Self.slotCount / 64
    let base = level * wordCount
    let start = position + 1
    for step in 0...wordCount {
      let index = (start >> 6 + step) & (wordCount - 1)
      var word = occupied[base + index]
      if step == 0 { word &= ~0 << UInt64(start & 63) }
      if step == wordCount { word &= ~(~0 << UInt64(start & 63)) }
      guard word != 0 else { continue }
      let slot = index << 6 + word.trailingZeroBitCount
      return (slot - start) & (Self.slotCount - 1) + 1
    }
    return nil
  }
}
