/// The difference between two texts, line by line.
package enum TextDiff {
  /// A unified diff with three lines of context, or an empty string when the texts are equal.
  package static func unified(
    _ old: String, _ new: String, oldName: String = "expected", newName: String = "found"
  ) -> String {
    guard old != new else { return "" }
    let steps = steps(from: lines(of: old), to: lines(of: new))
    return (["--- \(oldName)", "+++ \(newName)"] + hunks(of: steps)).joined(separator: "\n") + "\n"
  }

  private enum Step {
    case keep(Substring)
    case remove(Substring)
    case insert(Substring)

    var isChange: Bool {
      if case .keep = self { false } else { true }
    }
  }

  private static func lines(of text: String) -> [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func steps(from old: [Substring], to new: [Substring]) -> [Step] {
    let difference = new.difference(from: old)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var steps: [Step] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if i < old.count, removed.contains(i) {
        steps.append(.remove(old[i]))
        i += 1
      } else if j < new.count, inserted.contains(j) {
        steps.append(.insert(new[j]))
        j += 1
      } else {
        steps.append(.keep(old[i]))
        i += 1
        j += 1
      }
    }
    return steps
  }

  private static func hunks(of steps: [Step]) -> [String] {
    let contextLines = 3
    var output: [String] = []
    var (oldLine, newLine) = (1, 1)
    var index = 0
    while index < steps.count {
      guard let change = steps[index...].firstIndex(where: \.isChange) else { break }
      let start = max(index, change - contextLines)
      oldLine += start - index
      newLine += start - index
      var end = change
      var lastChange = change
      while end < steps.count, end - lastChange <= 2 * contextLines {
        if steps[end].isChange { lastChange = end }
        end += 1
      }
      end = min(steps.count, lastChange + contextLines + 1)
      var body: [String] = []
      var (oldCount, newCount) = (0, 0)
      for step in steps[start..<end] {
        switch step {
        case .keep(let line):
          body.append(" \(line)")
          oldCount += 1
          newCount += 1
        case .remove(let line):
          body.append("-\(line)")
          oldCount += 1
        case .insert(let line):
          body.append("+\(line)")
          newCount += 1
        }
      }
      output.append("@@ -\(range(oldLine, oldCount)) +\(range(newLine, newCount)) @@")
      output += body
      oldLine += oldCount
      newLine += newCount
      index = end
    }
    return output
  }

  /// A hunk's range as `diff -u` writes it: an empty one names the line before it.
  private static func range(_ line: Int, _ count: Int) -> String {
    switch count {
    case 0: "\(line - 1),0"
    case 1: "\(line)"
    default: "\(line),\(count)"
    }
  }
}
