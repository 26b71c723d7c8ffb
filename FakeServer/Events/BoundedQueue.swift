/// The last of many elements: beyond a number or size, the oldest are dropped. The newest always
/// stays.
struct BoundedQueue<Element: Sendable>: Sendable, RandomAccessCollection {
  private let countMax: Int
  private let byteCountMax: Int
  private var elements: [(element: Element, byteCount: Int)] = []
  /// The index of the oldest element that stays; elements before it are dropped already.
  private var first = 0
  private var byteCount = 0

  init(countMax: Int, byteCountMax: Int) {
    self.countMax = countMax
    self.byteCountMax = byteCountMax
  }

  var startIndex: Int { first }
  var endIndex: Int { elements.count }

  subscript(index: Int) -> Element { elements[index].element }

  mutating func append(_ element: Element, byteCount: Int) {
    elements.append((element, byteCount))
    self.byteCount += byteCount
    while count > 1, count > countMax || self.byteCount > byteCountMax { dropOldest() }
  }

  mutating func takeFirst(_ countMax: Int) -> [Element] {
    let taken = prefix(countMax).map(\.self)
    for _ in taken { dropOldest() }
    return taken
  }

  mutating func removeAll() {
    (elements, first, byteCount) = ([], 0, 0)
  }

  private mutating func dropOldest() {
    byteCount -= elements[first].byteCount
    first += 1
    guard first >= 64, first >= elements.count / 2 else { return }
    elements.removeFirst(first)
    first = 0
  }
}
