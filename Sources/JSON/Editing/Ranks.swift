/// The places that remain after others have been removed: a Fenwick tree, which finds the place of
/// a rank and removes one in logarithmic time.
struct Ranks {
  private(set) var count: Int
  /// At `i`, counted from 1: how many remain of the places up to `i`, as many as its lowest bit
  /// says.
  private var sums: [Int]

  init(count: Int) {
    self.count = count
    sums = (0...count).map { $0 & -$0 }
  }

  /// The place with this many remaining places before it.
  func place(of rank: Int) -> Int? {
    guard 0..<count ~= rank else { return nil }
    var (place, rest) = (0, rank)
    var step = 1 << (Int.bitWidth - 1 - sums.count.leadingZeroBitCount)
    while step > 0 {
      if place + step < sums.count, sums[place + step] <= rest {
        place += step
        rest -= sums[place]
      }
      step /= 2
    }
    return place
  }

  /// The place must be one that remains.
  mutating func remove(_ place: Int) {
    count -= 1
    var index = place + 1
    while index < sums.count {
      sums[index] -= 1
      index += index & -index
    }
  }
}
