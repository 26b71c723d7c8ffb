/// The difference between two texts, line by line.
package enum TextDiff {
  /// A unified diff with three lines of context, or an empty string when the texts are equal.
  package static func unified(
    _ old: String, _ new: String, oldName: String = "expected", newName: String = "found"
  ) -> String {
    diff(old, new, lines(of: old), lines(of: new), oldName, newName)
  }

  /// A change to a file in the form of `git apply` and `patch -p1`, or an empty string when nothing
  /// changes.
  package static func patch(of file: String, _ old: String, _ new: String) -> String {
    // A name with a space would end there; a tab marks its end instead.
    let name = file.drop { $0 == "/" } + (file.contains(" ") ? "\t" : "")
    return diff(old, new, patchLines(of: old), patchLines(of: new), "a/\(name)", "b/\(name)")
  }

  private static func diff(
    _ old: String, _ new: String, _ oldLines: [Substring], _ newLines: [Substring],
    _ oldName: String, _ newName: String
  ) -> String {
    guard !old.utf8.elementsEqual(new.utf8) else { return "" }
    let head = ["--- \(oldName)", "+++ \(newName)"]
    return (head + hunks(of: steps(from: oldLines, to: newLines))).joined(separator: "\n") + "\n"
  }

  /// The lines of a file; the last one has a note when the file does not end with a newline.
  private static func patchLines(of text: String) -> [Substring] {
    var lines = lines(of: text)
    if let last = lines.last, text.utf8.last != UInt8(ascii: "\n") {
      lines[lines.count - 1] = Substring(last + "\n\\ No newline at end of file")
    }
    return lines
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
    // As characters, a carriage return with a line feed is one.
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Substring($0) }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  private static func steps(from old: [Substring], to new: [Substring]) -> [Step] {
    let difference = new.difference(from: old) { $0.utf8.elementsEqual($1.utf8) }
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

  /// A hunk's range as `diff -u` writes it: an empty range names the line before it.
  private static func range(_ line: Int, _ count: Int) -> String {
    switch count {
    case 0: "\(line - 1),0"
    case 1: "\(line)"
    default: "\(line),\(count)"
    }
  }
}
