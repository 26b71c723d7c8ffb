/// Finds the word that was probably meant.
package enum Spelling {
  /// The candidate nearest to `word`, or `nil` when none is near enough to suggest.
  ///
  /// A word equal to what follows a candidate's last slash means that candidate. Otherwise up to a third of
  /// the word's letters may differ; or else one of the two begins with the other, and no other
  /// candidate does so, or the word is more than half of it; or else the word is near to what a
  /// candidate has after its last slash. Among equally near candidates the first wins, so the result
  /// depends only on the order of `candidates`. Texts longer than any name have no near candidates,
  /// since comparing takes quadratic time.
  package static func nearest(
    to word: String, among candidates: some Sequence<String>
  ) -> String? {
    guard word.utf8.count <= byteCountMax else { return nil }
    guard !word.isEmpty, !word.contains("/") else {
      return nearestAsWhole(to: word, among: candidates)
    }
    var ends: [(end: String, candidate: String)] = []
    for candidate in candidates where candidate.utf8.count <= 2 * byteCountMax {
      guard let slash = candidate.lastIndex(of: "/") else { continue }
      ends.append((String(candidate[slash...].dropFirst()), candidate))
    }
    func candidate(endingIn end: String?) -> String? { ends.first { $0.end == end }?.candidate }
    return candidate(endingIn: word) ?? nearestAsWhole(to: word, among: candidates)
      ?? candidate(endingIn: nearestAsWhole(to: word, among: ends.map(\.end)))
  }

  private static func nearestAsWhole(
    to word: String, among candidates: some Sequence<String>
  ) -> String? {
    let letters = Array(word.lowercased().unicodeScalars)
    let distanceMax = max(1, letters.count / 3)
    var best: (candidate: String, distance: Int)?
    var begun: [String] = []
    for candidate in candidates where candidate.utf8.count <= 2 * byteCountMax {
      let other = Array(candidate.lowercased().unicodeScalars)
      if min(letters.count, other.count) > 1,
        letters.starts(with: other) || other.starts(with: letters)
      {
        begun.append(candidate)
      }
      guard abs(other.count - letters.count) <= distanceMax else { continue }
      let distance = distance(from: letters, to: other)
      if distance <= distanceMax, distance < best?.distance ?? .max {
        best = (candidate, distance)
      }
    }
    if let best { return best.candidate }
    return begun.count == 1 ? begun[0] : begun.first { $0.utf8.count < 2 * word.utf8.count }
  }

  private static let byteCountMax = 256

  /// `did you mean "status"?`, to append to a message or use as a fix.
  package static func suggestion(
    for word: String, among candidates: some Sequence<String>
  ) -> String? {
    nearest(to: word, among: candidates).map { "did you mean \"\($0)\"?" }
  }

  /// The number of insertions, removals, replacements and swaps of neighbours that turn one into
  /// the other.
  private static func distance(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
    var rowBeforeLast: [Int] = []
    var lastRow = Array(0...right.count)
    for i in left.indices {
      var row = [i + 1]
      row.reserveCapacity(right.count + 1)
      for j in right.indices {
        let replaced = lastRow[j] + (left[i] == right[j] ? 0 : 1)
        var cost = min(replaced, lastRow[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, rowBeforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      (rowBeforeLast, lastRow) = (lastRow, row)
    }
    return lastRow[right.count]
  }
}
