/// Gives out names, each once: `ok`, then `ok-2`, `ok-3`.
///
/// For each stem it remembers the last number, so that many names of one stem take as many steps.
package struct UniqueNames {
  private var taken: Set<String>
  private var numbers: [String: Int] = [:]
  /// How many names were tried, for tests.
  package private(set) var stepCount = 0

  /// - Parameter taken: names that are never given out.
  package init(taken: some Sequence<String> = []) { self.taken = Set(taken) }

  package func contains(_ name: String) -> Bool { taken.contains(name) }

  /// The stem itself, or with a number if that is taken.
  ///
  /// - Parameter isFree: whether nobody else has the name.
  package mutating func name(
    _ stem: String, isFree: (String) -> Bool = { _ in true }
  ) -> String {
    var number = numbers[stem] ?? 1
    while true {
      let name = number == 1 ? stem : "\(stem)-\(number)"
      number += 1
      stepCount += 1
      guard !taken.contains(name), isFree(name) else { continue }
      taken.insert(name)
      numbers[stem] = number
      return name
    }
  }
}
