/// Which elements or members of one value some schema has spoken about, as far as an
/// `unevaluatedItems` or `unevaluatedProperties` further out wants to know.
struct Evaluated {
  private var isAll = false
  private var firstCount = 0
  private var marks: [Bool] = []

  func contains(_ position: Int) -> Bool {
    isAll || position < firstCount || position < marks.count && marks[position]
  }

  mutating func mark(_ position: Int) {
    guard !contains(position) else { return }
    if marks.count <= position {
      marks.append(contentsOf: repeatElement(false, count: position - marks.count + 1))
    }
    marks[position] = true
  }

  mutating func markFirst(_ count: Int) {
    firstCount = max(firstCount, count)
  }

  mutating func markAll() {
    isAll = true
  }

  mutating func formUnion(_ other: Evaluated) {
    isAll = isAll || other.isAll
    firstCount = max(firstCount, other.firstCount)
    for position in other.marks.indices where other.marks[position] { mark(position) }
  }
}
