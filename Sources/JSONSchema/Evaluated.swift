/// Which elements or members of one value some schema has spoken about, as far as an
/// `unevaluatedItems` or `unevaluatedProperties` further out wants to know.
struct Evaluated {
  let isWanted: Bool
  private var isAll = false
  private var firstCount = 0
  private var marks: [Bool] = []

  static let unwanted = Evaluated(isWanted: false)

  init(isWanted: Bool) {
    self.isWanted = isWanted
  }

  func contains(_ position: Int) -> Bool {
    isAll || position < firstCount || position < marks.count && marks[position]
  }

  mutating func mark(_ position: Int) {
    guard isWanted, !contains(position) else { return }
    if marks.count <= position {
      marks.append(contentsOf: repeatElement(false, count: position - marks.count + 1))
    }
    marks[position] = true
  }

  mutating func markFirst(_ count: Int) {
    if isWanted { firstCount = max(firstCount, count) }
  }

  mutating func markAll() {
    if isWanted { isAll = true }
  }

  mutating func formUnion(_ other: Evaluated) {
    guard isWanted else { return }
    isAll = isAll || other.isAll
    firstCount = max(firstCount, other.firstCount)
    for position in other.marks.indices where other.marks[position] { mark(position) }
  }
}
