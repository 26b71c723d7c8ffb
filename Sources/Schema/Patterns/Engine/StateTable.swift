/// A program worked out in advance: for each state and symbol the state that follows.
///
/// A state is the front of a simulation together with what stands before it, so both engines mean
/// the same by construction. Most patterns have few; those that have many are left to simulation.
final class StateTable: Sendable {
  /// Bounds on what building a table may cost: about a millisecond and 64 KB.
  static let visitsMax = 100_000
  static let entriesMax = 32_768

  private let alphabet: Alphabet
  /// The rows follow each other, and each entry says where the next row begins. The last of a row
  /// is for the end of the text. The first two rows are unused: to go there is to fail or to match.
  private let entries: [UInt16]
  private let firstRow: Int
  private var rowLength: Int { alphabet.representatives.count + 1 }
  private var matchRow: Int { rowLength }

  /// `nil` if the table would be too large.
  init?(_ program: Program) {
    guard let alphabet = Alphabet(program) else { return nil }
    var builder = Builder(program, alphabet)
    guard builder.build() else { return nil }
    self.alphabet = alphabet
    entries = builder.entries
    firstRow = 2 * (alphabet.representatives.count + 1)
  }

  func matches(_ text: Span<UInt8>) -> Bool {
    // Read once: the loop is short enough to feel every load from the object.
    let (entries, matchRow) = (entries, matchRow)
    var row = firstRow
    var index = 0
    while index < text.count {
      let byte = text[index]
      let symbol: Int
      if byte < 0x80 {
        symbol = alphabet.symbol(ofASCII: byte)
        index += 1
      } else {
        symbol = alphabet.symbol(of: text.takeScalar(at: &index))
      }
      row = Int(entries[row + symbol])
      if row <= matchRow { return row == matchRow }
    }
    return Int(entries[row + rowLength - 1]) == matchRow
  }
}
