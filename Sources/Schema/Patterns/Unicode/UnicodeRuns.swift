/// Walks all of Unicode and gathers what a property says of it.
enum UnicodeRuns {
  struct Run<Value: Sendable>: Sendable {
    let range: ClosedRange<UInt32>
    let value: Value
  }

  /// The planes whose scalars differ from each other. The others have none assigned, or only
  /// private ones, and but for the two noncharacters at its end such a plane is all alike.
  private static let detailedPlanes: Set<UInt32> = [0, 1, 2, 3, 14]

  /// Consecutive scalars with the same value of a property. Surrogates have none.
  static func runs<Value: Equatable & Sendable>(
    of property: (Unicode.Scalar.Properties) -> Value
  ) -> [Run<Value>] {
    var runs: [Run<Value>] = []
    func add(_ range: ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(range.lowerBound) else { return }
      let value = property(scalar.properties)
      if let last = runs.last, last.value == value, last.range.upperBound + 1 == range.lowerBound {
        runs[runs.count - 1] = Run(
          range: last.range.lowerBound...range.upperBound, value: value)
      } else {
        runs.append(Run(range: range, value: value))
      }
    }
    for plane in 0...ScalarSet.valueMax >> 16 {
      let start = plane << 16
      if detailedPlanes.contains(plane) {
        for value in start...start + 0xFFFF { add(value...value) }
      } else {
        add(start...start + 0xFFFD)
        add(start + 0xFFFE...start + 0xFFFF)
      }
    }
    return runs
  }
}
