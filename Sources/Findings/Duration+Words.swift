extension Duration {
  /// Rounded down, and never negative.
  package var milliseconds: Int {
    let (seconds, attoseconds) = components
    // No check takes longer than a century.
    return max(
      0, Int(min(max(seconds, 0), 3_155_760_000)) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    )
  }

  /// `12 ms`, `4.2 s`, `3 min 20 s`
  package var words: String {
    let milliseconds = milliseconds
    switch milliseconds {
    case ..<1_000: return "\(milliseconds) ms"
    case ..<60_000: return "\(milliseconds / 1_000).\(milliseconds / 100 % 10) s"
    default: return "\(milliseconds / 60_000) min \(milliseconds / 1_000 % 60) s"
    }
  }
}
